"""What Kith says when no language model is configured; the language files have the texts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo

from utils.memory.extraction.own_statements import certain_language
from utils.models.conversation import PreparedPrompt, Turn
from utils.nlp.languages import languages

DEFAULT = "en"
NOT_DONE = "Not done: "
NO_MODEL = "No language model is configured"
JUST_NOW = timedelta(minutes=5)
MAX_NAME = 80  # characters


@dataclass(frozen=True, slots=True)
class PlainTexts:
    """The sentences of one language; the names in braces are filled in."""

    language: str
    notice: str
    greetings: str
    thanks: str
    apologies: str
    wellbeing: str
    farewells: str
    identity: str
    help: str
    privacy: str
    agreement: str
    just_now: str
    earlier_today: str
    yesterday: str
    on_day: str
    day_and_month: str
    said_on: str
    said_by: str
    noted_on: str
    noted_by: str
    since: str
    right_after: str
    quote: str
    dated_quote: str
    not_told_by: str
    unknown: str
    nothing_coming: str
    stays_in_servers: str
    not_mine: str
    noted: str
    not_kept: str
    told: str
    sorrow: str
    not_noted: str
    only_own: str
    sensitive: str
    met: str
    no_chat: str
    about_kith: str
    more_known: str
    nothing_known: str
    which_day: str
    asked_later: str
    reminded: str
    to_ask: str
    ask: str
    refusals: Mapping[str, str]  # by the English sentence

    def refused(self, result: str) -> str:
        """Return why a tool did nothing, as a person reads it."""
        sentence = result.removeprefix(NOT_DONE)
        return self.refusals.get(sentence, sentence)

    def when(self, moment: datetime, now: datetime, zone: ZoneInfo) -> str:
        """Return when something was said, as it is told: "just now", "on 3 May"."""
        if abs(now - moment) < JUST_NOW:
            return self.just_now
        day, today = moment.astimezone(zone).date(), now.astimezone(zone).date()
        if day == today:
            return self.earlier_today
        if day == today - timedelta(days=1):
            return self.yesterday
        return self.on_day.format(day=self.day(day, today))

    def day(self, day: date, today: date) -> str:
        """Return a day in words, without the year if it is this one."""
        month = languages()[self.language].answers.months[day.month - 1]
        text = self.day_and_month.format(day=day.day, month=month)
        return text if day.year == today.year else f"{text} {day.year}"


@cache
def texts_in(language: str) -> PlainTexts:
    """Return the texts of a language; English ones if it has none."""
    words = languages()[language].answers if language in languages() else None
    if words is None or not words.texts:
        return texts_in(DEFAULT)
    return PlainTexts(language=language, refusals=words.refusals, **words.texts)


def texts_of(turn: Turn, prepared: PreparedPrompt) -> PlainTexts:
    """Return the texts in the language of a message; if that is not sure, of those before it."""
    earlier = [
        event.text for event in reversed(prepared.turns) if event.author_id == turn.event.author_id
    ]
    codes = (certain_language(text) for text in (turn.event.text, *earlier))
    return texts_in(next(filter(None, codes), DEFAULT))
