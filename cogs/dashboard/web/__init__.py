"""What pages and API share: access, sessions, language, charts, and the context of a request."""
