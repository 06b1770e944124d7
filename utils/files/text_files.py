"""Read texts: decode them, and split them at headings, cells, entries, blank lines, or rows."""

import binascii
import codecs
import html
import json
import quopri
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

from utils.files.sniffing import EMPTY, UNKNOWN, looks_like_text, suffix_of
from utils.files.unreadable import UnreadableFile
from utils.models.attachment import AttachmentKind, FileContents

MAX_BYTES = 1_000_000  # several times the length of MAX_PARTS parts
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
CHUNK_LENGTH = 1_500  # characters
MAX_PARTS = 60
MAX_DIGITS = 9
UNKNOWN_LETTERS = "I do not know the encoding of its letters; texts in UTF-8 are read"
PRINTED = ("text/markdown", "text/plain", "text/latex")  # the first that an output has
UNREAD_OUTPUT = "[output that I cannot read]"
BEGINNING_ONLY = "only its beginning was read"
_WINDOWS = {0xDC00 + n: bytes([n]).decode("cp1252", errors="replace") for n in range(128, 256)}
_HEADING = re.compile(r"(?:\A|\n)(?=#{1,6}[^\S\n]+\S)")
_TITLE = re.compile(r"(?!<[?!]).*\w")  # not "{" or "---", and no declaration of XML
_FOLD = re.compile(r"\n[ \t]")  # a long line goes on (RFC 5545, section 3.1)
_QUOTED = re.compile(
    r";(?:ENCODING=)?QUOTED-PRINTABLE([^:\n]{0,99}:)((?:[^\n]*=\n)*+[^\n]*)", re.IGNORECASE
)
_ESCAPED = re.compile(r"\\([nN,;\\])")  # of a calendar (RFC 5545, section 3.3.11)
_NO_YEAR = re.compile(r"(?<=\nBDAY);[^:\n]{0,99}OMIT-YEAR=([0-9]{4})[^:\n]{0,99}:\1-?")
_LDIF_VALUE = re.compile(  # in base64, as all that is not ASCII (RFC 2849)
    r"^([\w;.-]+):: ?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2,3}=*)?)$", re.MULTILINE
)
_NEXT_ENTRY = re.compile(r"\n(?=BEGIN:V)")
_BASE64 = re.compile(r"(?<=[:,])[A-Za-z0-9+/]{200,}=*$", re.MULTILINE)
_ENCODED = re.compile(r"(?<=[\">\n])[A-Za-z0-9+/]{60}[A-Za-z0-9+/\s]{140,}=*")  # files within XML
_REFERENCES = re.compile(r"(?:&(?:#\d{1,7}|#x[\da-fA-F]{1,6}|\w{2,31});)+")
_HALF = re.compile(r"&#(5[5-7]\d{3});")  # of a character, or one of the same length
_PICTURE = re.compile(r"(?<=;base64,)[A-Za-z0-9+/]{200,}=*")
# Of IRC, where the number of a colour would be one of the text, and of terminals (ECMA-48)
_COLOURS = re.compile(
    r"\x03(?:\d\d?(?:,\d\d?)?)?|\x04(?:[\da-fA-F]{6}(?:,[\da-fA-F]{6})?)?"
    r"|[\x02\x0f\x11\x16\x1d-\x1f]|\x1b(?:\[[0-?]*[ -/]*[@-~]|\([0B])"
)
# After any escaped backslashes; none of control characters
_ESCAPES = re.compile(r"(?<!\\)((?:\\\\)*)((?:\\u(?!00[01])[0-9a-fA-F]{4})+)")
_QUOTE = re.compile(r"(?:> ?){0,9}")
_ESCAPED_LINE = re.compile(r"(?<!\\)(?:\\r)?\\n(?:\\t)*")  # of JSON, with what indents the next
_BLANK = re.compile(r"\n[ \t]*\n+")
_EXCEL_HINT = re.compile(r"\Asep=.\n", re.IGNORECASE)  # which sign separates columns
_ROW = re.compile(r'(?:(?<![^,;\t\n])"[^"]*(?:""[^"]*)*"|[^,;\t\n]+|[,;\t])+')
"""A row of a table; a cell in quotes may have line feeds (RFC 4180)."""


def read_text(data: bytes, name: str) -> FileContents:
    """Return the content of a text file. Raises UnreadableFile if it has no text."""
    split = SPLIT.get(suffix_of(name), paragraphs)
    # Pictures may be most of it.
    may_embed = split in (cells, entries, elements) or b";base64," in data
    max_bytes = len(data) if may_embed else MAX_BYTES
    text = _COLOURS.sub("", _PICTURE.sub("[file]", decoded(data[:max_bytes])))
    parts, note = limited(split(with_line_feeds(text)), if_none=EMPTY)
    if len(data) > max_bytes and not note:
        note = BEGINNING_ONLY
    title = next(filter(_TITLE.match, parts[0].split("\n")), "").strip().lstrip("# ")
    return FileContents(AttachmentKind.DOCUMENT, title[:200], parts, note)


