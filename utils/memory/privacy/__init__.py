"""Consent, erasure, retention and pruning."""
