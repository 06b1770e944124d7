"""Stored messages and what is made from them: attachments, episodes, summaries, open loops."""
