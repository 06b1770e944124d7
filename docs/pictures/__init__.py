"""Makes the README's pictures from the program itself: ``python -m docs.pictures [NAME ...]``."""
