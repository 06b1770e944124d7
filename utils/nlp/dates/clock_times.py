"""Parse the future time that a text names: "tomorrow at 6", "in 20 Minuten", "um 18 Uhr". Pure.

:mod:`utils.nlp.dates.upcoming` parses the day.
"""

import re
import unicodedata
from datetime import UTC, datetime, time, timedelta, tzinfo

from utils.nlp.dates import vocabulary
from utils.nlp.dates.upcoming import MAX_CHARACTERS, coming_day

__all__ = ["coming_time"]

MORNING = time(9)  # where only a day is named
HALF_DAY = timedelta(hours=12)
_NUMBER_WORDS = "|".join(
    word for word, number in vocabulary.NUMBERS.items() if number <= 12 and word.isalpha()
)
_WAIT = re.compile(
    rf"\b(?:in|dans|en|tra|over|через)\s+(?:(?P<half>half an|einer halben|una media)|"
    rf"(?P<count>[0-9]{{1,4}})|(?P<word>an?|einer?|einem|une?|una?|{_NUMBER_WORDS}))\s*"
    r"(?:(?P<minutes>min(?:ute|utos?|uti|uten?|utes|uut|s)?|минут\w*)|"
    r"(?P<hours>hours?|hrs?|h|stunden?|std|heures?|horas?|or[ae]|uur|час\w*))\b",
    re.IGNORECASE,
)
_MERIDIEM = r"(?P<meridiem>a\.?m\b\.?|p\.?m\b\.?)"
_CLOCKS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?<![\d:.])(?P<hour>[0-9]{{1,2}})[:h](?P<minute>[0-9]{{2}})(?![\d:])\s*{_MERIDIEM}?",
        r"(?<![\d:.])(?P<hour>[0-9]{1,2})\.(?P<minute>[0-9]{2})\s*(?P<sure>uhr)\b",
        rf"(?<![\d:.])(?P<hour>[0-9]{{1,2}})\s*{_MERIDIEM}",
        r"(?<![\d:.])(?P<hour>[0-9]{1,2})\s*(?P<sure>uhr|heures?|uur|h)\b",
        rf"(?:\b(?:at|um|gegen|à|a las?|alle|às|om)|@)\s*"
        rf"(?:(?P<hour>[0-9]{{1,2}})(?![\d.:/-]*\d)|(?P<word>{_NUMBER_WORDS})\b)",
    )
)
_MIDNIGHT = re.compile(r"\b(?:midnight|mitternachts?|minuit|medianoche)\b", re.IGNORECASE)
_PARTS_OF_DAY = (
    (re.compile(r"\b(?:noon|midday|mittags?|midi|mediodía)\b", re.IGNORECASE), 12),
    (re.compile(r"\b(?:afternoon|nachmittags?|après-midi)\b", re.IGNORECASE), 15),
    (re.compile(r"\b(?:evening|tonight|abends?|soir)\b", re.IGNORECASE), 19),
    (re.compile(r"\b(?:morning|früh|vormittags?|matin)\b", re.IGNORECASE), 9),
)
AFTERNOON = 15


def coming_time(text: str, now: datetime, zone: tzinfo) -> datetime | None:
    """Return the time that a text names in UTC, or None if it names none. Never raises.

    A day without a time means 9 o'clock. A time without a day is the next such time; "at 6" said
    at noon is 6 in the evening. A complete date is returned even if it is past.

    Args:
        text: only the first 300 characters are parsed.
        now: aware.
        zone: the time zone of the person who says it.
    """
    plain = unicodedata.normalize("NFKC", text[:MAX_CHARACTERS])
    try:
        return _after_wait(plain, now) or _at_clock(plain, now, zone)
    except (OverflowError, ValueError):
        return None


def _after_wait(text: str, now: datetime) -> datetime | None:
    """Parse "in 20 minutes", "in half an hour"."""
    match = _WAIT.search(text)
    if match is None:
        return None
    word = (match["word"] or "").casefold()
    count = float(match["count"] or vocabulary.NUMBERS.get(word, 1))
    count = 0.5 if match["half"] else count
    wait = timedelta(minutes=count) if match["minutes"] else timedelta(hours=count)
    return now.astimezone(UTC) + wait


def _at_clock(text: str, now: datetime, zone: tzinfo) -> datetime | None:
    local = now.astimezone(zone)
    hour, minute, is_sure, rest = _clock(text)
    day = coming_day(rest, now, zone)
    if hour is None:
        if day is None or (day == local.date() and local.time() >= MORNING):
            return None
        return datetime.combine(day, MORNING, zone).astimezone(UTC)
    at = datetime.combine(day or local.date(), time(hour % 24, minute), zone)
    at += timedelta(days=hour // 24)
    if at > local or (day is not None and day != local.date()):
        return at.astimezone(UTC)
    if not is_sure and 0 < hour < 12 and at + HALF_DAY > local:
        return (at + HALF_DAY).astimezone(UTC)
    return (at + timedelta(days=1) if day is None else at).astimezone(UTC)


def _clock(text: str) -> tuple[int | None, int, bool, str]:
    """Return hour and minute, whether morning and evening are told apart, and the other words.

    An hour of None: the text names none. 24 is midnight at the end of the day.
    """
    part = next((hour for pattern, hour in _PARTS_OF_DAY if pattern.search(text)), None)
    if _MIDNIGHT.search(text):
        return 24, 0, True, _MIDNIGHT.sub(" ", text)
    for pattern in _CLOCKS:
        match = pattern.search(text)
        if match is None:
            continue
        groups = match.groupdict()
        hour = int(groups["hour"] or vocabulary.NUMBERS[(groups.get("word") or "").casefold()])
        meridiem = (groups.get("meridiem") or "").casefold()
        is_late = meridiem.startswith("p") or (part is not None and part >= AFTERNOON)
        if hour < 12 and is_late:
            hour += 12
        elif hour == 12 and meridiem.startswith("a"):
            hour = 0
        is_sure = bool(meridiem or groups.get("sure") or part)
        rest = f"{text[: match.start()]} {text[match.end() :]}"
        if hour > 24:
            raise ValueError
        return hour, int(groups.get("minute") or 0), is_sure, rest
    return part, 0, True, text
