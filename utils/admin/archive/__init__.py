"""Archives: a server's or a member's memory as files, exported and imported."""
