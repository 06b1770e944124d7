"""Policies: what may be learnt and kept, for how long, and how recall ranks it."""
