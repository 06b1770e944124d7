"""Members' own pages: what Kith knows about them, behind a one-time link of ``/memory show``."""
