"""Messages of the past on their way to memory: stored as their authors allow, then read in bursts.

Nobody waits for an answer here, so that what one person says within two minutes is read at once.
Where a message was said, its readers are unknown: like what a crash left over, it is told to nobody
who cannot read that very channel, and enters no profile.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from utils.database import imports, members
from utils.database.engine import Session
from utils.database.events import BURST_CHARACTERS, BURST_LIMIT
from utils.memory import bursts, policy
from utils.memory.bursts import BEFORE_TURNS, Work
from utils.memory.categories import Category
from utils.memory.decide import decide
from utils.memory.retention import take_back
from utils.memory.storable import storable, storable_text
from utils.model.history import Known, Leave, Unread
from utils.model.memory import Consent, Event, Extraction, Member, Method, Source
from utils.model.plan import Plan
from utils.model.policy import WritePolicy

GAP = timedelta(seconds=120)
UNREAD_FOR = timedelta(days=7)
"""How long what is over already waits to be read."""
MARKED_FOR = timedelta(days=365)
"""How long its id says, without words, that it was read."""


class Joined:
    """Tells where one person's next message still belongs to what they said before."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._characters = 0

    def take(self, event: Event) -> bool:
        """Take a message in; False if another burst begins with it."""
        if self.events:
            apart = abs(event.created_at - self.events[-1].created_at)
            is_full = len(self.events) == BURST_LIMIT
            if is_full or apart > GAP or self._characters + len(event.text) > BURST_CHARACTERS:
                return False
        self.events.append(event)
        self._characters += len(event.text)
        return True


def reason_to_leave_out(
    event: Event, leave: Leave | None, known: Known | None, now: datetime
) -> Unread | None:
    """Return why a message is not stored; None if it is, or if it waits to be read already."""
    if leave is None or (leave.since is not None and event.created_at < leave.since):
        return Unread.NO_LEAVE
    if event.created_at > now:
        return Unread.FUTURE
    if known is not None and known.is_waiting and known.revision >= event.revision:
        return None
    if known is not None and (known.revision >= event.revision or _says_nothing_new(event, known)):
        return Unread.KNOWN
    is_over = policy.event_end(event.created_at, leave.consent) <= now
    return Unread.TOO_OLD if is_over and leave.consent is not Consent.LASTING else None


def _says_nothing_new(event: Event, known: Known) -> bool:
    """Whether an edit changed no word; what has lost its words is not heard again either."""
    return known.text in ("", storable_text(event.text))


def end_of(event: Event, leave: Leave, now: datetime) -> datetime:
    """Return when a message must be gone: what is over already stays until it has been read."""
    end = policy.event_end(event.created_at, leave.consent)
    return end if end > now else now + UNREAD_FOR


@dataclass(frozen=True, slots=True)
class Judged:
    """A batch of messages, each with why it is left out (None: it is not), and by what."""

    verdicts: list[tuple[Event, Unread | None]]
    known: Mapping[int, Known]
    leaves: Mapping[int, Leave]

    @property
    def last_id(self) -> int:
        """The last of the messages that are not left out; 0: there is none."""
        taken = (event.message_id for event, why in reversed(self.verdicts) if why is None)
        return next(taken, 0)


def judge(session: Session, events: Sequence[Event], now: datetime) -> Judged:
    """Decide which messages of one server are left out, and why."""
    if not events:
        return Judged([], {}, {})
    guild_id = events[0].guild_id
    leaves = imports.leaves(session, guild_id, {event.author_id for event in events})
    known = imports.known(session, guild_id, {event.message_id for event in events})
    seen: set[int] = set()
    verdicts: list[tuple[Event, Unread | None]] = []
    for event in events:
        leave, before = leaves.get(event.author_id), known.get(event.message_id)
        why = reason_to_leave_out(event, leave, before, now)
        if why is None and event.message_id in seen:
            why = Unread.KNOWN
        seen.add(event.message_id)
        verdicts.append((event, why))
    return Judged(verdicts, known, leaves)


def store(session: Session, judged: Judged, now: datetime) -> int:
    """Store what is not left out, in the place of earlier revisions; returns how many were new.

    The caller holds the authors.
    """
    rows = []
    for event, why in judged.verdicts:
        known = judged.known.get(event.message_id)
        if why is not None or (known is not None and known.revision >= event.revision):
            continue
        if known is not None:
            earlier = event.revision - 1
            take_back(session, event.guild_id, [event.message_id], now, until=earlier)
        rows.append((storable(event), end_of(event, judged.leaves[event.author_id], now)))
    return imports.store(session, rows)


def take_up(
    session: Session,
    member: Member,
    channel_id: int,
    after_id: int,
    forbidden: frozenset[Category],
    now: datetime,
) -> Work | None:
    """Load a member's next burst of a channel's past; None where nothing waits, or nothing may be
    learnt of them any more."""
    if member.user_id not in imports.leaves(session, member.guild_id, [member.user_id]):
        return None
    found = imports.waiting(session, member, channel_id, after_id, BURST_LIMIT)
    if not found:
        return None
    burst = Joined()
    for event in found:
        if not burst.take(event):
            break
    return bursts.work_of(
        session,
        burst.events,
        imports.before(session, found[0], BEFORE_TURNS),
        frozenset(),
        is_open=False,
        forbidden=forbidden,
        now=now,
        is_more=True,
    )


def learn(
    session: Session,
    member: Member,
    work: Work,
    extraction: Extraction,
    write_policy: WritePolicy,
    now: datetime,
) -> Plan:
    """Change what is remembered of a member by what was read, and be done with the messages."""
    plan = members.change(
        session,
        member,
        partial(
            decide,
            extraction=as_import(extraction),
            write_policy=write_policy,
            heard=work.heard,
        ),
        now=now,
        event_ids=work.event_ids,
    )
    finish(session, work, now)
    return plan


def finish(session: Session, work: Work, now: datetime) -> None:
    """Be done with messages; those older than lasting memory keeps any lose their words at once."""
    imports.finish(session, work.event_ids)
    over = [
        event.id
        for event in work.reading.burst.events
        if policy.event_end(event.created_at, Consent.LASTING) <= now
    ]
    imports.blank(session, over, now + MARKED_FOR)


def as_import(extraction: Extraction) -> Extraction:
    """Return an extraction as one of the past: as sure as in a chat, and not held to the limits of
    what a member may say of themselves at once."""
    candidates = tuple(replace(one, source=Source.IMPORT) for one in extraction.candidates)
    return replace(extraction, candidates=candidates, method=Method.IMPORT)
