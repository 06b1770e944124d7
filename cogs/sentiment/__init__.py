"""Passive watching on Discord: what is heard in watched channels, and what moderators see of it."""
