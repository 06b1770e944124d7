"""Parse a message into a query: words with related ones, sentences, days, question or not. Pure."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from functools import cache

from utils.memory.verification.sentences import split
from utils.models.attachment import without_placeholders
from utils.nlp.dates.parser import mentioned_dates
from utils.nlp.dates.ranges import DateRange
from utils.nlp.languages import languages
from utils.nlp.questions import ends_as_question
from utils.nlp.stemming import LANGUAGES, language_of, query_stems, stems

MAX_QUERY_WORDS = 60
MAX_SENTENCES = 20
NO_STEMS: frozenset[str] = frozenset()
_WORD = re.compile(r"\w+")
# How questions for a time begin, in the languages whose dates Kith understands.
_ASKS_WHEN = re.compile(
    r"\b(when|how long|how many (years|months|weeks|days)|(what|which) (date|day|time|year|month)"
    r"|wann|wie lange|seit wann|quand|depuis quand|cuándo|cuando|cuánto tiempo|quando|há quanto"
    r"|когда|сколько времени)\b|いつ|何時|何日|什么时候|什麼時候|哪天|哪年|متى",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Query:
    """The query that a message makes.

    ``words`` are its content words, each with the stems it may be stored under. ``members`` has,
    for each word of a question that names a category ("dessert"), the stems of what belongs to it
    ("cake"). ``sentences`` has the indexes of each sentence's words. ``telling`` is the share of
    sentences that are not questions.
    """

    words: tuple[tuple[str, ...], ...]
    channel_topics: frozenset[str] = frozenset()
    sentences: tuple[tuple[int, ...], ...] = ()
    days: tuple[DateRange, ...] = ()
    asks_when: bool = False
    telling: float = 0.0
    members: Mapping[tuple[str, ...], frozenset[str]] = field(default_factory=dict)

    @property
    def stems(self) -> frozenset[str]:
        """The stems of all its words, and of what belongs to a category that it names."""
        return NO_STEMS.union(*self.words, *self.members.values())

    @classmethod
    def of(
        cls,
        text: str,
        names: Iterable[str] = (),
        channel_topics: Iterable[str] = (),
        now: datetime | None = None,
        zone: tzinfo | None = None,
    ) -> "Query":
        """Return the query of a message.

        Args:
            names: of the people concerned; they are removed, since all memories are about them.
            now: with ``zone``, the time that "yesterday" refers to; without it no days are read.
        """
        text = without_placeholders(text)
        name_stems = {stem for name in names for stem in stems(name)}
        language = language_of(text)
        words = [
            alternatives
            for alternatives in query_stems(
                text, language=language, of_names=LANGUAGES, limit=2 * MAX_QUERY_WORDS
            )
            if not name_stems.intersection(alternatives)
        ]
        by_stems: dict[frozenset[str], tuple[str, ...]] = {}
        for alternatives in words:
            related = related_stems(alternatives, language)
            every_stem = dict.fromkeys((*alternatives, *sorted(related)))
            by_stems.setdefault(related.union(alternatives), tuple(every_stem))
        unique_words = tuple(by_stems.values())[:MAX_QUERY_WORDS]
        sentences = split(text)
        asking = sum(1 for sentence in sentences if ends_as_question(sentence))
        return cls(
            words=unique_words,
            members={
                word: members.difference(word)
                for word in (unique_words if asking else ())
                if (members := _categories().get(word[0]))
            },
            channel_topics=frozenset(stem for topic in channel_topics for stem in stems(topic)),
            sentences=_by_sentence(unique_words, sentences[:MAX_SENTENCES]),
            days=mentioned_dates(text, now, zone) if now is not None and zone is not None else (),
            asks_when=bool(asking and _ASKS_WHEN.search(text)),
            telling=1.0 - asking / len(sentences) if sentences else 0.0,
        )


def without_names(text: str, names: Iterable[str]) -> str:
    """Return a message without these people's names; a message of names alone stays as it is.

    A vector of a question with a name is close to whatever has that name.
    """
    words = sorted({word for name in names for word in _WORD.findall(name)})
    if not words:
        return text
    pattern = rf"(?<!\w)(?:{'|'.join(words)})(?:['’]s)?(?!\w)"
    rest = " ".join(re.sub(pattern, " ", text, flags=re.IGNORECASE).split())
    return rest if _WORD.search(rest) else text


def _by_sentence(
    words: tuple[tuple[str, ...], ...], sentences: list[str]
) -> tuple[tuple[int, ...], ...]:
    """Return the indexes of the words in each sentence."""
    if len(sentences) == 1:
        return (tuple(range(len(words))),)
    by_stem: dict[str, list[int]] = {}
    for number, alternatives in enumerate(words):
        for stem in alternatives:
            by_stem.setdefault(stem, []).append(number)
    numbers_by_sentence = [
        sorted({number for stem in stems(sentence) for number in by_stem.get(stem, ())})
        for sentence in sentences
    ]
    return tuple(tuple(numbers) for numbers in numbers_by_sentence if numbers)


@cache
def _categories() -> Mapping[str, frozenset[str]]:
    """Return the stem of each word that names a category, with the stems of its members.

    The languages are not kept apart: the language of a short question is a guess.
    """
    by_stem: dict[str, frozenset[str]] = {}
    for code, language in languages().items():
        for names, members in language.search.categories.items():
            member_stems = frozenset(stems(members, language=code))
            for stem in stems(names, language=code):
                by_stem[stem] = by_stem.get(stem, NO_STEMS) | member_stems
    return by_stem


@cache
def _rows_of(language: str) -> Mapping[str, frozenset[str]]:
    """Return each stem of a language's rows with the stems of all its rows."""
    by_stem: dict[str, frozenset[str]] = {}
    if language not in languages():
        return by_stem
    words = languages()[language].search
    for row in (*words.irregular, *words.synonyms):
        row_stems = frozenset(stem for word in row for stem in stems(word, language=language))
        for stem in row_stems:
            by_stem[stem] = by_stem.get(stem, NO_STEMS) | row_stems
    return by_stem


def load_words() -> None:
    """Build the tables of words now: the first question would wait some 30 ms for them."""
    _categories()
    for language in languages():
        _rows_of(language)


def related_stems(word_stems: Iterable[str], language: str) -> frozenset[str]:
    """Return the stems of the words that stand in a row with one of these stems."""
    rows = _rows_of(language)
    return NO_STEMS.union(*(rows.get(stem, NO_STEMS) for stem in word_stems))
