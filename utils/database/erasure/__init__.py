"""Units of work that erase: messages, memories on request, channels, expired and left-over data."""
