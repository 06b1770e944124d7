"""Tables of passive watching: watched channels, waiting messages, scores, tension, alerts."""
