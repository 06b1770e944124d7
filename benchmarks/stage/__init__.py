"""A scripted Discord, model and members in a process of their own, and how a bot runs there."""
