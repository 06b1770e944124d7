"""Parse days that two expressions name together: "Friday in two weeks", "next week Friday". Pure.

Read one by one, the two would be two days, both wrong.
"""

from dataclasses import dataclass, replace
from datetime import date, timedelta

from utils.nlp.dates.ranges import Calendar, later, next_weekday
from utils.nlp.dates.tokens import WordPositions
from utils.nlp.dates.vocabulary import (
    CLOCK,
    DATES,
    DAYS_AHEAD,
    NUMBERS,
    STEPS,
    UNITS,
    WEEKDAYS,
    WEEKDAYS_BEFORE_FEIRA,
)

_BETWEEN = DATES.of | DATES.articles | DATES.on_day | DATES.in_before | {","}
"""Words between a week and its weekday."""
_AFTER_DAY = DATES.day_parts | {","}
_BEFORE_WEEK = _BETWEEN | _AFTER_DAY


@dataclass(frozen=True, slots=True)
class DaySum:
    """A day, and the position after the words that name it.

    ``is_beside`` that of a day before or after another: of the next Friday, or of the last one.
    """

    end: int
    day: date
    is_weekday: bool = True
    is_beside: bool = False


def sum_at(words: WordPositions, position: int, today: date) -> DaySum | None:
    """Return the day that words from a position on name together; None if they name none.

    Raises ValueError if they may mean several days.
    """
    return (
        _weekday_and_week(words, position, today)
        or _day_and_units(words, position, today)
        or _units_and_day(words, position, today)
    )


def _weekday_and_week(words: WordPositions, position: int, today: date) -> DaySum | None:
    """Parse next week Friday, Samstag übernächste Woche, vendredi de la semaine prochaine."""
    weekday = WEEKDAYS.get(words[position])
    if weekday is None:
        end, week = _week(words, words.after(position, DATES.articles))
        end = words.after(end, _BETWEEN) + 1
        weekday = WEEKDAYS.get(words[end - 1])
    else:
        end, week = _week(words, words.after(position + 1, _BEFORE_WEEK))
    if week is None or weekday is None:
        return None
    monday = today - timedelta(days=today.weekday())
    return DaySum(end, monday + timedelta(days=7 * week + weekday))


def _week(words: WordPositions, position: int) -> tuple[int, int | None]:
    """Return the position after a week, and how many weeks ahead it is; None if it is no week."""
    if UNITS.get(words[position]) == "week":
        end, after_next = words.phrase(position + 1, DATES.after_next_after)
        is_next = words[position + 1] in DATES.next
        return (end, 2) if after_next else (position + 2, 1 if is_next else None)
    is_week = UNITS.get(words[position + 1]) == "week"
    return position + 2, STEPS.get(words[position]) if is_week else None


def _day_and_units(words: WordPositions, position: int, today: date) -> DaySum | None:
    """Parse heute in acht Tagen, Friday in two weeks, Friday week, the Friday after next."""
    day = day_at(words, position, today)
    if day is None:
        return None
    start = words.after(day.end, _AFTER_DAY)
    has_in, has_ago = words[start] in DATES.in_before, words[start] in DATES.ago_before
    if units := units_at(words, start + (has_in or has_ago)):
        end, count, unit = units
        is_ago = not has_in and not has_ago and words[end] in DATES.ago_after
        is_back = has_ago or is_ago
        if day.is_weekday and (is_back or (has_in and unit != "week")):
            raise ValueError
        if has_in or is_back:
            counted = later(day.day, -count if is_back else count, unit)
            return DaySum(end + is_ago, counted, day.is_weekday)
    if words[day.end] in DATES.week_after_day:
        return replace(day, end=day.end + 1, day=day.day + timedelta(days=7))
    is_after_next = (
        not DATES.after_next_before.isdisjoint(words.between(position, day.end))
        or " ".join(words.between(day.end - 2, day.end)) in DATES.after_next_after
    )
    return day if is_after_next else None


