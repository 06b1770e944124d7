"""The erasure ledger, tombstones of messages, and expiry times."""
