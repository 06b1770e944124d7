"""What members are told of their own memory: all of it, or why one thing is in it. Only reads."""

from datetime import datetime

from utils.database import (
    account_links,
    histories,
    members,
    memories,
    open_loops,
    summaries,
    surrogates,
)
from utils.database.engine import Session
from utils.memory import profile
from utils.model.memory import Member, Memory
from utils.model.recall import Shown
from utils.model.transfer import Backed, Export, Why

MOST_VIEWS = 3


def shown(session: Session, member: Member, sources: frozenset[int] | None, now: datetime) -> Shown:
    """Return what is known of a member, newest first, as far as readers of ``sources`` may know."""
    standing = members.standing(session, member)
    current = memories.load_current(session, member, now)
    past = memories.load_past(session, member, now)
    rows = [row for row in current if sources is None or row.channel_id in sources]
    live = [row for row in rows if row.is_live(now)]
    return Shown(
        profile=profile.readable(standing.profile, live).text,
        rows=tuple(reversed(rows)),
        consent=members.consent(session, member),
        choices=members.choices(session, member),
        past={by: row for row, by in past if sources is None or row.channel_id in sources},
        linked_id=standing.linked_id,
        views=tuple(histories.deeds(session, member, action=histories.VIEWED, limit=MOST_VIEWS)),
    )


def why(session: Session, member: Member, memory_id: int, now: datetime) -> Why | None:
    """Return what a row rests on, what it took the place of, and what took its place."""
    past = memories.load_past(session, member, now)
    replaced_by = {row.id: by for row, by in past}
    rows = {row.id: row for row, _ in past}
    rows |= {row.id: row for row in memories.load_current(session, member, now)}
    if memory_id not in rows:
        return None
    evidence = histories.evidence_by_row(session, [memory_id])
    by = replaced_by.get(memory_id)
    return Why(
        row=Backed(rows[memory_id], evidence.get(memory_id, ()), by),
        before=tuple(_before(memory_id, past)),
        after=None if by is None else rows.get(by),
    )


def export(session: Session, member: Member, now: datetime) -> Export:
    """Return everything stored of a member."""
    standing = members.standing(session, member)
    past = memories.load_past(session, member, now)
    current = memories.load_current(session, member, now)
    replaced_by = {row.id: by for row, by in past}
    rows = sorted([*current, *(row for row, _ in past)], key=lambda row: row.id)
    evidence = histories.evidence_by_row(session, [row.id for row in rows])
    live = [row for row in current if row.is_live(now)]
    return Export(
        member=member,
        version=standing.version,
        made_at=now,
        consent=members.consent(session, member),
        choices=members.choices(session, member),
        profile=profile.readable(standing.profile, live).text,
        rows=tuple(Backed(row, evidence.get(row.id, ()), replaced_by.get(row.id)) for row in rows),
        events=tuple(histories.own_events(session, member, now)),
        audit=tuple(reversed(histories.deeds(session, member))),
        link=account_links.named_by(session, member),
        attachments=tuple(surrogates.of_member(session, member, now)),
        loops=tuple(open_loops.all_of(session, member, now)),
        chapters=summaries.count_of(session, member, now),
    )


def _before(memory_id: int, past: list[tuple[Memory, int]]) -> list[Memory]:
    """Return what a row took the place of, and what that had, newest first."""
    found: list[Memory] = []
    wave = {memory_id}
    while wave:
        earlier = [row for row, by in past if by in wave and row not in found]
        found += sorted(earlier, key=lambda row: row.id, reverse=True)
        wave = {row.id for row in earlier}
    return found
