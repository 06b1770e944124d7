"""Answers and wishes where no language model is set."""
