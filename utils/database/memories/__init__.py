"""Memories with evidence and audit, members' state, search, embeddings and policies."""
