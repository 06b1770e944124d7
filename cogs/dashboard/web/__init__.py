"""cogs / dashboard / web."""
