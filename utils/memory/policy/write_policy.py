"""How long messages and memories are kept, how sure Kith is of them, and which go first. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo

from utils.memory.policy.categories import Category
from utils.models.memory import Consent, Form, Importance, Kind, Memory, Source, Status, VerifiedBy
from utils.models.policy import WriteMode, WritePolicy

TEMPORARY_DAYS = 30
MAX_TEMPORARY = timedelta(days=TEMPORARY_DAYS)
EVENT_DAYS = {Consent.TEMPORARY: TEMPORARY_DAYS, Consent.LASTING: 365}

# The longest life of each kind under lasting consent, in days; None is permanent.
MAX_DAYS_KEPT: dict[Kind, int | None] = {
    Kind.FACT: None,
    Kind.PREFERENCE: None,
    Kind.CONSTRAINT: None,
    Kind.PATTERN: 90,
    Kind.TASK: 30,  # unless it names its date
    Kind.EPISODE: None,
    Kind.LORE: 90,
    Kind.SERVER_FACT: 90,
}
MAX_DATED_TASK_DAYS = 3 * 365

# Days after which half of the confidence is left, when ranking; None never decays.
HALF_LIFE_DAYS: dict[Kind, int | None] = {
    Kind.FACT: None,
    Kind.PREFERENCE: 90,
    Kind.CONSTRAINT: None,
    Kind.PATTERN: 14,
    Kind.TASK: 7,
    Kind.EPISODE: 30,
    Kind.LORE: 30,
    Kind.SERVER_FACT: None,
}

# How sure to be of a note at first, by who verified it, and what is left of that by where its words
# come from.
ALWAYS_IMPORTANT = frozenset({Kind.CONSTRAINT, Kind.TASK})
VERIFIED_CONFIDENCE = {
    VerifiedBy.MODEL: 0.9,
    VerifiedBy.RULE: 0.95,
    VerifiedBy.MEMBER: 1.0,
    VerifiedBy.MODERATOR: 1.0,
    VerifiedBy.IMPORT: 1.0,
}
UNVERIFIED_CONFIDENCE = 0.0
ATTACHMENT_FACTOR = 0.7  # of what stands only in a picture or a file
SOURCE_FACTOR = {Source.CHAT: 1.0, Source.IMPORT: 1.0, Source.PASSIVE: 0.9, Source.EXPLICIT: 1.0}

LASTING_KINDS = frozenset({Kind.FACT, Kind.PREFERENCE, Kind.CONSTRAINT, Kind.PATTERN})
FADING_KINDS = frozenset({Kind.PATTERN, Kind.LORE})
FURTHER_DAY_CLOSES = 0.30
DAY_S = 86_400.0


@dataclass(frozen=True, slots=True)
class WriteRules:
    """The operator's write policy, the categories no member may store, and MEMORY_READ_ONLY."""

    policy: WritePolicy
    forbidden: frozenset[Category]
    read_only: bool


def event_end(said_at: datetime, consent: Consent) -> datetime:
    """Return when a message must be gone, and with it the quotes that are made of it.

    Raises KeyError under OFF: nothing is stored then.
    """
    return said_at + timedelta(days=EVENT_DAYS[consent])


def in_force(server_policy: WritePolicy | None, operators: WritePolicy) -> WritePolicy:
    """Return a server's active policy: its own if it has one, with at most the operator's cap."""
    return (
        operators
        if server_policy is None
        else replace(server_policy, cap=min(server_policy.cap, operators.cap))
    )


def end_of_day(day: date, zone: tzinfo, *, further_days: int = 0) -> datetime:
    """Return the end of a day, in a time zone, or of one ``further_days`` later."""
    length = timedelta(days=1 + further_days)
    if day >= date.max - length:
        return datetime.max.replace(tzinfo=UTC)
    over = day + length
    return datetime(over.year, over.month, over.day, tzinfo=zone)


def memory_end(
    kind: Kind,
    lifetime_days: int | None,
    said_at: datetime,
    consent: Consent,
    longest_days: Mapping[Kind, int] | None = None,
    *,
    until: datetime | None = None,
) -> datetime | None:
    """Return when a memory ends: the shortest of what was asked, its kind's and its consent's.

    Args:
        longest_days: a server's own limits.
        until: when the date that it names is over; a task then lasts up to three years, not 30
            days. What happened once (an episode) stays true afterwards.
    """
    is_dated = until is not None and kind is not Kind.EPISODE
    limits = [
        None if is_dated else lifetime_days,
        MAX_DATED_TASK_DAYS if is_dated and kind is Kind.TASK else MAX_DAYS_KEPT[kind],
        (longest_days or {}).get(kind),
    ]
    if consent is not Consent.LASTING:
        limits.append(TEMPORARY_DAYS)
    days = min((limit for limit in limits if limit is not None), default=None)
    end = None if days is None else said_at + timedelta(days=days)
    if until is None or not is_dated:
        return end
    return until if end is None else min(end, until)


def latest_end(ends: Iterable[datetime | None]) -> datetime | None:
    """Return the latest end; None is permanent."""
    all_ends = list(ends)
    dates = [end for end in all_ends if end is not None]
    return max(dates) if len(dates) == len(all_ends) else None


