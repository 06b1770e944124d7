"""``bot.py mcp``: other agents of the operator use memory, over the Model Context Protocol."""
