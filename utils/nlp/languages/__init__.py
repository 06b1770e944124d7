"""Word tables, one TOML file per language, read once. en.toml documents every key.

To add a language, add its file. shared.toml holds what belongs to no single language.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, TypeVar

from pydantic import BeforeValidator, ConfigDict, Field, StrictInt, TypeAdapter, ValidationError

from utils.common.errors import LanguageFileError


def _split_words(text: object) -> object:
    return text.split() if isinstance(text, str) else text


def _split_phrases(text: object) -> object:
    if not isinstance(text, str):
        return text
    return [" ".join(phrase.split()) for phrase in text.split(",") if phrase.strip()]


Words: TypeAlias = Annotated[frozenset[str], BeforeValidator(_split_words)]
NO_WORDS: frozenset[str] = frozenset()
Phrases: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(_split_phrases)]
WordRows: TypeAlias = tuple[Words, ...]
Weekdays: TypeAlias = Annotated[WordRows, Field(min_length=7, max_length=7)]
Table: TypeAlias = Mapping[str, str]
PhraseTable: TypeAlias = Mapping[str, Phrases]
Numbers: TypeAlias = Annotated[tuple[int, int], BeforeValidator(_split_words)]
Amount: TypeAlias = Annotated[
    tuple[int, Literal["second", "minute", "hour", "day", "week", "month", "year"]],
    BeforeValidator(_split_words),
]
Units: TypeAlias = Mapping[Literal["day", "week", "month", "year"], Words]
Holidays: TypeAlias = Mapping[
    Literal["christmas", "new_year", "halloween", "valentine", "easter"], Phrases
]

_FOLDER = Path(__file__).parent
_SHARED = "shared"
_Kind = TypeVar("_Kind")


class _Section:
    """A table of a file, which may have no other keys."""

    __pydantic_config__ = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneralWords(_Section):
    """Stop words, what tells languages and names apart, who speaks to whom, and negations."""

    stop_words: Words = NO_WORDS
    markers: Words = NO_WORDS
    letters: str = ""
    titles: Words = NO_WORDS
    ordinary_names: Words = NO_WORDS
    first_person: Words = NO_WORDS
    second_person: Words = NO_WORDS
    negations: Words = NO_WORDS


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchWords(_Section):
    """Rows of words that find each other, and members of categories that the category finds."""

    irregular: WordRows = ()
    synonyms: WordRows = ()
    categories: Table = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnspacedDates(_Section):
    """Dates in scripts without spaces; ``back`` maps "2 week" to the words for two weeks ago."""

    days_ahead: WordRows = ()
    back: Mapping[Amount, Words] = field(default_factory=dict)
    holidays: Holidays = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockWords(_Section):
    """How times of day, sums of time and repeats are spoken of; en.toml says more."""

    units: Mapping[Literal["second", "minute", "hour"], Words] = field(default_factory=dict)
    glued_units: Mapping[Literal["day", "week"], Words] = field(default_factory=dict)
    half: Words = NO_WORDS
    quarter: Words = NO_WORDS
    tens: WordRows = ()
    tens_joint: str = ""
    amounts: Mapping[str, float] = field(default_factory=dict)
    spans: Mapping[str, Amount] = field(default_factory=dict)
    joined_by: Words = NO_WORDS
    before: Words = NO_WORDS
    after: Words = NO_WORDS
    half_before: Words = NO_WORDS
    three_quarters: Words = NO_WORDS
    at: Words = NO_WORDS
    oclock: Words = NO_WORDS
    oclock_of_twelve: Phrases = ()
    midnight: Words = NO_WORDS
    noon: Words = NO_WORDS
    parts_of_day: Mapping[Literal["morning", "afternoon", "evening"], Words] = field(
        default_factory=dict
    )
    morning_after_day: Words = NO_WORDS
    short_weekdays: Weekdays = ()
    each_weekday: Weekdays = ()
    repeats: Mapping[Literal["day", "week", "month"], Words] = field(default_factory=dict)
    working_days: Words = NO_WORDS
    every_n: Words = NO_WORDS
    every_other: Words = NO_WORDS
    month_end: Phrases = ()
    from_now: Phrases = ()
    zone_time: Words = NO_WORDS
    fillers: Words = NO_WORDS


@dataclass(frozen=True, slots=True, kw_only=True)
class DateWords(_Section):
    """How dates are spoken of."""

    months: Annotated[WordRows, Field(min_length=12, max_length=12)] = ()
    weekdays: Weekdays = ()
    weekdays_before_feira: Annotated[WordRows, Field(min_length=5, max_length=5)] = ()
    weekends: Words = NO_WORDS
    weekend_before: Words = NO_WORDS
    days_ahead: tuple[Phrases, ...] = ()
    days_back: Mapping[Numbers, Phrases] = field(default_factory=dict)
    common_words: Words = NO_WORDS
    numbers: WordRows = ()
    vague_numbers: Mapping[Numbers, Words] = field(default_factory=dict)
    ago_before: Phrases = ()
    ago_after: Words = NO_WORDS
    one_without_number: Words = NO_WORDS
    in_before: Words = NO_WORDS
    last_before: Words = NO_WORDS
    last_after: Words = NO_WORDS
    rolling: Words = NO_WORDS
    always_rolling: Words = NO_WORDS
    this: Words = NO_WORDS
    next: Words = NO_WORDS
    after_next_before: Words = NO_WORDS
    after_next_after: Phrases = ()
    week_after_day: Words = NO_WORDS
    counted_from: Words = NO_WORDS
    counted_before: Words = NO_WORDS
    counted_after: Words = NO_WORDS
    not_counted_after: Words = NO_WORDS
    weeks_on: Words = NO_WORDS
    on_day: Words = NO_WORDS
    day_parts: Words = NO_WORDS
    ordinal_suffixes: Words = NO_WORDS
    ordinal_before: Words = NO_WORDS
    every: Words = NO_WORDS
    year_before: Words = NO_WORDS
    counted_nouns: Words = NO_WORDS
    date_before: Words = NO_WORDS
    span_to: Words = NO_WORDS
    of: Words = NO_WORDS
    articles: Words = NO_WORDS
    season_before: Words = NO_WORDS
    ambiguous_seasons: Words = NO_WORDS
    ambiguous: Table = field(default_factory=dict)
    units: Units = field(default_factory=dict)
    clock: ClockWords = ClockWords()
    seasons: Mapping[Literal["spring", "summer", "autumn", "winter"], Words] = field(
        default_factory=dict
    )
    time_words: Words = NO_WORDS
    holidays: Holidays = field(default_factory=dict)
    unspaced: UnspacedDates = UnspacedDates()


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputWords(_Section):
    """What Kith never says."""

    slurs: str = ""
    starred_slurs: Words = NO_WORDS
    unspaced_slurs: Phrases = ()
    sexual: str = ""
    unspaced_sexual: Phrases = ()
    minors: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfidentialWords(_Section):
    """Phrases with which people ask to keep something secret."""

    phrases: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentimentWords(_Section):
    """Words that make a message look heated."""

    heat: Phrases = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicWords(_Section):
    """Words that announce another topic, and words that have none."""

    markers: str = ""
    openers: Words = NO_WORDS
    empty: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementWords(_Section):
    """How people speak of themselves, and to whom; en.toml says what each key is for."""

    fillers: Phrases = ()
    spellings: Annotated[
        tuple[Annotated[str, Field(pattern=": ")], ...], BeforeValidator(_split_phrases)
    ] = ()
    first_person: Words = NO_WORDS
    speakers: Words = NO_WORDS
    own_verbs: Words = NO_WORDS
    dropped_subject: Phrases = ()
    leads: Words = NO_WORDS
    questions: Words = NO_WORDS
    which: Words = NO_WORDS
    inverted: Words = NO_WORDS
    subjects: Words = NO_WORDS
    commands: Words = NO_WORDS
    reports: Words = NO_WORDS
    report_phrases: Phrases = ()
    unearnest: Phrases = ()
    conditional: Words = NO_WORDS
    sarcastic_openers: Phrases = ()
    corrections: Phrases = ()
    talk: Words = NO_WORDS
    fleeting: Words = NO_WORDS
    refers_back: Words = NO_WORDS
    past: Words = NO_WORDS
    not_past: Words = NO_WORDS
    moved_to: Words = NO_WORDS
    future: Words = NO_WORDS
    done_for: Words = NO_WORDS
    lasting: Words = NO_WORDS
    naming: Words = NO_WORDS
    appointments: Words = NO_WORDS
    evening: Words = NO_WORDS
    name_phrases: Phrases = ()
    name_openers: Phrases = ()
    name_note: str = "name is {name}"
    relatives: Words = NO_WORDS
    pets: Words = NO_WORDS


@dataclass(frozen=True, slots=True, kw_only=True)
class WishWords(_Section):
    """How people ask to forget, correct or keep something where no model is set.

    ``patterns`` are by kind of wish, one a line; ``parts`` are what they share.
    """

    polite: str = "(?!)"
    after: str = "(?!)"
    yes: Phrases = ()
    no: Phrases = ()
    parts: Table = field(default_factory=dict)
    patterns: Table = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerWords(_Section):
    """What people say to Kith when no model is configured, what they ask about, and its answers."""

    remarks: PhraseTable = field(default_factory=dict)
    sorrows: Phrases = ()
    asks_all: Phrases = ()
    asks_coming: Phrases = ()
    asks_why: Phrases = ()
    asks_others: Phrases = ()
    general: Words = NO_WORDS
    idioms: Table = field(default_factory=dict)
    alternatives: Words = NO_WORDS
    verb_after: Words = NO_WORDS
    subject_after: Words = NO_WORDS
    verb_before: Words = NO_WORDS
    places: Words = NO_WORDS
    auxiliaries: Words = NO_WORDS
    determiners: Words = NO_WORDS
    objects: Words = NO_WORDS
    others: Words = NO_WORDS
    listener: Words = NO_WORDS
    reminders: Words = NO_WORDS
    also: Table = field(default_factory=dict)
    months: Phrases = ()
    texts: Table = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Language(_Section):
    """One language file."""

    name: str
    script: str
    order: StrictInt = 1_000
    words: GeneralWords = GeneralWords()
    search: SearchWords = SearchWords()
    dates: DateWords = DateWords()
    classes: Table = field(default_factory=dict)
    memory_filter: Table = field(default_factory=dict)
    memory_filter_unspaced: Table = field(default_factory=dict)
    output_filter: OutputWords = OutputWords()
    confidential: ConfidentialWords = ConfidentialWords()
    sentiment: SentimentWords = SentimentWords()
    topics: TopicWords = TopicWords()
    statements: StatementWords = StatementWords()
    wishes: WishWords = WishWords()
    answers: AnswerWords = AnswerWords()


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedWords(_Section):
    """Stop words that several languages share."""

    ambiguous_stop_words: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkWords(_Section):
    """What ends a link, and what looks like one."""

    endings: Words
    endings_before_path: Words
    sites: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceNames(_Section):
    """Names of cities, regions and countries, casefolded; "+" stands for a space."""

    known: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenNames(_Section):
    """First names, casefolded; those in ``capital`` are words too and need a capital.

    After "hi im", those need none, unless they are also ``adjectives``.
    """

    given: Words
    capital: Words
    adjectives: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneNames(_Section):
    """Abbreviations of time zones -> hours ahead of UTC or a zone; some have several meanings."""

    ambiguous: Words
    offsets: Mapping[str, int]
    regions: Table


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedTables(_Section):
    """shared.toml."""

    words: SharedWords
    classes: Table
    glued: Table
    links: LinkWords
    places: PlaceNames
    names: GivenNames
    zones: ZoneNames


@cache
def languages() -> Mapping[str, Language]:
    """Return ISO code -> tables of every language, in the order that settles ties.

    Classes of shared.toml are added to those of each language. Raises LanguageFileError.
    """
    adapter = TypeAdapter(Language)
    files = {path.stem: _read(path, adapter) for path in _FOLDER.glob("*.toml")
             if path.stem != _SHARED}  # fmt: skip
    return {
        code: replace(language, classes={**shared_tables().classes, **language.classes})
        for code, language in sorted(files.items(), key=lambda item: (item[1].order, item[0]))
    }


@cache
def shared_tables() -> SharedTables:
    """Return the tables of shared.toml. Raises LanguageFileError."""
    return _read(_FOLDER / f"{_SHARED}.toml", TypeAdapter(SharedTables))


def _read(path: Path, adapter: TypeAdapter[_Kind]) -> _Kind:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        return adapter.validate_python(content)
    except ValidationError as error:
        problem, *_ = error.errors(include_url=False)
        key = ".".join(map(str, problem["loc"]))
        raise LanguageFileError(file=path.name, problem=f"{key}: {problem['msg']}") from None
    except (OSError, ValueError) as error:
        raise LanguageFileError(file=path.name, problem=error) from None
