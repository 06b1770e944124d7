"""Natural language: stems, dates, names, phrases, word tables by language; statistics."""
