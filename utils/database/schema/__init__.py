"""The tables, column types, indexes and triggers."""
