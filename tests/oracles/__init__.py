"""Judges that share no code with what they judge."""
