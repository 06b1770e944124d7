"""Memory itself: writing, recall, forgetting. Knows nothing of Discord or SQLAlchemy."""
