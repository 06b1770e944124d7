"""A member's state, and :func:`change`, through which all their memories change.

:func:`change` locks the member, loads their state, calls a pure function and applies its plan. The
first statement takes the lock (the row's MemoryVersion) on both databases. It also invalidates
every cached copy of the member's memories.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, bindparam, func, select, true, update
from sqlalchemy.exc import IntegrityError

from utils.database.core.engine import Connection
from utils.database.core.filters import after_member, of_member
from utils.database.core.queries import Selection, run
from utils.database.guilds import account_links
from utils.database.memories import corrections, memories, write_policies
from utils.database.messages import events, summaries
from utils.database.privacy import tombstones
from utils.database.schema.memory_tables import guild_settings, user_memory, user_state
from utils.models.guild import GuildSettings
from utils.models.memory import (
    SERVER_USER_ID,
    Consent,
    Kind,
    Member,
    MemberHeader,
    Memory,
    Profile,
    Status,
)
from utils.models.plan import MemberState, Plan
from utils.models.policy import NO_WRITES

NO_HEADER = MemberHeader()

# Built once: every recall runs it, and building costs more than running.
_HEADER = select(
    user_state.c.MemoryVersion,
    user_state.c.UserNotes,
    user_state.c.NotesRowIds,
    user_state.c.Consent,
    user_state.c.Ignored,
    account_links.LINKED_ID.label("LinkedId"),
).where(user_state.c.GuildId == bindparam("guild_id"), user_state.c.UserId == bindparam("user_id"))


def load_header(connection: Connection, member: Member) -> MemberHeader:
    """Return what recall needs of a member's state, by one seek; defaults for an unknown member."""
    return run(connection, header(member))


def header(member: Member) -> Selection[MemberHeader]:
    """Return the query of :func:`load_header`."""
    return Selection(_HEADER, {"guild_id": member.guild_id, "user_id": member.user_id}, _header)


def _header(rows: Sequence[Row[Any]]) -> MemberHeader:
    if not rows:
        return NO_HEADER
    (row,) = rows
    return MemberHeader(
        version=row.MemoryVersion,
        profile=_profile(row.UserNotes, row.NotesRowIds),
        consent=row.Consent,
        ignored=row.Ignored,
        linked_id=row.LinkedId,
    )


def consent(connection: Connection, member: Member) -> Consent:
    """Return the member's own choice of consent, else the server's default."""
    chosen: Consent | None = connection.scalar(select(user_state.c.Consent).where(_is(member)))
    if chosen is not None:
        return chosen
    default: Consent | None = connection.scalar(
        select(guild_settings.c.ConsentDefault).where(guild_settings.c.GuildId == member.guild_id)
    )
    return default or GuildSettings(member.guild_id).consent_default


def effective_consent(connection: Connection, member: Member) -> Consent:
    """Return the consent under which a member's messages may be stored now.

    It is OFF for a member whom moderators ignore, and in a frozen server.
    """
    state = connection.execute(
        select(user_state.c.Ignored, user_state.c.Consent).where(_is(member))
    ).one_or_none()
    columns = guild_settings.c
    server = connection.execute(
        select(columns.Frozen, columns.ConsentDefault).where(columns.GuildId == member.guild_id)
    ).one_or_none()
    if (state is not None and state.Ignored) or (server is not None and server.Frozen):
        return Consent.OFF
    default = GuildSettings(member.guild_id).consent_default if server is None else server[1]
    chosen: Consent = default if state is None or state.Consent is None else state.Consent
    return chosen


def set_ignored(connection: Connection, member: Member, *, ignored: bool) -> bool:
    """Store whether Kith ignores a member; returns False if nothing changed."""
    lock(connection, member)
    changed = connection.execute(
        update(user_state)
        .where(_is(member), user_state.c.Ignored != ignored)
        .values(Ignored=ignored)
    )
    return bool(changed.rowcount)


