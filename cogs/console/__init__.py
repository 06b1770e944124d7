"""The bot in the terminal: lines in, answers out, without Discord."""
