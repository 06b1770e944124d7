"""utils / runtime."""
