"""Store events, group them into bursts, and buffer them while the database is away."""
