"""Writes what the chat model's tools return. Pure."""

from collections.abc import Sequence
from itertools import zip_longest
from zoneinfo import ZoneInfo

from utils.common.text import one_line
from utils.models.episode import OpenLoop
from utils.models.memory import Memory
from utils.models.recall import Recall


def unseen(recall: Recall, earlier: Sequence[Recall]) -> str:
    """Return the lines of a recall's block that were not shown, under their headings.

    They are empty if all that it was made from was shown, perhaps in other words or another order.
    """
    shown_ids = {(ref.kind, ref.id) for past in earlier for ref in past.provenance.sources}
    if shown_ids.issuperset((ref.kind, ref.id) for ref in recall.provenance.sources):
        return ""
    shown_lines = {line for past in earlier for line in past.block.split("\n")}
    lines = [
        line for line in recall.block.split("\n") if line.startswith("[") or line not in shown_lines
    ]
    with_text = [
        line
        for line, following in zip_longest(lines, lines[1:], fillvalue="[")
        if not (line.startswith("[") and following.startswith("["))
    ]
    return "\n".join(with_text)


def in_words(rows: Sequence[Memory], to_ask: Sequence[str]) -> str:
    """Return memories with their numbers, and what is to be asked about, on one line."""
    return " | ".join([*(f"#{row.id} {one_line(row.text)}" for row in rows), *to_ask])


def day_of(row: Memory, zone: ZoneInfo) -> str:
    """Return the day on which a memory was last said."""
    return f"{row.last_confirmed_at.astimezone(zone):%d %B %Y}"


def reminder_time(reminder: OpenLoop, zone: ZoneInfo) -> str:
    """Return when a reminder is sent, and in which time zone."""
    at = (reminder.due_at or reminder.created_at).astimezone(zone)
    again = f", and {reminder.repeats}" if reminder.repeats else ""
    return f"{at:%A, %d %B %Y, %H:%M} ({zone.key}; `/kith timezone` changes their time zone){again}"