def starting_confidence(by: VerifiedBy, source: Source, *, is_attached: bool) -> float:
    """Return how sure to be of a verified note at first."""
    confidence = VERIFIED_CONFIDENCE[by] * SOURCE_FACTOR[source]
    return confidence * ATTACHMENT_FACTOR if is_attached else confidence


def confidence_after(confidence: float, *, further_day: bool) -> float:
    """Return the confidence after more evidence: a further day closes 30 % of the gap to 1."""
    return confidence + FURTHER_DAY_CLOSES * (1.0 - confidence) if further_day else confidence


def highest_confidence(verified_by: Sequence[VerifiedBy]) -> float:
    """Return how sure to be at most of a memory: by who verified each piece of its evidence."""
    confidence = max(VERIFIED_CONFIDENCE.get(by, UNVERIFIED_CONFIDENCE) for by in verified_by)
    for _ in verified_by[1:]:
        confidence = confidence_after(confidence, further_day=True)
    return confidence


def status_for(kind: Kind, confidence: float, days: int, policy: WritePolicy) -> Status | None:
    """Return the status a server gives a memory, or None when it is not sure enough to keep.

    A pattern is kept in the shadow until it was seen on enough days.
    """
    if kind in policy.refused_kinds:
        return None
    if kind not in LASTING_KINDS:
        earned = Status.ACTIVE if confidence >= policy.passing_from else None
    elif confidence < policy.proposed_from:
        earned = None
    elif confidence < policy.active_from:
        earned = Status.PROPOSED
    else:
        is_new_pattern = kind is Kind.PATTERN and days < policy.pattern_days
        earned = Status.SHADOW if is_new_pattern else Status.ACTIVE
    if earned is None or policy.mode is WriteMode.SHADOW:
        return earned and Status.SHADOW
    return Status.PROPOSED if earned is Status.ACTIVE and must_wait(kind, policy) else earned


def must_wait(kind: Kind, policy: WritePolicy) -> bool:
    """Return whether notes of a kind wait for a moderator."""
    return policy.mode is WriteMode.MANUAL or (
        policy.mode is not WriteMode.SHADOW and kind in policy.approve_kinds
    )


def days_seen_first(old: Memory | None, policy: WritePolicy) -> int:
    """Return on how many days a new note counts as seen; ``old`` is the note that it makes untrue.

    What takes the place of a habit in use counts as a habit at once: both must not be told.
    """
    is_habit = old is not None and (old.kind, old.status) == (Kind.PATTERN, Status.ACTIVE)
    return policy.pattern_days if is_habit else 1


def status_after(row: Memory, confidence: float, days: int, policy: WritePolicy) -> Status:
    """Return a memory's status after a confirmation; it is never lower than before."""
    status = status_for(row.kind, confidence, days, policy)
    is_lower = status is Status.SHADOW and row.status is Status.PROPOSED
    return row.status if status is None or is_lower or row.status is Status.ACTIVE else status


def quote_status(policy: WritePolicy) -> Status | None:
    """Return a quote's status; None if moderators approve everything, and so want notes only."""
    if policy.mode is WriteMode.MANUAL:
        return None
    return Status.SHADOW if policy.mode is WriteMode.SHADOW else Status.ACTIVE


def confidence_now(row: Memory, now: datetime) -> float:
    """Return a row's confidence after decay: c · 0.5^(days since last said / half-life)."""
    half_life = HALF_LIFE_DAYS[row.kind]
    if half_life is None or now <= row.last_confirmed_at:
        return row.confidence
    days = (now - row.last_confirmed_at).total_seconds() / DAY_S
    return float(row.confidence * 0.5 ** (days / half_life))


def fades_below(kind: Kind, policy: WritePolicy) -> float:
    """Return the confidence below which a memory is left out: for patterns and lore, half their
    threshold; others never fade."""
    if kind not in FADING_KINDS:
        return 0.0
    return (policy.active_from if kind is Kind.PATTERN else policy.passing_from) / 2


def has_faded(row: Memory, now: datetime, policy: WritePolicy) -> bool:
    """Whether a pattern or lore has decayed so far that it is left out."""
    threshold = fades_below(row.kind, policy)
    return threshold > 0 and confidence_now(row, now) < threshold


def least_valued(rows: list[Memory], cap: int) -> list[int]:
    """Return the ids of the rows to drop so that ``cap`` rows remain.

    Quotes go first, and what members asked to remember goes last; else low before medium before
    high importance. How to treat somebody, and what is ahead of them, is of high importance. Among
    equals, the row goes first that was used (or else said) longest ago.
    """

    def value(row: Memory) -> tuple[bool, bool, Importance, datetime, int]:
        is_note, is_explicit = row.form is Form.NOTE, row.source is Source.EXPLICIT
        importance = Importance.HIGH if row.kind in ALWAYS_IMPORTANT else row.importance
        return is_note, is_explicit, importance, row.last_used_at or row.last_confirmed_at, row.id

    return [row.id for row in sorted(rows, key=value)[: max(0, len(rows) - cap)]]
