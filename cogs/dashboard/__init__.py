"""The operator's web pages and JSON API, served by the bot's own process."""
