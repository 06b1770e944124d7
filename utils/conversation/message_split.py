"""Cutting a long answer into messages that Discord accepts, without breaking what is in it.

A part is measured in UTF-16 units, which are never fewer than code points, so it is within the
limit whichever of the two is counted.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import itemgetter

from utils.common.text import grapheme_floor, units_floor, utf16_length

_FENCE = "```"
_CLOSING = "\n```"
_SPOILER = "||"
_MARK = "\0\0"  # stands for the bars of a spoiler while a text is cut
# Escaped characters and code, where bars are bars, and the bars of spoilers.
_LITERAL = re.compile(
    r"\\[^\w\s]|```.*?```|^```.*|(?<!`)(`+)(?!`).*?[^`]\1(?!`)|(?P<bars>\|\|)",
    re.DOTALL | re.MULTILINE,
)
_LANGUAGE = re.compile(r"([A-Za-z0-9_+#.-]{1,20})?\n")
# What must stay whole although it may hold spaces or be glued to its neighbours.
_WHOLE = re.compile(
    r"<(?:@[!&]?|#|a?:\w{1,40}:|t:|id:|/[^:<>\n]{1,100}:)[\w:-]{1,40}>"
    r"|\[[^\[\]\n]{1,300}\]\([^()\s]+\)|\\[^\w\s]|``[^\n]{1,300}?``|`[^`\n]{1,300}`|https?://\S+"
    r"|\*\*[^*\n]{1,300}\*\*|\|\||\0\0"
)
_PARAGRAPH = re.compile(r"\n[ \t]*(?=\n)")
_LINE = re.compile(r"(?=\n)")
_SENTENCE = re.compile(r"[.!?…]+[\"'”’»)\]*_]*(?=\s)|[。！？]+[」』）]*")
_WORD = re.compile(r"(?=\s)")


@dataclass(frozen=True, slots=True)
class _Block:
    """A code block: where it starts, where its text starts and ends, and where it ends."""

    start: int
    body: int
    body_end: int
    end: int
    language: str

    @property
    def opening(self) -> str:
        return f"{_FENCE}{self.language}\n"


def split_message(text: str, limit: int = 2000, *, is_unfinished: bool = False) -> list[str]:
    """Cut a text into messages of at most ``limit`` characters and UTF-16 units.

    Prefers the end of a paragraph, then of a line, a sentence, a word; a word longer than a
    message is cut between graphemes. Mentions, custom emoji, links, bold text and inline code stay
    whole. A code block that must be cut is closed and opened again in the same language; one that
    was never closed is closed at the end. So is a spoiler that is cut, or half of it would be seen;
    one that was never closed is closed only if the text is unfinished. No part is empty or blank,
    and only whitespace is lost.
    """
    text = text.strip()
    limit = max(limit, 2)
    has_spoilers = _SPOILER in text and 2 * len(_SPOILER) + 16 <= limit
    if has_spoilers:
        limit -= 2 * len(_SPOILER)
        text = text.replace(_MARK, "")
        for place in _spoiler_marks(text, is_unfinished=is_unfinished):
            text = f"{text[:place]}{_MARK}{text[place + len(_MARK) :]}"
    blocks = [b for b in _blocks(text) if len(b.opening) + len(_CLOSING) + 16 <= limit]
    parts: list[str] = []
    place = 0
    while place < len(text):
        part, place = _next_part(text, place, limit, blocks)
        if part.strip():
            parts.append(part)
    return list(_with_spoilers(parts)) if has_spoilers else parts


def with_closed_spoiler(text: str) -> str:
    """Return a text that was cut off, its last spoiler closed, or what is in it would be seen."""
    marks = _spoiler_marks(text, is_unfinished=True)
    if len(marks) % 2 == 0:
        return text
    is_empty = marks[-1] + len(_SPOILER) == len(text)
    return text[: marks[-1]] if is_empty else f"{text}{_SPOILER}"


def _spoiler_marks(text: str, *, is_unfinished: bool) -> list[int]:
    """Return where spoilers begin and end, in turn.

    Parsers of Discord's text disagree whether bars in code end a spoiler. Here they do only if
    nothing else does, so that too much is hidden rather than too little. The last one may have no
    end if the text is unfinished.
    """
    marks: list[int] = []
    for match in filter(itemgetter("bars"), _LITERAL.finditer(text)):
        if len(marks) % 2 == 0 or match.start() > marks[-1] + len(_SPOILER):  # else it is in it
            marks.append(match.start())
    if len(marks) % 2 and not is_unfinished:
        end = text.find(_SPOILER, marks[-1] + len(_SPOILER) + 1)
        return marks[:-1] if end < 0 else [*marks, end]
    return marks


def _with_spoilers(parts: Iterable[str]) -> Iterator[str]:
    """Yield the parts with spoilers closed at their ends and opened again."""
    is_hidden = False
    for part in parts:
        marked = f"{_MARK}{part}" if is_hidden else part
        is_hidden = marked.count(_MARK) % 2 == 1
        marked = f"{marked}{_MARK}" if is_hidden else marked
        # without spoilers that have nothing in them
        marked = marked.removeprefix(2 * _MARK).removesuffix(2 * _MARK).strip()
        if marked:
            yield marked.replace(_MARK, _SPOILER)


def _blocks(text: str) -> list[_Block]:
    """Find the code blocks; one that is never closed counts if it starts a line."""
    code_blocks = []
    start = text.find(_FENCE)
    while start >= 0:
        header = _LANGUAGE.match(text, start + 3)
        body = header.end() if header else start + 3
        closing = text.find(_FENCE, body)
        language = (header[1] or "") if header else ""
        if closing >= 0:
            code_blocks.append(_Block(start, body, closing, closing + 3, language))
        elif header and (start == 0 or text[start - 1] == "\n"):
            code_blocks.append(_Block(start, body, len(text), len(text), language))
        if closing < 0:
            break
        start = text.find(_FENCE, closing + 3)
    return code_blocks


def _next_part(text: str, place: int, limit: int, blocks: list[_Block]) -> tuple[str, int]:
    """Return the part that begins at ``place``, and where the next one begins."""
    inside = next((b for b in blocks if b.body <= place < b.body_end and b.start < place), None)
    if inside and not text[place : inside.body_end].strip():
        return "", inside.end
    opening = inside.opening if inside else ""
    end = _reach(text, place, limit - len(opening))
    block = next((b for b in blocks if b.start < end <= b.end), None)
    if block and (end < block.end or block.body_end == block.end):
        end = _reach(text, place, limit - len(opening) - len(_CLOSING))
        block = next((b for b in blocks if b.start < end <= b.end), None)
    if block and (end < block.end or block.body_end == block.end):
        return _cut_block(text, place, end, limit, block, opening)
    if end == len(text):
        return opening + text[place:].rstrip(), end
    floor = max((b.end for b in blocks if place < b.end <= end), default=place)
    cut = _cut_text(text, place, floor, end)
    after = cut
    while after < len(text) and text[after].isspace():
        after += 1
    return opening + text[place:cut].rstrip(), after


def _reach(text: str, place: int, units: int) -> int:
    return place + units_floor(text[place : place + units], units)


def _cut_block(
    text: str, place: int, end: int, limit: int, block: _Block, opening: str
) -> tuple[str, int]:
    """End a part inside a code block, or before the block when that keeps it whole."""
    body = max(place, block.body)
    if block.start > place:
        fits_whole = utf16_length(text[block.start : block.end]) <= limit
        if end <= block.body or (fits_whole and (block.start - place) * 3 >= end - place):
            before = text[place : block.start].rstrip()
            return before, block.start
    if end >= block.body_end:
        return opening + text[place : block.body_end].rstrip() + _CLOSING, block.end
    cut = text.rfind("\n", body + 1, end + 1)
    if cut < 0:
        spaces = [m.start() + 1 for m in re.finditer(r"\s", text[body : end - 1])]
        cut = body + spaces[-1] if spaces else grapheme_floor(text, end)
    if cut <= body:
        cut = max(end, body + 1)
    code = text[place:cut]
    after = cut + 1 if text[cut : cut + 1] == "\n" else cut
    return (opening + code + _CLOSING if code.strip() else ""), after


def _cut_text(text: str, place: int, floor: int, end: int) -> int:
    """Return where to cut the text of a part, which begins at ``place`` and reaches to ``end``.

    ``floor`` is the end of the last code block in it, else ``place``: nothing before is cut.
    """
    unbreakable = [
        whole.span() for whole in _WHOLE.finditer(text, floor, min(len(text), end + 2000))
    ]
    half = place + (end - place) // 2
    for pattern, minimum in (
        (_PARAGRAPH, half),
        (_LINE, half),
        (_SENTENCE, half),
        (_WORD, floor),
    ):
        ends = (match.end() for match in pattern.finditer(text, floor, end + 1))
        cuts = [
            cut
            for cut in ends
            if max(minimum, floor) < cut <= end
            and not any(first < cut < last for first, last in unbreakable)
        ]
        if cuts:
            return cuts[-1]
    if floor > place:
        return floor
    cut = grapheme_floor(text, end)
    cut = next((first for first, last in unbreakable if place < first < cut < last), cut)
    return cut if cut > place else max(end, place + 1)
