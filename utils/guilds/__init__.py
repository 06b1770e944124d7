"""utils / guilds."""
