"""utils / admin / archive."""
