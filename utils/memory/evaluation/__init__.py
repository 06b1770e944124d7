"""Recall policies: versions, comparison on recorded exchanges, a shadow, and drift."""
