"""The only way to a language model: requests, streaming, budget, embeddings, prompts."""
