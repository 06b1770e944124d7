"""What Kith says when no language model is configured; the language files have the texts."""

from datetime import date, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo

from utils.memory.extraction.own_statements import certain_language
from utils.models.conversation import PreparedPrompt, Turn
from utils.nlp.languages import AnswerWords, languages

DEFAULT = "en"
NOT_DONE = "Not done: "
NO_MODEL = "No language model is configured"
JUST_NOW = timedelta(minutes=5)
MAX_NAME = 80  # characters


class PlainTexts:
    """The sentences of one language, as attributes; the names in braces are filled in."""

    def __init__(self, language: str, words: AnswerWords) -> None:
        self.language = language
        self.refusals = words.refusals  # by the English sentence
        self._texts = words.texts
        self._months = words.months

    def __getattr__(self, key: str) -> str:
        if key.startswith("_"):
            raise AttributeError(key)
        return self._texts[key]

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
        text = self.day_and_month.format(day=day.day, month=self._months[day.month - 1])
        return text if day.year == today.year else f"{text} {day.year}"


@cache
def texts_in(language: str) -> PlainTexts:
    """Return the texts of a language; English ones if it has none."""
    words = languages()[language].answers
    return PlainTexts(language, words) if words.texts else texts_in(DEFAULT)


def texts_of(turn: Turn, prepared: PreparedPrompt) -> PlainTexts:
    """Return the texts in the language of a message; if that is not sure, of those before it."""
    earlier = [
        event.text for event in reversed(prepared.turns) if event.author_id == turn.event.author_id
    ]
    codes = (certain_language(text) for text in (turn.event.text, *earlier))
    return texts_in(next(filter(None, codes), DEFAULT))
