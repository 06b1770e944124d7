"""Attachments as text: what they are, what was found in them, and how far reading them has come."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
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


UNFINISHED = (ArtifactState.PENDING, ArtifactState.CLAIMED)
NOT_READ_YET = "not read yet"


@dataclass(frozen=True, slots=True)
class Attachment:
    """What came with a message, as Discord tells of it: its name may say anything.

    ``url`` is empty for what is never fetched: of a link only its title, ``name``, is known.
    """

    kind: ArtifactKind
    name: str
    media_type: str = ""
    size: int = 0
    url: str = ""


@dataclass(frozen=True, slots=True)
class Contents:
    """What a file was found to hold, without any model's help.

    ``parts`` are its words, cut along its structure; ``note`` says what was left out. ``picture``
    is an image fit to be shown to a model: small, and nothing but pixels.
    """

    kind: ArtifactKind
    title: str = ""
    parts: tuple[str, ...] = ()
    note: str = ""
    picture: bytes = b""
    picture_type: str = ""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What is kept of a file: its kind, one caption, and its words in parts.

    None of it names the file: the same one may come under another name, from somebody else.
    ``is_makeshift``: a model would have told more, but was away, refused, or there is none. It
    serves where it was made, and is not taken over when the same file comes again.
    """

    kind: ArtifactKind
    caption: str
    parts: tuple[str, ...] = ()
    is_makeshift: bool = False


@dataclass(frozen=True, slots=True)
class Pending:
    """An attachment that is to be read: which one, whose, and where it can be had.

    ``attempts`` counts those before this one.
    """

    id: int
    user_id: int
    attachment: Attachment
    position: int
    attempts: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Surrogate:
    """The text that stands for an attachment. ``id`` is 0 where nothing of it is stored."""

    kind: ArtifactKind
    name: str
    state: ArtifactState
    caption: str
    parts: tuple[str, ...] = ()
    id: int = 0
    created_at: datetime | None = None

    @property
    def is_unfinished(self) -> bool:
        """Whether it is still to be read."""
        return self.state in UNFINISHED

    @property
    def line(self) -> str:
        """What it is, in a line: ``[image #A123] shot.png: a screenshot of an ImportError``."""
        told = NOT_READ_YET if self.is_unfinished else self.caption
        return f"{label(self.kind, self.id)} {self.name}: {told}"


def label(kind: ArtifactKind, artifact_id: int) -> str:
    """Return what an attachment is called in a prompt: ``[image #A123]``."""
    return f"[{_called(kind)} #A{artifact_id}]" if artifact_id else f"[{_called(kind)}]"


_MARK = " attached]"
_MARKS_ALONE = re.compile(r"\[\w+ attached\]")


def marks(attachments: Sequence[Attachment]) -> str:
    """Return what stands in a message's text for what came with it: ``[image attached]``.

    Fixed words and no names, so that nothing is said with them, and by which a message shows that
    there are surrogates to look up.
    """
    return " ".join(f"[{_called(one.kind)}{_MARK}" for one in attachments)


def is_marked(text: str) -> bool:
    """Whether a message's text says that something came with it."""
    return _MARK in text


def without_marks(text: str) -> str:
    """Return what was said without the marks, which stand on a line of their own at its end."""
    said, _, last = text.rpartition("\n")
    return said if is_marked(last) and not _MARKS_ALONE.sub("", last).strip() else text


def _called(kind: ArtifactKind) -> str:
    return "file" if kind is ArtifactKind.OTHER else kind.value