def list_ignored(connection: Connection, guild_id: int) -> list[int]:
    """Return the ids of the members whom a server's moderators ignore, in ascending order."""
    return list(
        connection.scalars(
            select(user_state.c.UserId)
            .where(user_state.c.GuildId == guild_id, user_state.c.Ignored == true())
            .order_by(user_state.c.UserId)
        )
    )


def set_consent(connection: Connection, member: Member, choice: Consent) -> None:
    """Store the member's own choice of consent."""
    lock(connection, member)
    connection.execute(update(user_state).where(_is(member)).values(Consent=choice))


def needs_consent_prompt(connection: Connection, member: Member) -> bool:
    """Return whether a member has neither chosen a consent nor been asked."""
    row = connection.execute(
        select(user_state.c.Consent, user_state.c.ConsentAskedAt).where(_is(member))
    ).one_or_none()
    return row is None or (row.Consent is None and row.ConsentAskedAt is None)


def mark_consent_asked(connection: Connection, member: Member, now: datetime) -> bool:
    """Store that a member is asked now; returns False if they were asked before, or have chosen."""
    lock(connection, member)
    if not needs_consent_prompt(connection, member):
        return False
    connection.execute(update(user_state).where(_is(member)).values(ConsentAskedAt=now))
    return True


def unmark_consent_asked(connection: Connection, member: Member) -> bool:
    """Undo :func:`mark_consent_asked`; returns False if the member has chosen by now."""
    change = update(user_state).where(_is(member), user_state.c.Consent.is_(None))
    return bool(connection.execute(change.values(ConsentAskedAt=None)).rowcount)


def reset_consent_asked(connection: Connection, guild_id: int) -> None:
    """Make Kith ask every member of a server again who has not chosen."""
    connection.execute(
        update(user_state)
        .where(user_state.c.GuildId == guild_id, user_state.c.Consent.is_(None))
        .values(ConsentAskedAt=None)
    )


def list_without_choice(
    connection: Connection, guild_id: int, after_id: int, limit: int
) -> list[Member]:
    """Return the next members who have not chosen a consent, in the order of their ids."""
    columns = user_state.c
    user_ids = connection.scalars(
        select(columns.UserId)
        .where(columns.GuildId == guild_id, columns.Consent.is_(None), columns.UserId > after_id)
        .order_by(columns.UserId)
        .limit(limit)
    )
    return [Member(guild_id, user_id) for user_id in user_ids]


def guilds_of(connection: Connection, user_id: int) -> list[int]:
    """Return the ids of the servers with a state of this user, in ascending order."""
    return list(
        connection.scalars(
            select(user_state.c.GuildId)
            .where(user_state.c.UserId == user_id)
            .order_by(user_state.c.GuildId)
        )
    )


def lock_existing(connection: Connection, guild_id: int, user_ids: Collection[int]) -> bool:
    """Lock the members who have a row, without invalidating cached copies of their memories.

    An opt-out either commits first and is seen here, or commits later and erases what this unit of
    work stores. Returns whether all of the members have a row.
    """
    columns = user_state.c
    locked = connection.execute(
        update(user_state)
        .where(columns.GuildId == guild_id, columns.UserId.in_(sorted(user_ids)))
        .values(MemoryVersion=columns.MemoryVersion)
    )
    return locked.rowcount == len(user_ids)


def lock_authors(connection: Connection, guild_id: int, user_ids: Collection[int]) -> None:
    """Lock members whose words are about to be stored, before their choices are read.

    No row is inserted for members without one. For them the server's own row is locked, which an
    opt-out locks before it erases. So it commits first and is seen, or erases what is stored.
    """
    if not lock_existing(connection, guild_id, user_ids):
        server = Member(guild_id, SERVER_USER_ID)
        if not lock_existing(connection, guild_id, [SERVER_USER_ID]):
            lock(connection, server)


