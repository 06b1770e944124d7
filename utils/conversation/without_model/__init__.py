"""Answers without a language model: what is asked, what answers it, and in which words."""
