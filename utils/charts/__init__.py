"""Charts: axes and shapes, written as SVG for pages and drawn as PNG for Discord."""
