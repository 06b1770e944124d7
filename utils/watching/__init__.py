"""Passive watching without Discord: what waits, what deserves a call, scores, notes, tension."""
