"""Measurements, each a module that prints JSON with --json."""
