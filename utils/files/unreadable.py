"""Why a file was not read: half a sentence that stands after its name."""

COULD_NOT = "it could not be read"


class WorkerFailed(Exception):
    """No process could be had to read a file in: it is not the file's fault; later can help."""


class UnreadableFile(Exception):
    """A file cannot be read, for a reason such as "it is empty".

    ``is_refused``: files of its kind are never opened.
    """

    def __init__(self, reason: str = COULD_NOT, *, is_refused: bool = False) -> None:
        super().__init__(reason)
        self.is_refused = is_refused
