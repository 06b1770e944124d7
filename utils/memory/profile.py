"""Fact rows -> the profile paragraph (UserNotes), and when to believe a model's own. Pure."""

import re
from collections.abc import Iterable, Sequence

from utils.memory.safety import refusal_reason
from utils.memory.stems import stems
from utils.model.memory import PROFILE_LIMIT, Kind, Memory, Profile, Status
from utils.text import clean, join_sentences, one_line, utf16_length

COVERED_SHARE = 0.75
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s+")
_NUMBER = re.compile(r"\d")


def facts(rows: Iterable[Memory]) -> list[Memory]:
    """Return the rows a profile is made of: active facts, most important and newest first."""
    chosen = [row for row in rows if row.kind is Kind.FACT and row.status is Status.ACTIVE]
    return sorted(chosen, key=lambda row: (row.importance, row.created_at), reverse=True)


def render(rows: Iterable[Memory]) -> Profile:
    """Join fact rows into a paragraph of at most 600 UTF-16 units, whole rows only."""
    kept: list[Memory] = []
    text = ""
    for row in facts(rows):
        longer = join_sentences(one.text[:1].upper() + one.text[1:] for one in [*kept, row])
        if utf16_length(longer) <= PROFILE_LIMIT:
            kept.append(row)
            text = longer
    return Profile(text, tuple(row.id for row in kept))


def accept(text: str, rows: Sequence[Memory], name: str = "") -> Profile | None:
    """Return a model's paragraph as a profile, or None when it says more than the rows do.

    Every sentence must be covered: of its stems, names aside, three quarters occur in the live
    fact rows and all numbers do.
    """
    text = one_line(clean(text))
    live = facts(rows)
    if not text or not live or utf16_length(text) > PROFILE_LIMIT or refusal_reason(text):
        return None
    known = {stem for row in live for stem in stems(row.text)} | set(stems(name))
    if all(_is_covered(sentence, known) for sentence in _SENTENCE_END.split(text)):
        return Profile(text, tuple(row.id for row in live))
    return None


def readable(profile: Profile, rows: Sequence[Memory]) -> Profile:
    """Return the paragraph for readers of ``rows``, the member's live rows that they may read.

    As soon as one row it was made from is not among them, it is rendered anew from those that are.
    """
    if profile.text and {row.id for row in facts(rows)}.issuperset(profile.row_ids):
        return profile
    return render(rows)


def _is_covered(sentence: str, known: set[str]) -> bool:
    said = stems(sentence)
    unknown = [stem for stem in said if stem not in known]
    if any(_NUMBER.search(stem) for stem in unknown):
        return False
    return len(unknown) <= (1 - COVERED_SHARE) * len(said)
