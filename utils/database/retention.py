"""Ends that nobody asks for: members who left, servers that removed Kith, rows without evidence.

The caller of anything that changes a member's rows holds that member's lock.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import date, datetime

from sqlalchemy import ColumnElement, Table, and_, delete, exists, func, or_, select, update

from utils.database import account_links, ledger, memories, policies
from utils.database.engine import Session
from utils.database.tables import (
    account_link,
    erasure_ledger,
    guild_settings,
    memory_audit,
    memory_event,
    memory_evidence,
    metadata,
    passive_refusal,
    token_use,
    user_memory,
    user_state,
    watched_channel,
)
from utils.database.upsert import delete_some
from utils.model.memory import DIRECT_MESSAGES, Consent, Member
from utils.model.operator import Erasing, Erasure

NOBODY = Member(-1, -1)
_OUTLIVE_SERVERS = (user_state, memory_audit, passive_refusal, erasure_ledger)
_OUTLIVE_MEMBERS = (*_OUTLIVE_SERVERS, user_memory)
_BLANK_STATE = {
    "UserNotes": "",
    "NotesRowIds": "",
    "PassiveOptIn": False,
    "MemoryVersion": user_state.c.MemoryVersion + 1,
    "LastSeenAt": None,
    "LeftAt": None,
    "ConsentAskedAt": None,
}

# --- members ------------------------------------------------------------------------------------


def is_known(session: Session, member: Member) -> bool:
    """Whether anything at all is stored of a member."""
    said = memory_event.c
    state = select(user_state.c.UserId).where(*_is(user_state, member)).limit(1)
    event = (
        select(said.Id)
        .where(said.GuildId == member.guild_id, said.AuthorId == member.user_id)
        .limit(1)
    )
    return any(session.execute(query).first() is not None for query in (state, event))


def set_left(session: Session, member: Member, at: datetime | None) -> None:
    """Note when a member left, or None: that they are here."""
    change = update(user_state).where(*_is(user_state, member)).values(LeftAt=at)
    session.execute(change)


def forget_returns(session: Session) -> None:
    """Take back that somebody left who has spoken since."""
    columns = user_state.c
    session.execute(
        update(user_state)
        .where(columns.LeftAt.is_not(None), columns.LastSeenAt > columns.LeftAt)
        .values(LeftAt=None)
    )


def departed(
    session: Session, left_by: datetime, unseen_since: datetime, after: Member, limit: int
) -> list[Member]:
    """Return the next members who left by then, or were not seen since then and never chose (nor
    were promised) to be remembered for longer."""
    columns = user_state.c
    effective = func.coalesce(columns.Consent, guild_settings.c.ConsentDefault, Consent.TEMPORARY)
    left = and_(
        columns.LeftAt <= left_by,
        or_(columns.LastSeenAt.is_(None), columns.LastSeenAt <= columns.LeftAt),
    )
    unseen = and_(columns.LastSeenAt <= unseen_since, effective != Consent.LASTING)
    rows = session.execute(
        select(columns.GuildId, columns.UserId)
        .select_from(
            user_state.outerjoin(guild_settings, guild_settings.c.GuildId == columns.GuildId)
        )
        .where(or_(left, unseen), _comes_after(after))
        .order_by(columns.GuildId, columns.UserId)
        .limit(limit)
    )
    return [Member(row.GuildId, row.UserId) for row in rows]


def quiet(session: Session, unseen_since: datetime, after: Member, limit: int) -> list[Member]:
    """Return the next members of whom something is remembered who were not seen since then, or
    never: they may have left."""
    columns, theirs = user_state.c, user_memory.c
    remembered = exists().where(theirs.GuildId == columns.GuildId, theirs.UserId == columns.UserId)
    rows = session.execute(
        select(columns.GuildId, columns.UserId)
        .where(
            columns.GuildId != DIRECT_MESSAGES,
            columns.LeftAt.is_(None),
            or_(columns.LastSeenAt.is_(None), columns.LastSeenAt <= unseen_since),
            or_(
                columns.GuildId > after.guild_id,
                and_(columns.GuildId == after.guild_id, columns.UserId > after.user_id),
            ),
            remembered,
        )
        .order_by(columns.GuildId, columns.UserId)
        .limit(limit)
    )
    return [Member(row.GuildId, row.UserId) for row in rows]


def servers_of(session: Session, user_id: int) -> list[int]:
    """Return every server in which anything is stored of a person."""
    found = {
        guild_id
        for table in metadata.sorted_tables
        if "GuildId" in table.c and "UserId" in table.c and table is not erasure_ledger
        for guild_id in session.scalars(
            select(table.c.GuildId).where(table.c.UserId == user_id).distinct()
        )
    }
    said = memory_event.c
    found.update(session.scalars(select(said.GuildId).where(said.AuthorId == user_id).distinct()))
    named = account_link.c  # by somebody who called it their other account
    found.update(session.scalars(select(named.GuildId).where(named.OtherId == user_id).distinct()))
    return sorted(found)


def blank_member(session: Session, member: Member) -> int:
    """Erase what is stored of a member besides their memories and messages.

    Their row stays with its number only, and with what keeps them from being remembered: consent
    off, not to be listened to, and a moderator's order to ignore them. The audit keeps that things
    happened, without words. Returns how many further rows were deleted.
    """
    _blank_states(session, and_(*_is(user_state, member)))
    _blank_audit(session, and_(*_is(memory_audit, member)))
    return account_links.erase(session, member) + sum(
        session.execute(delete(table).where(*_is(table, member))).rowcount
        for table in metadata.sorted_tables
        if "GuildId" in table.c and "UserId" in table.c and table not in _OUTLIVE_MEMBERS
    )


def _blank_states(session: Session, whose: ColumnElement[bool]) -> None:
    columns = user_state.c
    session.execute(update(user_state).where(whose).values(_BLANK_STATE))
    session.execute(
        update(user_state).where(whose, columns.Consent != Consent.OFF).values(Consent=None)
    )


def _blank_audit(session: Session, whose: ColumnElement[bool]) -> None:
    columns = memory_audit.c
    has_words = or_(columns.Before.is_not(None), columns.After.is_not(None))
    session.execute(update(memory_audit).where(whose, has_words).values(Before=None, After=None))


# --- servers ------------------------------------------------------------------------------------


def servers(session: Session) -> dict[int, datetime | None]:
    """Return every server of which anything is stored, and when it removed Kith."""
    found: dict[int, datetime | None] = dict.fromkeys(
        guild_id
        for table in (user_state, watched_channel)
        for guild_id in session.scalars(select(table.c.GuildId).distinct())
    )
    for row in session.execute(select(guild_settings.c.GuildId, guild_settings.c.RemovedAt)):
        found[row.GuildId] = row.RemovedAt
    found.pop(DIRECT_MESSAGES, None)
    return found


def set_removed(session: Session, guild_ids: Collection[int], at: datetime | None) -> None:
    """Note when servers removed Kith, or None: that it is there."""
    columns = guild_settings.c
    for guild_id in guild_ids:
        if at is not None:
            policies.lock(session, guild_id)
        change = update(guild_settings).where(columns.GuildId == guild_id)
        if at is not None:
            change = change.where(columns.RemovedAt.is_(None))
        session.execute(change.values(RemovedAt=at))


def removed_servers(session: Session, removed_by: datetime) -> list[int]:
    """Return the servers that removed Kith by then."""
    columns = guild_settings.c
    return list(session.scalars(select(columns.GuildId).where(columns.RemovedAt <= removed_by)))


def is_removed(session: Session, guild_id: int) -> bool:
    """Whether a server has removed Kith, and not taken it back."""
    columns = guild_settings.c
    removed = select(columns.GuildId).where(
        columns.GuildId == guild_id, columns.RemovedAt.is_not(None)
    )
    return session.execute(removed).first() is not None


def hold_removed(session: Session, guild_id: int, removed_by: datetime) -> bool:
    """Whether a server removed Kith by then; if so, nobody can take it back in this unit."""
    columns = guild_settings.c
    held = session.execute(
        update(guild_settings)
        .where(columns.GuildId == guild_id, columns.RemovedAt <= removed_by)
        .values(RemovedAt=columns.RemovedAt)
    )
    return bool(held.rowcount)


def note_server(session: Session, guild_id: int, now: datetime) -> None:
    """Enter in the ledger, once, that a server's erasure which began then is under way."""
    erasure = Erasure(now, Erasing.SERVER, guild_id)
    if not ledger.is_noted(session, erasure):
        ledger.note(session, erasure)


