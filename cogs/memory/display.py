"""How a reader of the memory pages sees times and texts."""

from dataclasses import dataclass
from datetime import date, datetime, tzinfo

from cogs.bot.texts import Translate, in_english
from cogs.memory.memory_text import DAY
from utils.common.text import age_template


@dataclass(frozen=True, slots=True)
class Display:
    """The reader's present, time zone and language.

    ``zone`` None: times are Discord's timestamps, which each reader sees in their zone and
    language.
    """

    now: datetime
    zone: tzinfo | None = None
    tr: Translate = in_english

    def age(self, then: datetime) -> str:
        """Return how long ago, or in how long, something is."""
        return _timestamp(then, "R") if self.zone is None else self.age_in_words(then)

    def age_in_words(self, then: datetime) -> str:
        """Return an age in words; a list of choices shows no timestamps."""
        template, count = age_template(then, self.now, self.zone)
        return self.tr(template, count=count)

    def date(self, at: datetime) -> str:
        """Return the day of a time."""
        if self.zone is None:
            return _timestamp(at, "D")
        return day_in_words(at.astimezone(self.zone), self.tr)

    def time(self, at: datetime) -> str:
        """Return a day and its time."""
        if self.zone is None:
            return _timestamp(at, "f")
        local = at.astimezone(self.zone)
        return f"{day_in_words(local, self.tr)}, {local:%H:%M}"


def day_in_words(day: date, tr: Translate) -> str:
    """Return a day with its month's name and its year."""
    return tr(DAY, day=day.day, month=tr(f"{day:%B}"), year=day.year)


def _timestamp(at: datetime, style: str) -> str:
    """``discord.utils.format_dt``; the terminal's start would wait for discord.py's import."""
    return f"<t:{int(at.timestamp())}:{style}>"
