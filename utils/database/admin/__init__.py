"""utils / database / admin."""
