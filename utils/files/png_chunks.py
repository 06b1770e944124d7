"""The chunks of a PNG: its texts, and the picture without them. Pure; nothing is decoded."""

import struct
import zlib
from collections.abc import Iterator

PNG = b"\x89PNG\r\n\x1a\n"
TEXT_CHUNKS = (b"tEXt", b"zTXt", b"iTXt")


class TextTooLong(Exception):
    """A text has more bytes than are read."""


def text_of(kind: bytes, content: bytes, max_bytes: int) -> bytes:
    """Return the text of a text chunk (PNG specification, section 11.3.3).

    Raises TextTooLong for one of more than ``max_bytes``, ValueError for a damaged one.
    """
    text = content.partition(b"\0")[2]
    is_compressed = kind == b"zTXt"
    if is_compressed:
        text = text[1:]  # the method, of which there is one
    elif kind == b"iTXt":
        is_compressed = text[:1] == b"\1"
        _language, _, text = text[2:].partition(b"\0")
        _translated_keyword, _, text = text.partition(b"\0")
    if is_compressed:
        try:
            text = zlib.decompressobj().decompress(text, max_bytes + 1)
        except zlib.error:
            raise ValueError from None
    if len(text) > max_bytes:
        raise TextTooLong
    return text


def without_texts(png: bytes) -> bytes:
    """Return a PNG without its texts; a chunk that is cut off is left out too."""
    return b"".join([PNG, *(whole for kind, _, whole in chunks(png) if kind not in TEXT_CHUNKS)])


def chunks(png: bytes) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Yield the type, the content and all bytes of each whole chunk.

    Layout (PNG specification, section 5.3): length, type, content, and a checksum of four bytes.
    """
    start = len(PNG)
    while start + 12 <= len(png):
        length, kind = struct.unpack_from(">I4s", png, start)
        end = start + 12 + length
        if end > len(png):
            return
        yield kind, png[start + 8 : end - 4], png[start:end]
        start = end
