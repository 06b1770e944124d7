"""Recall: finds the memories that match a message and composes the block for the prompt."""
