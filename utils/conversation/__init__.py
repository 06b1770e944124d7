"""utils / conversation."""
