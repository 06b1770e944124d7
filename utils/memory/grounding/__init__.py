"""utils / memory / grounding."""
