"""The Discord client: its errors, permissions, language, and what a person sees of a message."""
