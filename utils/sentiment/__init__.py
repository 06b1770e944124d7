"""Passive watching without Discord: batches, prefilter, model scores, notes, tension, alerts."""
