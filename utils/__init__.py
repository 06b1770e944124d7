"""Everything below the edges: conversation, memory, the model, the database."""
