"""Read attachments, describe them, and render them for prompts."""
