"""Import exported channels into memory."""
