"""What runs in the background: workers, leases, backoff, counts, metrics, event-loop lag."""