def rows_of_server(session: Session, guild_id: int, limit: int) -> dict[Member, list[int]]:
    """Return up to ``limit`` ids of a server's memories, by member."""
    columns = user_memory.c
    rows = session.execute(
        select(columns.UserId, columns.Id)
        .where(columns.GuildId == guild_id)
        .order_by(columns.UserId, columns.Id)
        .limit(limit)
    )
    found: dict[Member, list[int]] = {}
    for row in rows:
        found.setdefault(Member(guild_id, row.UserId), []).append(row.Id)
    return found


def delete_messages(session: Session, guild_id: int, limit: int) -> int:
    """Delete up to ``limit`` of a server's messages; returns how many."""
    columns = memory_event.c
    of_server = columns.GuildId == guild_id
    return len(delete_some(session, memory_event, of_server, limit, returning=[columns.Id]))


def delete_server(session: Session, guild_id: int) -> None:
    """Delete what is left of a server whose memories and messages are gone, its settings too.

    Of its members only what :func:`blank_member` keeps is left.
    """
    _blank_states(session, user_state.c.GuildId == guild_id)
    _blank_audit(session, memory_audit.c.GuildId == guild_id)
    for table in metadata.sorted_tables:
        if "GuildId" in table.c and table not in _OUTLIVE_SERVERS:
            session.execute(delete(table).where(table.c.GuildId == guild_id))


