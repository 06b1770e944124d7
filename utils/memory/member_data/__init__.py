"""What members see, search, change, export and review of their own data."""
