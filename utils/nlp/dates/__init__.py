"""Dates in text: which days a sentence names, in the past or the future."""
