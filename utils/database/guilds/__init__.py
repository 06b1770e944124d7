"""Server settings, personas and linked accounts."""
