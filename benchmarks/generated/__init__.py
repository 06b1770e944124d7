"""Generated sentences and rows: databases of any size, alike in every run."""
