"""Evaluation: tries recall policies on recorded exchanges, in the shadow, and watches for drift."""
