"""Read attached files in a sandboxed process, without trust in their name or declared type."""
