"""Read text files: decode them, and split them along their structure."""

import codecs

from utils.files.chunks import BEGINNING_ONLY, parts_of
from utils.files.sniffing import EMPTY, UNKNOWN, looks_like_text, text_format
from utils.files.unreadable import UnreadableFile
from utils.models.attachment import AttachmentKind, FileContents

MAX_BYTES = 1_000_000  # several times the length of MAX_PARTS parts
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def read_text(data: bytes, name: str) -> FileContents:
    """Return the content of a text file. Raises UnreadableFile if it has no text."""
    text = decoded(data[:MAX_BYTES])
    if not text.strip():
        raise UnreadableFile(EMPTY)
    parts, note = parts_of(text, text_format(name))
    if len(data) > MAX_BYTES and not note:
        note = BEGINNING_ONLY
    first_line = next(line.strip() for line in text.split("\n") if line.strip())
    return FileContents(AttachmentKind.DOCUMENT, first_line.lstrip("# ")[:200], parts, note)


def decoded(data: bytes) -> str:
    """Return text decoded by its byte order mark, as UTF-8, or as Windows-1252.

    Raises UnreadableFile if it is not text.
    """
    for mark, encoding in _BYTE_ORDER_MARKS:
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
