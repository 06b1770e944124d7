"""utils / llm."""
