"""Cutting a text along its structure: headings, paragraphs, rows, entries, definitions. Pure."""

import csv
import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice

from utils.files.sniffing import TextFormat

CHUNK = 1_500  # characters
MOST_PARTS = 60
LONGEST_ROW = 131_072

_HEADING = re.compile(r"^#{1,6}\s+\S")
_BLANK = re.compile(r"\n[ \t]*\n+")
_DEFINITION = re.compile(
    r"^(?:async\s+def|def|class|@|func|fn|pub\b|function|export|interface|struct|impl|enum|type|"
    r"public|private|protected|static|module|package|CREATE|ALTER|SELECT|INSERT)\b|^@",
)


def parts_of(text: str, how: TextFormat) -> tuple[tuple[str, ...], str]:
    """Return a text's parts, each at most CHUNK characters, and what was left out, if anything."""
    pieces = {
        TextFormat.PLAIN: paragraphs,
        TextFormat.MARKDOWN: markdown,
        TextFormat.CSV: rows,
        TextFormat.JSON: entries,
        TextFormat.CODE: definitions,
    }[how](text.replace("\r\n", "\n").replace("\r", "\n"))
    return limited(pieces)


def limited(pieces: Iterable[str]) -> tuple[tuple[str, ...], str]:
    """Take the first MOST_PARTS pieces; the second value says if there were more."""
    found = list(islice((one for one in pieces if one.strip()), MOST_PARTS + 1))
    if len(found) <= MOST_PARTS:
        return tuple(found), ""
    return tuple(found[:MOST_PARTS]), f"cut after part {MOST_PARTS}"


def paragraphs(text: str) -> Iterator[str]:
    """Cut at blank lines."""
    return packed(_BLANK.split(text))


def markdown(text: str) -> Iterator[str]:
    """Cut at headings first; each part of a long section begins with its heading."""
    section: list[str] = []
    for line in text.split("\n"):
        if _HEADING.match(line) and section:
            yield from _section("\n".join(section))
            section = []
        section.append(line)
    yield from _section("\n".join(section))


def rows(text: str) -> Iterator[str]:
    """Cut between rows; each part begins with the header."""
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) < 2 or _columns(lines[0]) < 2:
        yield from paragraphs(text)
        return
    header = lines[0][: CHUNK // 3]
    for part in packed(lines[1:], between="\n", room=CHUNK - len(header) - 1):
        yield f"{header}\n{part}"


def entries(text: str) -> Iterator[str]:
    """Cut between the entries of the outermost list or object; what is no JSON, at blank lines."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        lines = text.split("\n")
        is_lines = len(lines) > 1 and lines[0].lstrip().startswith("{")
        yield from packed(lines, between="\n") if is_lines else paragraphs(text)
        return
    if isinstance(value, list):
        yield from packed(map(_written, value), between="\n")
    elif isinstance(value, dict):
        yield from packed((f"{k}: {_written(v)}" for k, v in value.items()), between="\n")
    else:
        yield from paragraphs(text)


def definitions(text: str) -> Iterator[str]:
    """Cut before definitions at the beginning of a line, and at blank lines."""
    blocks: list[str] = []
    for line in text.split("\n"):
        if not blocks or (_DEFINITION.match(line) and blocks[-1].strip()) or not line.strip():
            blocks.append(line)
        else:
            blocks[-1] = f"{blocks[-1]}\n{line}"
    return packed((block.strip("\n") for block in blocks), between="\n")


def packed(blocks: Iterable[str], *, between: str = "\n\n", room: int = CHUNK) -> Iterator[str]:
    """Join blocks to parts of at most ``room`` characters; a longer block is cut."""
    part = ""
    for block in blocks:
        for piece in _cut(block.strip("\n"), room):
            if part and len(part) + len(between) + len(piece) > room:
                yield part
                part = ""
            part = f"{part}{between}{piece}" if part else piece
    if part:
        yield part


def _section(text: str) -> Iterator[str]:
    heading, _, body = text.strip().partition("\n")
    if len(text) <= CHUNK or not _HEADING.match(heading):
        yield from packed(_BLANK.split(text.strip()))
        return
    heading = heading[: CHUNK // 3]
    for part in packed(_BLANK.split(body), room=CHUNK - len(heading) - 1):
        yield f"{heading}\n{part}"


def _cut(block: str, room: int) -> Iterator[str]:
    """Cut a block at the last line's end, or blank, before ``room``; in a word where it must be."""
    while len(block) > room:
        at = max(block.rfind("\n", room // 2, room), block.rfind(" ", room // 2, room))
        at = at if at > 0 else room
        yield block[:at]
        block = block[at:].lstrip()
    if block:
        yield block


def _columns(line: str) -> int:
    delimiter = max(",;\t|", key=line.count)
    try:
        return len(next(csv.reader([line[:LONGEST_ROW]], delimiter=delimiter), []))
    except csv.Error:
        return 0


def _written(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
