"""cogs / bot."""
