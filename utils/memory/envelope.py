"""Layers, budgets, the text of the block that goes before the prompt's last message. Pure."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, tzinfo

from utils.memory.policy import ReadPolicy
from utils.memory.ranking import Ranked
from utils.model.memory import Kind, Memory
from utils.text import age_in_words, clean, clip, estimate_tokens, one_line

NEWEST_DATES_SAID_AS_AGE_DAYS = 7


@dataclass(frozen=True, slots=True)
class Known:
    """What recall found about one person, before the budget: layers in the order they are said."""

    name: str
    profile: str
    constraints: tuple[Memory, ...]
    relevant: tuple[Ranked, ...]
    recent: tuple[Memory, ...]

    @property
    def is_anything(self) -> bool:
        """Whether there is anything to say."""
        return bool(self.profile or self.constraints or self.relevant or self.recent)


@dataclass(frozen=True, slots=True)
class Block:
    """A person's part of the prompt, and the rows that are in it."""

    text: str = ""
    rows: tuple[Memory, ...] = ()


def block(
    known: Known, now: datetime, zone: tzinfo, policy: ReadPolicy, budget_tokens: int
) -> Block:
    """Write what is known of one person in at most ``budget_tokens`` (estimated, never low).

    The profile comes first, cut if it must be; then constraints, then relevant and recent rows,
    each only whole. Empty when nothing is known.
    """
    heading = f"[What you know about {clip(one_line(clean(known.name)), 80)}:]"
    room = budget_tokens - estimate_tokens(heading + "\n")
    lines = _Lines(room, now, zone, policy)
    lines.add_text("Profile", known.profile)
    lines.add_rows("Courtesy", known.constraints)
    lines.add_rows("Relevant", [one.row for one in known.relevant])
    lines.add_rows("Recent", known.recent)
    if not lines.written:
        return Block()
    order = ("Profile", "Courtesy", "Recent", "Relevant")
    body = [f"{label}: {lines.written[label]}" for label in order if label in lines.written]
    return Block("\n".join([heading, *body]), tuple(lines.rows))


class _Lines:
    """The block's lines as they fill up, within what is left of the budget."""

    def __init__(self, room: int, now: datetime, zone: tzinfo, policy: ReadPolicy) -> None:
        self._room = room
        self._now = now
        self._zone = zone
        self._policy = policy
        self._kinds: Counter[Kind] = Counter()
        self.written: dict[str, str] = {}
        self.rows: list[Memory] = []

    def add_text(self, label: str, text: str) -> None:
        """Add a line of plain text, cut at a word where the room ends."""
        while text and estimate_tokens(f"{label}: {text}\n") > self._room:
            text = clip(text, len(text) * 3 // 4, at_word=True) if len(text) > 40 else ""
        if text:
            self._room -= estimate_tokens(f"{label}: {text}\n")
            self.written[label] = text

    def add_rows(self, label: str, rows: Iterable[Memory]) -> None:
        """Add as many rows as fit, whole, within the limits of the policy."""
        parts: list[str] = []
        for row in rows:
            if len(self.rows) >= self._policy.most_items:
                break
            if self._kinds[row.kind] >= self._policy.most_of_kind[row.kind]:
                continue
            said = phrase(row, self._now, self._zone)
            opening = f" | {said}" if parts else f"{label}: {said}\n"
            cost = estimate_tokens(opening)
            if cost > self._room:
                continue
            self._room -= cost
            self._kinds[row.kind] += 1
            parts.append(said)
            self.rows.append(row)
        if parts:
            self.written[label] = " | ".join(parts)


def phrase(row: Memory, now: datetime, zone: tzinfo) -> str:
    """Return a row as it is said: a pattern as a tendency, an episode with its date, with ages.

    What a clock that jumped has put into the future was said just now.
    """
    text = f"tends to: {row.text}" if row.kind is Kind.PATTERN else row.text
    confirmed = min(row.last_confirmed_at, now)
    days = (now - confirmed).days
    if row.kind is Kind.CONSTRAINT:
        return text
    if row.kind is Kind.EPISODE and days >= NEWEST_DATES_SAID_AS_AGE_DAYS:
        said = min(row.created_at, now).astimezone(zone)
        year = "" if said.year == now.astimezone(zone).year else f" {said.year}"
        return f"{text} ({said.day} {said:%B}{year})"
    return f"{text} ({age_in_words(confirmed, now, zone)})"


def split_budget(people: int, policy: ReadPolicy) -> list[int]:
    """Share the block's tokens among people of whom something is known.

    The first, who is the speaker if anything is known of them, gets at least half.
    """
    others = people - 1
    if others <= 0:
        return [policy.block_tokens] * people
    first = policy.block_tokens // 2
    return [first, *[(policy.block_tokens - first) // others] * others]
