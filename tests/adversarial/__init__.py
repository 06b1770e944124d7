"""People who try to make Kith believe, keep or tell what they may not; and people who do not."""
