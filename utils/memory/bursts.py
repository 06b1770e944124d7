"""Taking up a burst: its events, and all that its extraction and its decision may see."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from utils.database import events, guilds, members, memories
from utils.database.engine import Session
from utils.memory import profile
from utils.memory.categories import Category
from utils.memory.heard import Heard
from utils.memory.storable import is_worded
from utils.model.memory import Burst, Consent, Event, EventState, Member, Reading, Role

BEFORE_TURNS = 4
WAITS_FOR_ATTACHMENTS = timedelta(minutes=3)  # after that, what is read by then has to do


@dataclass(frozen=True, slots=True)
class Work:
    """A claimed burst: what the extractor sees, what deciding needs, whose events they are, and
    whether more of them wait."""

    reading: Reading
    heard: Heard
    event_ids: list[int]
    is_more: bool


@dataclass(frozen=True, slots=True)
class PutOff:
    """A burst that waits until what came with its messages has been read."""


def claim(
    session: Session,
    member: Member,
    channel_id: int,
    sources: frozenset[int],
    is_open: bool,
    forbidden: frozenset[Category],
    now: datetime,
) -> Work | PutOff | None:
    """Take up a burst's events, and load what its extraction may see.

    Known memories are shown only as far as the channel's readers can read them: what the model
    writes will be told there again. ``is_open`` says whether everybody can read the channel. What
    nothing may be learnt from any more is done with: consent off, ignored, frozen.
    """
    claimed, is_more = events.claim(session, member, channel_id)
    if not claimed:
        return None
    may_learn = members.leave_to_store(session, member) is not Consent.OFF
    if not may_learn or not any(is_worded(event.text) for event in claimed):
        events.finish(session, [event.id for event in claimed], EventState.DONE)
        return None
    claimed = events.with_surrogates(session, claimed, now, whole=True)
    if any(_is_unread(event, now) for event in claimed):
        events.put_back(session, [event.id for event in claimed])
        return PutOff()
    before = events.before(session, claimed[0], BEFORE_TURNS)
    return work_of(session, claimed, before, sources, is_open, forbidden, now, is_more=is_more)


def work_of(
    session: Session,
    claimed: Sequence[Event],
    before: Sequence[Event],
    sources: frozenset[int],
    is_open: bool,
    forbidden: frozenset[Category],
    now: datetime,
    *,
    is_more: bool,
) -> Work:
    """Load what the extraction of some events of one member may see, and what deciding needs.

    ``before`` is what was said before them, oldest first.
    """
    member, channel_id = claimed[0].member, claimed[0].channel_id
    here = {event.source_id for event in claimed}
    open_sources = sources | here if is_open else sources - here - {channel_id}
    sources |= here
    rows = [row for row in memories.load_current(session, member, now) if row.channel_id in sources]
    standing = members.standing(session, member)
    live = [row for row in rows if row.is_live(now)]
    reading = Reading(
        burst=Burst(member, channel_id, tuple(claimed)),
        before=tuple(before),
        rows=tuple(rows),
        profile=profile.readable(standing.profile, live).text,
        time_zone=guilds.load(session, member.guild_id).time_zone,
    )
    to_them = before[-1] if before and _is_between(before[-1], member, before) else None
    heard = Heard(
        sources=sources,
        open_sources=open_sources,
        previous=_previous(claimed, to_them),
        asked=_asked(session, claimed, to_them),
        others=tuple(event.text for event in before if _is_others(event, member)),
        forbidden=forbidden,
        attached={event.id: event.surrogates for event in claimed if event.surrogates},
        names=tuple({event.author_name for event in before if _is_others(event, member)}),
    )
    return Work(reading, heard, [event.id for event in claimed], is_more)


def _previous(claimed: Sequence[Event], to_them: Event | None) -> dict[int, str]:
    """Return what was said just before each event, between the member and Kith."""
    earlier = [to_them, *claimed]
    return {
        event.id: before.text
        for event, before in zip(claimed, earlier, strict=False)
        if before is not None
    }


def _asked(session: Session, claimed: Sequence[Event], to_them: Event | None) -> dict[int, str]:
    """Return what each event answers: the message it replies to, or Kith's question before it."""
    asked = {}
    if to_them is not None and to_them.role is Role.KITH and "?" in to_them.text:
        asked[claimed[0].id] = to_them.text
    for event in claimed:
        if event.reply_to_id is not None:
            replied_to = events.text_of(session, event.guild_id, event.reply_to_id)
            if replied_to:
                asked[event.id] = replied_to
    return asked


def _is_unread(event: Event, now: datetime) -> bool:
    """Whether something that came with an event is likely to be read soon."""
    is_recent = now - event.created_at < WAITS_FOR_ATTACHMENTS
    return is_recent and any(one.is_unfinished for one in event.surrogates)


def _is_others(event: Event, member: Member) -> bool:
    return event.role is Role.MEMBER and event.author_id != member.user_id


def _is_between(event: Event, member: Member, heard: Sequence[Event]) -> bool:
    """Whether an event is the member's own, or Kith's answer to them that told of nobody else.

    Nobody else's words are kept with their memories, where they could not be erased.
    """
    if event.role is Role.MEMBER:
        return event.author_id == member.user_id
    own = {one.message_id for one in heard if one.author_id == member.user_id}
    return event.reply_to_id in own and {*event.about_ids} <= {member.user_id}
