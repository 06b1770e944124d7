"""What belongs to a server: settings, known members, linked accounts, and who reads a channel."""