def decoded(data: bytes) -> str:
    """Return text decoded by its byte order mark, or as UTF-8, with Windows-1252 where it is none.

    A log of a chat has both. Raises UnreadableFile if it is not text, or of another script in
    another encoding.
    """
    for mark, encoding in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return data.decode(encoding, errors="replace")
    if not looks_like_text(data):
        raise UnreadableFile(UNKNOWN, is_refused=True)
    broken = len(data) - len(data.decode(errors="ignore").encode())
    if broken * 3 > len(data):  # 12 % of Czech in Windows-1250, 80 % of Russian in Windows-1251
        raise UnreadableFile(UNKNOWN_LETTERS, is_refused=True)
    return _characters(data)


def _characters(data: bytes) -> str:
    """Return bytes read as UTF-8, and as Windows-1252 where they are none."""
    return data.decode(errors="surrogateescape").translate(_WINDOWS)


def with_line_feeds(text: str) -> str:
    """Return a text whose lines end as on Unix."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def limited(pieces: Iterable[str], *, if_none: str = "") -> tuple[tuple[str, ...], str]:
    """Return the first MAX_PARTS pieces, and a note if there are more.

    Raises UnreadableFile if there are none and ``if_none``, the reason, is given.
    """
    parts = list(islice((piece for piece in pieces if piece.strip()), MAX_PARTS + 1))
    if if_none and not parts:
        raise UnreadableFile(if_none)
    return tuple(parts[:MAX_PARTS]), BEGINNING_ONLY if len(parts) > MAX_PARTS else ""


def paragraphs(text: str) -> Iterator[str]:
    """Split at blank lines."""
    return packed(_BLANK.split(text))


def markdown(text: str) -> Iterator[str]:
    """Split at headings; each part of a long section begins with its heading.

    Short sections are joined if they are too many to be a part each.
    """
    parts = [part for section in _HEADING.split(text) for part in _section(section)]
    return packed(parts) if len(parts) > MAX_PARTS else iter(parts)


def rows(text: str) -> Iterator[str]:
    """Split between rows; each part begins with the header."""
    table = [row for row in _ROW.findall(_EXCEL_HINT.sub("", text, count=1)) if row.strip()]
    return packed(table) if len(table) < 2 else _under(table[0], table[1:], separator="\n")


def entries(text: str) -> Iterator[str]:
    """Split a calendar or an address book between entries; lines are joined and photos named.

    Words are found in characters, so escapes and quoted-printable are read; a line feed in a text
    is followed by a space, so that no text begins a line. The year that Apple writes for a birthday
    without one (1604) is left out.
    """
    text = _FOLD.sub("", _QUOTED.sub(_unquoted, text))
    text = _NO_YEAR.sub(":--", _BASE64.sub("[file]", text))
    text = _ESCAPED.sub(lambda sign: "\n " if sign[1] in "nN" else sign[1], text)
    return packed(_NEXT_ENTRY.split(text), separator="\n")


def _unquoted(value: re.Match[str]) -> str:
    """Return a value in quoted-printable, as of vCard 2.1, as newer versions escape it."""
    text = _characters(quopri.decodestring(value[2].encode()))
    return value[1] + with_line_feeds(text.replace("\\", r"\\")).replace("\n", r"\n")


def _ldif_value(value: re.Match[str]) -> str:
    """Return a value of an address book that stands there in base64; photos are named."""
    data = binascii.a2b_base64(value[2] + "==")
    text = _characters(data) if looks_like_text(data) else "[file]"
    return f"{value[1]}: " + with_line_feeds(text).replace("\n", "\n ")


def _unescaped(text: str) -> str:
    """Return JSON with the characters that its escapes stand for (RFC 8259, section 7).

    Exports of Facebook and Instagram escape each byte of UTF-8 as if it were a character. All are
    read so or none, as "ß«" may be both; the last may be cut off.
    """
    runs = [
        bytes.fromhex(run[2].replace("\\u", "")).decode("utf-16-be", errors="replace")
        for run in _ESCAPES.finditer(text)
    ]
    with suppress(UnicodeError):
        runs[:-1] = [run.encode("latin-1").decode() for run in runs[:-1]]
        runs[-1:] = [run.encode("latin-1").decode() for run in runs[-1:]]
    characters = iter(runs)
    return _ESCAPES.sub(lambda run: run[1] + next(characters), text)


def elements(text: str) -> Iterator[str]:
    """Split XML, or subtitles, at blank lines; files in it are named.

    Words are found in characters, so references to characters are read; a line feed in a text is
    followed by a space, so that no text begins a line.
    """
    # Not much more than is read: 25 MB of references would take a gigabyte.
    return paragraphs(_REFERENCES.sub(_referred, _ENCODED.sub("[file]", text)[:MAX_BYTES]))


def _referred(run: re.Match[str]) -> str:
    """Return the characters of references; SMS Backup & Restore refers to halves of emoji."""
    text = _HALF.sub(lambda half: chr(int(half[1])), run[0])
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return with_line_feeds(html.unescape(text)).replace("\n", "\n ")


def cells(text: str) -> Iterator[str]:
    """Split a Jupyter notebook between cells: what stands in them, and what they print."""
    try:
        return packed([_cell_text(cell) for cell in json.loads(text)["cells"]])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return paragraphs(text)


def _cell_text(cell: Any) -> str:
    """Return a cell's text and what it prints, pictures by name; texts may be lists of lines."""
    texts = [cell["source"]]
    for output in cell.get("outputs", ()):
        data = output.get("data", {})
        kind = next(filter(data.__contains__, PRINTED), "")
        texts.append(output.get("text") or data.get(kind) or output.get("evalue", ""))
        has_picture = any(kind.startswith("image/") for kind in data)
        texts += ["[image]"] if has_picture else [UNREAD_OUTPUT] * bool(data and not kind)
    return "\n".join(filter(None, (_COLOURS.sub("", "".join(text)).strip("\n") for text in texts)))


