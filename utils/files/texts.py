"""Texts of every kind: decoded, and cut along their structure."""

import codecs

from utils.files.chunks import parts_of
from utils.files.sniffing import EMPTY, UNKNOWN, looks_like_text, text_format
from utils.files.unreadable import UnreadableFile
from utils.model.artifact import ArtifactKind, Contents

MOST_BYTES = 1_000_000  # several times what MOST_PARTS can hold
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def read_text(data: bytes, name: str) -> Contents:
    """Read a text. Raises UnreadableFile where there is none."""
    text = decoded(data[:MOST_BYTES])
    if not text.strip():
        raise UnreadableFile(EMPTY)
    parts, note = parts_of(text, text_format(name))
    if len(data) > MOST_BYTES and not note:
        note = f"cut after {MOST_BYTES // 1_000_000} MB"
    first = next(line.strip() for line in text.split("\n") if line.strip())
    return Contents(ArtifactKind.DOCUMENT, first.lstrip("# ")[:200], parts, note)


def decoded(data: bytes) -> str:
    """Decode as UTF-8, by its byte order mark, or as Windows' Latin-1.

    Raises UnreadableFile for what is no text.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, errors="replace")
    if not looks_like_text(data):
        raise UnreadableFile(UNKNOWN, is_refused=True)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start >= len(data) - 4:  # cut in the middle of a character
            return data.decode("utf-8", errors="ignore")
        return data.decode("cp1252", errors="replace")