# --- rows ---------------------------------------------------------------------------------------


def without_evidence(session: Session, after_id: int, limit: int) -> list[tuple[int, Member]]:
    """Return the next rows that nothing supports, by their ids."""
    columns = user_memory.c
    rows = session.execute(
        select(columns.Id, columns.GuildId, columns.UserId)
        .where(columns.Id > after_id, _is_unsupported())
        .order_by(columns.Id)
        .limit(limit)
    )
    return [(row.Id, Member(row.GuildId, row.UserId)) for row in rows]


def still_without_evidence(session: Session, ids: Collection[int]) -> list[int]:
    """Return those of these rows that nothing supports."""
    columns = user_memory.c
    return [
        row_id
        for some in memories.chunks(list(ids))
        for row_id in session.scalars(
            select(columns.Id).where(columns.Id.in_(some), _is_unsupported())
        )
    ]


def still_expired(session: Session, ids: Sequence[int], now: datetime) -> list[int]:
    """Return those of these rows whose time is over; the caller holds their member's lock."""
    columns = user_memory.c
    is_over = select(columns.Id).where(columns.ExpiresAt <= now)
    return [
        row_id
        for some in memories.chunks(ids)
        for row_id in session.scalars(is_over.where(columns.Id.in_(some)))
    ]


def delete_token_use(session: Session, before: date, limit: int) -> Counter[int]:
    """Delete up to ``limit`` rows of what was spent before that day; returns how many went, by
    server."""
    columns = token_use.c
    old = columns.Day < before.isoformat()
    gone = delete_some(session, token_use, old, limit, returning=[columns.GuildId])
    return Counter(row.GuildId for row in gone)


def _is_unsupported() -> ColumnElement[bool]:
    return ~exists().where(memory_evidence.c.MemoryId == user_memory.c.Id)


def _is(table: Table, member: Member) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return table.c.GuildId == member.guild_id, table.c.UserId == member.user_id


def _comes_after(member: Member) -> ColumnElement[bool]:
    columns = user_state.c
    return or_(
        columns.GuildId > member.guild_id,
        and_(columns.GuildId == member.guild_id, columns.UserId > member.user_id),
    )