def lock(connection: Connection, member: Member) -> None:
    """Lock the member by incrementing MemoryVersion; inserts their row if there is none."""
    raise_version = (
        update(user_state).where(_is(member)).values(MemoryVersion=user_state.c.MemoryVersion + 1)
    )
    if connection.execute(raise_version).rowcount:
        return
    try:
        with connection.begin_nested():
            connection.execute(
                user_state.insert().values(
                    GuildId=member.guild_id,
                    UserId=member.user_id,
                    UserNotes="",
                    NotesRowIds="",
                    PassiveOptIn=False,
                    Ignored=False,
                    MemoryVersion=1,
                )
            )
    except IntegrityError:
        connection.execute(raise_version)


def lock_accounts(connection: Connection, member: Member) -> tuple[Member, ...]:
    """Lock a member and their linked account; returns them, the member first.

    Both are locked in the order of their ids, so that two requests cannot wait for each other. An
    account linked during the call is left out, as if the link had been made afterwards.
    """
    other = account_links.other_account(connection, member)
    locked = [member] if other is None else sorted((member, other), key=lambda m: m.user_id)
    for account in locked:
        lock(connection, account)
    is_still_linked = other is not None and account_links.other_account(connection, member) == other
    return (member, other) if other is not None and is_still_linked else (member,)


def invalidate_guild(connection: Connection, guild_id: int) -> None:
    """Invalidate every cached copy of a server's messages, in every process, after an erasure.

    Increments the version of the server's own row (user 0, which owns the lore). Call it in the
    unit of work that erases, after locking the members concerned.
    """
    lock(connection, Member(guild_id, SERVER_USER_ID))


def change(
    connection: Connection,
    member: Member,
    decide: Callable[[MemberState], Plan],
    *,
    now: datetime,
    event_ids: Sequence[int] = (),
    actor_id: int = 0,
    counts_writes: bool = False,
) -> Plan:
    """Change a member's memories in one unit of work; returns the plan with the new rows' ids.

    ``decide`` is pure: it sees only the state loaded here, under the lock. ``actor_id`` 0 is Kith.
    ``counts_writes``: it needs to know how much was written lately, also without events.
    """
    lock(connection, member)
    state = load_state(
        connection, member, now=now, event_ids=event_ids, counts_writes=counts_writes
    )
    plan = decide(state)
    inserted = memories.apply_plan(connection, member, plan, now=now, actor_id=actor_id)
    for confirmed in plan.confirmations:
        if confirmed.supersedes is not None:
            corrections.replace_corrected(
                connection, member, confirmed.row_id, confirmed.supersedes, now, actor_id
            )
    if plan.profile is not None:
        row_ids = plan.profile.row_ids + tuple(inserted[i] for i in plan.profile_inserts)
        save_profile(connection, member, Profile(plan.profile.text, row_ids))
    withhold(connection, member.guild_id, _withheld(plan, state))
    return replace(plan, inserted=tuple(inserted))


def withhold(connection: Connection, guild_id: int, message_ids: Collection[int]) -> None:
    """Delete the summaries that were made of messages on which an unapproved memory rests now."""
    if message_ids and summaries.withhold(connection, guild_id, message_ids):
        invalidate_guild(connection, guild_id)


def _withheld(plan: Plan, state: MemberState) -> set[int]:
    """Return the messages behind the memories of a plan that wait for approval or stay unused."""
    message_ids = {
        new.evidence.message_id
        for new in plan.inserts
        if new.status is Status.PROPOSED
        or (new.status is Status.SHADOW and new.kind is not Kind.PATTERN)
    }
    for change in plan.confirmations:
        if change.status is Status.PROPOSED:
            message_ids.add(change.evidence.message_id)
            message_ids |= {ref.message_id for ref in state.evidence.get(change.row_id, ())}
    return message_ids


