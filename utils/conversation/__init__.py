"""One turn of a conversation: persona, recall and tools, the model's call, and the answer."""
