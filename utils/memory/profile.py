"""Fact rows -> the profile paragraph (UserNotes), and when to believe a model's own. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from utils.memory.safety import refusal_reason
from utils.memory.support import negates, unsupported_words
from utils.model.memory import (
    MOST_EDITIONS,
    PROFILE_LIMIT,
    Edition,
    Kind,
    Memory,
    Profile,
    Status,
)
from utils.text import clean, join_sentences, one_line, utf16_length

SHORTEST_SENTENCE = 5
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s+")


def facts(rows: Iterable[Memory]) -> list[Memory]:
    """Return the rows a profile is made of: active facts, most important and newest first."""
    chosen = [row for row in rows if row.kind is Kind.FACT and row.status is Status.ACTIVE]
    return sorted(chosen, key=lambda row: (row.importance, row.created_at), reverse=True)


def render(rows: Iterable[Memory]) -> Profile:
    """Join fact rows into a paragraph of at most 600 UTF-16 units, whole rows only."""
    return _paragraph((row, _sentence(row)) for row in facts(rows))


def remaining(profile: Profile, rows: Iterable[Memory]) -> Profile:
    """Return the paragraph of those rows that the profile was made from and that are left."""
    named = set(profile.row_ids)
    left = [row for row in rows if row.id in named]
    return profile if len(left) == len(named) else render(left)


def accept(text: str, rows: Sequence[Memory], name: str = "") -> Profile | None:
    """Return a model's paragraph as a profile, or None when it says more than the rows do.

    Every sentence must be covered: all its words are the live fact rows', the member's name, or
    plain words that notes are made of, and it negates nothing that no row negates.
    """
    text = one_line(clean(text))
    live = facts(rows)
    if not text or not live or utf16_length(text) > PROFILE_LIMIT or refusal_reason(text):
        return None
    told = [row.text for row in live]
    if unsupported_words(text, told, [name], dates=False):
        return None
    if any(map(negates, _SENTENCE_END.split(text))) and not any(map(negates, told)):
        return None
    return Profile(text, tuple(row.id for row in live))


def readable(profile: Profile, rows: Sequence[Memory]) -> Profile:
    """Return the paragraph for readers of ``rows``, the member's live rows that they may read.

    As soon as one row it was made from is not among them, it is rendered anew from those that are.
    """
    if profile.text and {row.id for row in facts(rows)}.issuperset(profile.row_ids):
        return profile
    return render(rows)


def editions(current: Sequence[Memory], past: Sequence[tuple[Memory, int]]) -> list[Edition]:
    """Return the paragraphs that a member's rows made in their time, newest first, at most 20.

    ``past`` are superseded rows, each with the id of the row that took its place when that was
    written. What was forgotten, or has ended since, is in none of them.
    """
    began = {row.id: row.created_at for row in (*current, *(row for row, _ in past))}
    ends = {row.id: began[by] for row, by in past if by in began}
    former = (replace(row, status=Status.ACTIVE) for row, _ in past if row.id in ends)
    held = [(row, _sentence(row), ends.get(row.id)) for row in facts((*current, *former))]
    turns = {row.created_at for row, _, _ in held} | {end for _, _, end in held if end is not None}
    found: list[Edition] = []
    for at in sorted(turns, reverse=True):
        text = _paragraph(
            (row, sentence)
            for row, sentence, end in held
            if row.created_at <= at and (end is None or at < end)
        ).text
        if found and found[-1].text == text:
            found.pop()  # it was that earlier already
        elif len(found) == MOST_EDITIONS:
            break
        found.append(Edition(at, text))
    return found


def _sentence(row: Memory) -> str:
    return join_sentences([row.text[:1].upper() + row.text[1:]])


def _paragraph(told: Iterable[tuple[Memory, str]]) -> Profile:
    """Join as many rows' sentences as there is room for, each whole."""
    kept: list[Memory] = []
    sentences: list[str] = []
    room = PROFILE_LIMIT
    for row, sentence in told:
        cost = utf16_length(sentence) + (1 if kept else 0)
        if cost <= room:
            room -= cost
            kept.append(row)
            sentences.append(sentence)
        if room < SHORTEST_SENTENCE:
            break
    return Profile(join_sentences(sentences), tuple(row.id for row in kept))
