"""Errors of reading a file; a reason is half a sentence that follows the file's name."""

COULD_NOT = "it could not be read"


class SandboxUnavailable(Exception):
    """No process could start to read the file; a later retry can help."""


class UnreadableFile(Exception):
    """A file cannot be read, for a reason such as "it is empty".

    ``is_refused`` is True if Kith never opens such files.
    """

    def __init__(self, reason: str = COULD_NOT, *, is_refused: bool = False) -> None:
        super().__init__(reason)
        self.is_refused = is_refused
