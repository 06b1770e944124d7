"""The verification call: a short prompt, and nothing supported that is not listed."""
