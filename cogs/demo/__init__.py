"""The command ``demo``: a made-up community in a temporary database, and the dashboard over it."""
