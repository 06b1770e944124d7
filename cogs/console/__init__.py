"""The same bot in the terminal: text in, text out, where Discord would be."""
