"""Attachments: what Discord says of them, the text that stands for them, and their states."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

NAME_LIMIT = 200
CAPTION_LIMIT = 1000
CHUNK_LIMIT = 2000


class AttachmentKind(StrEnum):
    """The type of an attachment. Of links and videos only the title and name are known.

    TOOL: the result of an MCP server's tool, stored with the message that asked for it.
    """

    IMAGE = "image"
    DOCUMENT = "document"
    AUDIO = "audio"
    VIDEO = "video"
    LINK = "link"
    OTHER = "other"
    TOOL = "tool"


PAGES = (AttachmentKind.LINK, AttachmentKind.TOOL)
"""What holds words of neither the member nor a file of theirs."""


class AttachmentState(StrEnum):
    """How far reading is. REFUSED: never to be read; FAILED: reading it failed."""

    PENDING = "pending"
    CLAIMED = "claimed"
    DONE = "done"
    FAILED = "failed"
    REFUSED = "refused"


UNFINISHED = (AttachmentState.PENDING, AttachmentState.CLAIMED)


@dataclass(frozen=True, slots=True)
class Attachment:
    """An attachment of a message as Discord describes it; do not trust its name.

    ``url`` is empty if it is never fetched. The ``name`` of a link is its title.
    """

    kind: AttachmentKind
    name: str
    media_type: str = ""
    size: int = 0
    url: str = ""


@dataclass(frozen=True, slots=True)
class FileContents:
    """The contents of a file, read without a model.

    ``parts`` are its text, split along its structure; ``note`` says what was left out. ``picture``
    is a copy of an image for a model: small, and without metadata.
    """

    kind: AttachmentKind
    title: str = ""
    parts: tuple[str, ...] = ()
    note: str = ""
    picture: bytes = b""
    picture_type: str = ""


@dataclass(frozen=True, slots=True)
class FileDescription:
    """The text that is stored for a file: its kind, a caption, and its words in parts.

    It never names the file, because another member may post the same file under another name.
    ``is_fallback``: made without a model that would have said more. A fallback is not reused when
    the same file is posted again.
    """

    kind: AttachmentKind
    caption: str
    parts: tuple[str, ...] = ()
    is_fallback: bool = False


@dataclass(frozen=True, slots=True)
class PendingAttachment:
    """An attachment that is to be read; ``attempts`` counts the earlier ones."""

    id: int
    attachment: Attachment
    position: int
    attempts: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class AttachmentText:
    """The text that stands for an attachment in prompts; ``id`` is 0 if it is not stored."""

    kind: AttachmentKind
    name: str
    state: AttachmentState
    caption: str
    parts: tuple[str, ...] = ()
    id: int = 0
    created_at: datetime | None = None

    @property
    def is_unfinished(self) -> bool:
        """Whether it is still to be read."""
        return self.state in UNFINISHED

    @property
    def is_page(self) -> bool:
        """Whether it is a web page that was read; other links are known by their titles."""
        return self.kind is AttachmentKind.LINK and bool(self.parts)

    @property
    def line(self) -> str:
        """It in one line: ``[image #A123] shot.png: a screenshot of an ImportError``."""
        caption = "not read yet" if self.is_unfinished else self.caption
        return f"{label(self.kind, self.id)} {self.name}: {caption}"


def label(kind: AttachmentKind, artifact_id: int) -> str:
    """Return an attachment's label in prompts: ``[image #A123]``."""
    return f"[{_noun(kind)} #A{artifact_id}]" if artifact_id else f"[{_noun(kind)}]"


_PLACEHOLDER_END = " attached]"
_PLACEHOLDER = re.compile(r"\[\w+ attached\]")


def placeholders(attachments: Sequence[Attachment]) -> str:
    """Return the placeholders that end a message's stored text: ``[image attached]``.

    They are fixed words, so that a file name cannot put words into the text. A message that has
    one has attachment texts to look up.
    """
    return " ".join(f"[{_noun(attachment.kind)}{_PLACEHOLDER_END}" for attachment in attachments)


def tool_placeholder(text: str) -> str:
    """Return a message's stored text with the placeholder of a tool's result at its end."""
    placeholder = f"[{AttachmentKind.TOOL}{_PLACEHOLDER_END}"
    separator = " " if text != without_placeholders(text) else "\n"
    return text if text.endswith(placeholder) else f"{text}{separator}{placeholder}"


def has_placeholder(text: str) -> bool:
    """Whether a message's text contains the placeholder of an attachment."""
    return _PLACEHOLDER_END in text


def without_placeholders(text: str) -> str:
    """Return a text without its placeholders, which are a line of their own at its end."""
    words, _, last_line = text.rpartition("\n")
    is_placeholder_line = has_placeholder(last_line) and not _PLACEHOLDER.sub("", last_line).strip()
    return words if is_placeholder_line else text


def _noun(kind: AttachmentKind) -> str:
    return "file" if kind is AttachmentKind.OTHER else kind.value
