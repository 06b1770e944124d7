"""cogs / cli."""