def load_state(
    connection: Connection,
    member: Member,
    *,
    now: datetime,
    event_ids: Sequence[int] = (),
    counts_writes: bool = False,
) -> MemberState:
    """Load everything that ``decide`` may know about a member."""
    header = load_header(connection, member)
    is_ignored = connection.scalar(select(user_state.c.Ignored).where(_is(member)))
    surviving = tuple(events.load_existing(connection, list(event_ids))) if event_ids else ()
    said_at = max((event.created_at for event in surviving), default=now)
    rows = tuple(memories.load_current(connection, member, now))
    return MemberState(
        member=member,
        now=now,
        consent=consent(connection, member),
        frozen=_is_frozen(connection, member.guild_id),
        version=header.version,
        rows=rows,
        profile=header.profile,
        tombstones=tombstones.permanent(
            connection, member.guild_id, [e.message_id for e in surviving]
        ),
        events=surviving,
        evidence=memories.load_evidence(connection, member) if event_ids else {},
        ignored=bool(is_ignored),
        policy=write_policies.load(connection, member.guild_id),
        writes=write_policies.count_writes(connection, member, said_at, now)
        if event_ids or counts_writes
        else NO_WRITES,
        corrected=corrections.corrected_ids(
            connection, member, [row.id for row in rows if row.status is not Status.ACTIVE]
        )
        if event_ids
        else {},
    )


def save_profile(connection: Connection, member: Member, profile: Profile) -> None:
    """Store the profile and the ids of its source memories; the caller holds the lock."""
    connection.execute(
        update(user_state)
        .where(_is(member))
        .values(UserNotes=profile.text, NotesRowIds=" ".join(map(str, profile.row_ids)))
    )


def refresh_profile(
    connection: Connection,
    member: Member,
    remaining: Callable[[Profile, list[Memory]], Profile],
    now: datetime,
) -> None:
    """Rewrite the profile if one of its source memories is gone; the caller holds the lock.

    ``remaining`` is the pure function that returns the new profile.
    """
    stored = load_header(connection, member).profile
    if stored.row_ids:
        profile = remaining(stored, memories.load_current(connection, member, now))
        if profile is not stored:
            save_profile(connection, member, profile)


def over_cap(connection: Connection, cap: int, after: Member, limit: int) -> list[Member]:
    """Return the next members, in the order of their ids, who may have more memories than the cap.

    ``cap`` is the operator's; a server's own may be lower.
    """
    columns = user_memory.c
    candidates = set(_with_more(connection, cap, after, limit))
    for guild_id, lower in write_policies.caps_below(connection, cap).items():
        if guild_id >= after.guild_id:
            candidates.update(
                _with_more(connection, lower, after, limit, columns.GuildId == guild_id)
            )
    return sorted(candidates)[:limit]


def _with_more(
    connection: Connection, cap: int, after: Member, limit: int, *where: ColumnElement[bool]
) -> list[Member]:
    columns = user_memory.c
    rows = connection.execute(
        select(columns.GuildId, columns.UserId)
        .where(
            after_member(user_memory, after),
            *where,
        )
        .group_by(columns.GuildId, columns.UserId)
        .having(func.count() > cap)
        .order_by(columns.GuildId, columns.UserId)
        .limit(limit)
    )
    return [Member(row.GuildId, row.UserId) for row in rows]


def update_last_seen(connection: Connection, last_seen: dict[Member, datetime]) -> None:
    """Store when members were last seen; members without a row are skipped."""
    for member, at in last_seen.items():
        connection.execute(update(user_state).where(_is(member)).values(LastSeenAt=at))


def _is_frozen(connection: Connection, guild_id: int) -> bool:
    columns = guild_settings.c
    return bool(connection.scalar(select(columns.Frozen).where(columns.GuildId == guild_id)))


def _is(member: Member) -> ColumnElement[bool]:
    return of_member(user_state, member)


def _profile(text: str, row_ids: str) -> Profile:
    return Profile(text, tuple(int(row_id) for row_id in row_ids.split()))
