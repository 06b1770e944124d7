"""Candidates are checked, and those that need it get a verdict."""