def number_in(text: str, default: int) -> int:
    """Return the number that an attribute of a list holds; the default if it is none, or absurd."""
    return int(text) if text.isdecimal() and len(text) <= MAX_DIGITS else default


def raised(text: str, sign: str, before: str) -> str:
    """Return a number in small print after its sign, ^ or _.

    Or 10 to the sixth would be 106, and "room 12." with a first footnote room 12.1.
    """
    is_number = text.lstrip("+-\u2212")[:1].isdecimal()
    is_after = before[-1:].isdecimal() or (sign == "^" and bool(before[-1:].strip()))
    return f"{sign}{text}" if is_number and is_after else text


def packed(
    blocks: Iterable[str], *, separator: str = "\n\n", max_length: int = CHUNK_LENGTH
) -> Iterator[str]:
    """Yield blocks joined to parts of at most ``max_length`` characters; longer blocks are cut."""
    part = ""
    for block in blocks:
        for piece in _cut(block.strip("\n"), max_length):
            if part and len(part) + len(separator) + len(piece) > max_length:
                yield part
                part = ""
            part = f"{part}{separator}{piece}" if part else piece
    if part:
        yield part


def _section(text: str) -> Iterator[str]:
    heading, _, body = text.strip().partition("\n")
    if len(text) <= CHUNK_LENGTH or not _HEADING.match(heading):
        return packed(_BLANK.split(text.strip()))
    return _under(heading, _BLANK.split(body))


def _under(heading: str, blocks: Iterable[str], *, separator: str = "\n\n") -> Iterator[str]:
    """Return blocks joined to parts that each begin with the heading."""
    heading = heading[: CHUNK_LENGTH // 3]
    parts = packed(blocks, separator=separator, max_length=CHUNK_LENGTH - len(heading) - 1)
    return (f"{heading}\n{part}" for part in parts)


def _cut(block: str, max_length: int) -> Iterator[str]:
    """Yield pieces of at most ``max_length``, cut at line ends or spaces, or else inside a word.

    What goes on of a quoted line is marked as quoted, too.
    """
    while len(block) > max_length:
        middle = max_length // 2
        end = max(block.rfind("\n", middle, max_length), block.rfind(" ", middle, max_length))
        end = end if end > 0 else max_length
        yield block[:end]
        mark = next(_QUOTE.finditer(block, block.rfind("\n", 0, end) + 1))[0]
        block = mark * (block[end] != "\n") + block[end:].lstrip()
    if block:
        yield block


SPLIT: dict[str, Callable[[str], Iterator[str]]] = {
    "md": markdown,
    "markdown": markdown,
    "csv": rows,
    "tsv": rows,
    "ipynb": cells,
    "ldif": lambda text: paragraphs(_LDIF_VALUE.sub(_ldif_value, _FOLD.sub("", text))),
}
SPLIT |= dict.fromkeys(  # words are found in characters, not in their escapes
    ("json", "jsonl", "ndjson"),
    lambda text: paragraphs(_ESCAPED_LINE.sub("\n ", _unescaped(text))),
)
SPLIT |= dict.fromkeys(
    ["xml", "enex", "opml", "fb2", "vtt", "ttml", "dfxp", "smi", "sami"], elements
)
SPLIT |= dict.fromkeys(("ics", "ical", "ifb", "vcs", "vcf", "vcard"), entries)
"""What splits the text of a file by the ending of its name; :func:`paragraphs` any other."""
