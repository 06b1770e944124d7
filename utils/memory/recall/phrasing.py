"""Says how a memory or a message is shown in a prompt: its words, and when it was said. Pure."""

from datetime import datetime, tzinfo

from utils.common.text import age_in_words
from utils.models.memory import Form, Kind, Memory
from utils.models.recall import Said

NEWEST_DATES_SAID_AS_AGE_DAYS = 7


def phrase(row: Memory, now: datetime, zone: tzinfo) -> str:
    """Return a memory as it is shown: a pattern as a tendency, an episode with its date, or an age.

    A quote is shown as the member's own words. A time in the future (a clock that jumped) counts as
    now.
    """
    if row.form is Form.QUOTE:
        words = row.text.replace('"', "'")
        return f'"{words}" ({day_of(row.created_at, now, zone)})'
    text = f"tends to: {row.text}" if row.kind is Kind.PATTERN else row.text
    confirmed = min(row.last_confirmed_at, now)
    days = (now - confirmed).days
    if row.kind is Kind.CONSTRAINT:
        return text
    if row.kind is Kind.EPISODE and days >= NEWEST_DATES_SAID_AS_AGE_DAYS:
        return f"{text} ({day_of(row.created_at, now, zone)})"
    return f"{text} ({age_in_words(confirmed, now, zone)})"


def quoted(text: str, message: Said, now: datetime, zone: tzinfo) -> str:
    """Return a message in quotation marks, which its text cannot close, with its date.

    Text that came with a message, such as a caption, has a label before it.
    """
    words = text.replace('"', "'")
    label = f"{message.label} " if message.label else ""
    return f'{label}"{words}" ({day_of(message.said_at, now, zone)})'


def day_of(at: datetime, now: datetime, zone: tzinfo) -> str:
    """Return "12 March", with the year if it is not this one's."""
    day = min(at, now).astimezone(zone)
    year = "" if day.year == now.astimezone(zone).year else f" {day.year}"
    return f"{day.day} {day:%B}{year}"
