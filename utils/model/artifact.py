"""Attachments as text: what they are, and how far reading them has come."""

from enum import StrEnum

NAME_LIMIT = 200
CAPTION_LIMIT = 1000
CHUNK_LIMIT = 2000


class ArtifactKind(StrEnum):
    """What an attachment is; links and videos are known by their titles and names only."""

    IMAGE = "image"
    DOCUMENT = "document"
    AUDIO = "audio"
    VIDEO = "video"
    LINK = "link"
    OTHER = "other"


class ArtifactState(StrEnum):
    """How far reading is; REFUSED: not to be read at all, FAILED: it could not be."""

    PENDING = "pending"
    CLAIMED = "claimed"
    DONE = "done"
    FAILED = "failed"
    REFUSED = "refused"
