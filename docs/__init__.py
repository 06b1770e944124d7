"""The documentation, and what writes parts of it: configuration.md and the pictures."""
