"""What a message asks of memory: words, sentences, days, and whether it asks or tells. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, tzinfo

from utils.memory.dates import DateRange, mentioned_dates
from utils.memory.stems import query_stems, stems
from utils.model.artifact import without_marks

MOST_QUERY_WORDS = 60
MOST_SENTENCES = 20
_SENTENCES = re.compile(r"(?<=[.!?…。！？؟])\s+|(?<=[。！？])|\n+")
_IS_QUESTION = re.compile(r"[?？؟][\s\"'”»)]*$")
# How a question for a time begins, in the languages whose dates are understood.
_ASKS_WHEN = re.compile(
    r"\b(when|how long|how many (years|months|weeks|days)|(what|which) (date|day|time|year|month)"
    r"|wann|wie lange|seit wann|quand|depuis quand|cuándo|cuando|cuánto tiempo|quando|há quanto"
    r"|когда|сколько времени)\b|いつ|何時|何日|什么时候|什麼時候|哪天|哪年|متى",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Query:
    """What a message asks for.

    ``words`` are its content words, each with the stems it may be stored under; ``sentences``
    their indexes by sentence. ``telling`` is the share of its sentences that are no questions.
    """

    words: tuple[tuple[str, ...], ...]
    channel_topics: frozenset[str] = frozenset()
    sentences: tuple[tuple[int, ...], ...] = ()
    days: tuple[DateRange, ...] = ()
    asks_when: bool = False
    telling: float = 0.0

    @classmethod
    def of(
        cls,
        text: str,
        names: Iterable[str] = (),
        channel_topics: Iterable[str] = (),
        now: datetime | None = None,
        zone: tzinfo | None = None,
    ) -> "Query":
        """Read a message; the names of the people concerned are cut, since all rows are theirs.

        Days are read only where ``now`` and ``zone`` are given.
        """
        text = without_marks(text)
        cut = {stem for name in names for stem in stems(name)}
        words = [
            tuple(alternatives)
            for alternatives in query_stems(text, limit=2 * MOST_QUERY_WORDS)
            if not cut.intersection(alternatives)
        ]
        known = tuple(dict.fromkeys(words))[:MOST_QUERY_WORDS]
        sentences = [one for one in _SENTENCES.split(text) if one and not one.isspace()]
        asking = sum(1 for one in sentences if _IS_QUESTION.search(one))
        return cls(
            words=known,
            channel_topics=frozenset(stem for topic in channel_topics for stem in stems(topic)),
            sentences=_by_sentence(known, sentences[:MOST_SENTENCES]),
            days=mentioned_dates(text, now, zone) if now is not None and zone is not None else (),
            asks_when=bool(asking and _ASKS_WHEN.search(text)),
            telling=1.0 - asking / len(sentences) if sentences else 0.0,
        )


def sentences_of(text: str) -> list[str]:
    """Return a text's sentences and lines, none of them blank."""
    return [one.strip() for one in _SENTENCES.split(text) if one and not one.isspace()]


def _by_sentence(
    words: tuple[tuple[str, ...], ...], sentences: list[str]
) -> tuple[tuple[int, ...], ...]:
    """Return for each sentence which of the words stand in it."""
    if len(sentences) == 1:
        return (tuple(range(len(words))),)
    by_stem: dict[str, list[int]] = {}
    for number, alternatives in enumerate(words):
        for stem in alternatives:
            by_stem.setdefault(stem, []).append(number)
    found = [
        sorted({number for stem in stems(one) for number in by_stem.get(stem, ())})
        for one in sentences
    ]
    return tuple(tuple(numbers) for numbers in found if numbers)
