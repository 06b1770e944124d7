"""What Kith says when no language model is configured; the language files have the texts."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo

from utils.common.errors import KithError
from utils.common.translation import translate
from utils.memory.extraction.own_statements import certain_language, statement_language
from utils.memory.member_data.reminders import coming_times, timestamp
from utils.models.conversation import (
    EVERYTHING,
    ForgetQuestion,
    PreparedPrompt,
    Result,
    Turn,
    WishOutcome,
)
from utils.models.episode import OpenLoop
from utils.nlp.languages import AnswerWords, languages

NO_MODEL = "No language model is configured"
JUST_NOW = timedelta(minutes=5)
MAX_NAME = 80  # characters


class PlainTexts:
    """The sentences of one language, as attributes; the names in braces are filled in."""

    def __init__(self, language: str, words: AnswerWords) -> None:
        self.language = language
        self._texts = words.texts
        self._months = words.months

    def __getattr__(self, key: str) -> str:
        if key.startswith("_"):
            raise AttributeError(key)
        return self._texts[key]

    def refused(self, why: KithError) -> str:
        """Return why a tool did nothing, as a person reads it."""
        return translate(self.language, why.template, **why.values)

    def not_done(self, refusals: Sequence[KithError | None]) -> str:
        """Return that calls did nothing, and why as far as a person can make use of it."""
        reasons = " ".join(dict.fromkeys(self.refused(why) for why in refusals if why is not None))
        return self.was_refused.format(why=reasons) if reasons else self.was_not_done

    def reminder(self, reminder: OpenLoop, zone: str = "") -> str:
        """Return when a reminder comes, in Discord's own times; ``zone`` is named if it is set."""
        first, *later = coming_times(reminder)
        text = f"⏰ {timestamp(first, 'F')} ({timestamp(first, 'R')})"
        if reminder.repeats:
            again = " · ".join(timestamp(at, "f") for at in later)
            text += self.reminded_again.format(again=again, end=timestamp(reminder.expires_at, "D"))
        return f"{text} {self.zone_used.format(zone=zone)}" if zone else text

    def of_wish(self, outcome: WishOutcome) -> str:
        """Return what came of a wish; a question back names all that would be erased."""
        is_unused = outcome.result in (Result.CORRECTED, Result.REMEMBERED) and not outcome.texts
        lines: list[str] = []
        if outcome.result is not Result.ASKED:
            done = self._texts[outcome.result].format(what=", ".join(outcome.texts))
            lines.append(self.noted_unused if is_unused else done)
        texts = outcome.asked_about
        if outcome.question is None:
            return lines[0]
        if outcome.question.options == ((EVERYTHING,),):
            lines.append(self.ask_all)
        elif len(outcome.question.options) == 1:  # too many for a choice of each
            lines.append(self.ask.format(what=", ".join(texts)))
        else:
            lines += [self.ask_which, *(f"{i}. {text}" for i, text in enumerate(texts, 1))]
        if outcome.more:
            lines.append(f"({self.more.format(count=outcome.more)})")
        return "\n".join(lines)

    def choices(self, question: ForgetQuestion) -> list[str]:
        """Return the labels of a question's choices: its options, then to keep it all."""
        count = len(question.options)
        numbers = [*map(str, range(1, count)), self.all_choice]
        return [*([self.forget_choice] if count == 1 else numbers), self.keep_choice]

    def when(self, moment: datetime, now: datetime, zone: ZoneInfo) -> str:
        """Return when something was said, as it is told: "just now", "on 3 May"."""
        if abs(now - moment) < JUST_NOW:
            return self.just_now
        day, today = moment.astimezone(zone).date(), now.astimezone(zone).date()
        near = {today: self.earlier_today, today - timedelta(days=1): self.yesterday}
        return near.get(day) or self.on_day.format(day=self.day(day, today))

    def day(self, day: date, today: date) -> str:
        """Return a day in words, without the year if it is this one."""
        text = self.day_and_month.format(day=day.day, month=self._months[day.month - 1])
        return text if day.year == today.year else f"{text} {day.year}"


@cache
def texts_in(language: str) -> PlainTexts:
    """Return the texts of a language; English ones if it has none."""
    words = languages()[language].answers
    return PlainTexts(language, words) if words.texts else texts_in("en")


def texts_of(turn: Turn, prepared: PreparedPrompt) -> PlainTexts:
    """Return the texts in the language of a message; if that is not sure, of those before it."""
    earlier = sorted(prepared.turns, key=lambda line: line.is_by(turn.event.member))[::-1]
    codes = (certain_language(line.text) for line in (turn.event, *earlier))
    return texts_in(next(filter(None, codes), None) or statement_language(turn.event.text))
