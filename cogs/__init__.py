"""The edges: Discord in, Discord out, and the terminal. No SQL, no prompt text, no memory rules."""