def _units_and_day(words: WordPositions, position: int, today: date) -> DaySum | None:
    """Parse two weeks from Friday or now, the day before Friday, in zwei Wochen am Freitag."""
    has_in = words[position] in DATES.in_before
    units = units_at(words, position + has_in)
    if units is None or words[position - 1] in DATES.not_counted_after:
        return None
    start, count, unit = units
    word = words[start]
    is_ago, is_before = word in DATES.ago_after, word in DATES.counted_before
    is_beside = is_before or word in DATES.counted_after
    if not has_in and words[position] in UNITS and not (unit == "day" and is_beside):
        return None
    end, from_now = words.phrase(start, CLOCK.from_now)
    if from_now:
        return DaySum(end, later(today, count, unit), is_weekday=False)
    if (
        is_ago
        or is_beside
        or word in DATES.counted_from
        or (word in DATES.weeks_on and unit == "week" and not has_in)
    ):
        day = day_at(words, words.after(start + 1, DATES.on_day) if is_ago else start + 1, today)
        if day is None:
            return None
        if is_ago and day.is_weekday:
            raise ValueError
        if (
            word in DATES.counted_after
            and day.day.weekday() == 5
            and not DATES.weekends.isdisjoint(words.between(start, day.end))
        ):  # it is counted from the weekend's Sunday
            day = replace(day, day=day.day + timedelta(days=1))
        counted = later(day.day, -count if is_ago or is_before else count, unit)
        return replace(day, day=counted, is_beside=is_beside)
    day = day_at(words, words.after(start, _BETWEEN), today) if has_in else None
    if day is None or not day.is_weekday or unit != "week":
        return None
    counted, in_week = later(day.day, count, unit), later(today, count, unit)
    if counted.isocalendar()[:2] != in_week.isocalendar()[:2]:
        raise ValueError
    return DaySum(day.end, counted)


def day_at(words: WordPositions, position: int, today: date) -> DaySum | None:
    """Parse today, tomorrow, Friday, next Friday, vendredi prochain, the Friday after next.

    This Saturday is today on a Saturday, and so is this weekend, also on its Sunday.
    """
    end, phrase = words.phrase(position, DAYS_AHEAD)
    if phrase:
        return DaySum(end, today + timedelta(days=DAYS_AHEAD[phrase]), is_weekday=False)
    position = words.after(position, DATES.articles)
    is_after_next = words[position] in DATES.after_next_before
    position += is_after_next or words[position] in DATES.next | DATES.this
    before, word, end = words[position - 1], words[position], position + 1
    weekday = 5 if word in DATES.weekends else WEEKDAYS.get(word)
    is_feira = words[end] == "feira"
    if word in WEEKDAYS_BEFORE_FEIRA and (is_feira or before == "na"):
        weekday, end = WEEKDAYS_BEFORE_FEIRA[word], end + is_feira
    if weekday is None:
        return None
    after, after_next = words.phrase(end, DATES.after_next_after)
    if after_next and words[after] not in WEEKDAYS and words[after] not in UNITS:
        is_after_next, end = True, after
    elif not after_next:
        end += words[end] in DATES.next
    is_on = before in DATES.this and 0 <= today.weekday() - weekday <= (word in DATES.weekends)
    return DaySum(
        end, today if is_on else next_weekday(today, weekday) + timedelta(days=7 * is_after_next)
    )


def units_at(words: WordPositions, position: int) -> tuple[int, int, str] | None:
    """Return the position after "two weeks", the number and the unit; "неделю" is one."""
    word = words[position]
    if unit := UNITS.get(word):
        return position + 1, 1, unit
    is_short_number = word.isdecimal() and len(word) < 4
    count = int(word) if is_short_number else NUMBERS.get(word, 0)
    unit = UNITS.get(words[position + 1])
    return (position + 2, count, unit) if count and unit else None


def next_unit(words: WordPositions, position: int, today: date) -> date | None:
    """Parse the next unit: next week, nächsten Monat, la semaine prochaine, la semana que viene."""
    unit = UNITS.get(words[position])
    if unit is None or unit == "day":
        return None
    is_after_next = words[position - 1] in DATES.after_next_before or (
        words.phrase(position + 1, DATES.after_next_after)[1] != ""
    )
    if not is_after_next and DATES.next.isdisjoint((words[position - 1], words[position + 1])):
        return None
    return Calendar(today).unit_ago(unit, -2 if is_after_next else -1).first
