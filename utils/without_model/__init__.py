"""The stand-in for a language model: answers by recall, small talk, and what members wish."""
