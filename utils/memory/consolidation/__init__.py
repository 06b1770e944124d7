"""Plan how candidates change a member's memories and profile."""
