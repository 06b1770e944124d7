"""A member's state, and the one way in which what is remembered of them changes.

Every change is :func:`change`: lock the member, load their state, let a pure function decide,
apply its plan. The first statement takes the lock (the row's MemoryVersion), on both databases,
and makes every prepared copy of the member's rows stale.
"""

from collections.abc import Callable, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, and_, bindparam, func, or_, select, update
from sqlalchemy.exc import IntegrityError

from utils.database import events, memories
from utils.database.engine import Session
from utils.database.tables import guild_settings, user_memory, user_state
from utils.model.guild import GuildSettings
from utils.model.memory import (
    Consent,
    Member,
    MemberState,
    Memory,
    Plan,
    Profile,
    Standing,
)

NOBODY = Standing()

# Built once: every recall runs it, and building costs more than running.
_STANDING = select(
    user_state.c.MemoryVersion,
    user_state.c.UserNotes,
    user_state.c.NotesRowIds,
    user_state.c.Consent,
).where(user_state.c.GuildId == bindparam("guild_id"), user_state.c.UserId == bindparam("user_id"))


def standing(session: Session, member: Member) -> Standing:
    """Return what recall needs of a member's own row, by one seek; the defaults for a stranger."""
    row = session.execute(
        _STANDING, {"guild_id": member.guild_id, "user_id": member.user_id}
    ).one_or_none()
    if row is None:
        return NOBODY
    return Standing(
        version=row.MemoryVersion,
        profile=_profile(row.UserNotes, row.NotesRowIds),
        consent=row.Consent,
    )


def consent(session: Session, member: Member) -> Consent:
    """Return the consent that holds: the member's own choice, else the server's default."""
    chosen: Consent | None = session.scalar(select(user_state.c.Consent).where(*_is(member)))
    if chosen is not None:
        return chosen
    default: Consent | None = session.scalar(
        select(guild_settings.c.ConsentDefault).where(guild_settings.c.GuildId == member.guild_id)
    )
    return default or GuildSettings(member.guild_id).consent_default


def set_consent(session: Session, member: Member, choice: Consent) -> None:
    """Store the member's own choice."""
    lock(session, member)
    session.execute(update(user_state).where(*_is(member)).values(Consent=choice))


def lock(session: Session, member: Member) -> None:
    """Take the member's lock by raising MemoryVersion, making their row if there is none."""
    raise_version = (
        update(user_state).where(*_is(member)).values(MemoryVersion=user_state.c.MemoryVersion + 1)
    )
    if session.execute(raise_version).rowcount:
        return
    try:
        with session.begin_nested():
            session.execute(
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
        session.execute(raise_version)


def change(
    session: Session,
    member: Member,
    decide: Callable[[MemberState], Plan],
    *,
    now: datetime,
    event_ids: Sequence[int] = (),
    actor_id: int = 0,
) -> Plan:
    """Change what is remembered of a member in one unit of work; returns the plan applied.

    ``decide`` is pure: it sees only the state loaded here, under the lock. ``actor_id`` 0 is Kith
    itself.
    """
    lock(session, member)
    state = load_state(session, member, now=now, event_ids=event_ids)
    plan = decide(state)
    inserted = memories.apply(session, member, plan, now=now, actor_id=actor_id)
    if plan.profile is not None:
        row_ids = plan.profile.row_ids + tuple(inserted[i] for i in plan.profile_inserts)
        save_profile(session, member, Profile(plan.profile.text, row_ids))
    return plan


def load_state(
    session: Session, member: Member, *, now: datetime, event_ids: Sequence[int] = ()
) -> MemberState:
    """Load everything that ``decide`` may know about a member."""
    own = standing(session, member)
    frozen = session.scalar(
        select(guild_settings.c.Frozen).where(guild_settings.c.GuildId == member.guild_id)
    )
    surviving = tuple(events.surviving(session, list(event_ids))) if event_ids else ()
    rows = tuple(memories.load_current(session, member, now))
    return MemberState(
        member=member,
        now=now,
        consent=consent(session, member),
        frozen=bool(frozen),
        version=own.version,
        rows=rows,
        profile=own.profile,
        tombstones=memories.tombstones(session, member, [e.message_id for e in surviving]),
        events=surviving,
        evidence=memories.evidence_of(session, member) if event_ids else {},
    )


def save_profile(session: Session, member: Member, profile: Profile) -> None:
    """Store the paragraph and the rows it was made from; the caller holds the lock."""
    session.execute(
        update(user_state)
        .where(*_is(member))
        .values(UserNotes=profile.text, NotesRowIds=" ".join(map(str, profile.row_ids)))
    )


def refresh_profile(
    session: Session,
    member: Member,
    remaining: Callable[[Profile, list[Memory]], Profile],
    now: datetime,
) -> None:
    """Rewrite the paragraph if a row it was made from is gone; the caller holds the lock.

    ``remaining`` is the pure function that knows how.
    """
    stored = standing(session, member).profile
    if stored.row_ids:
        paragraph = remaining(stored, memories.load_current(session, member, now))
        if paragraph is not stored:
            save_profile(session, member, paragraph)


def over_cap(session: Session, cap: int, after: Member, limit: int) -> list[Member]:
    """Return the next members, in the order of their ids, who may have more rows than the cap."""
    columns = user_memory.c
    rows = session.execute(
        select(columns.GuildId, columns.UserId)
        .where(
            or_(
                columns.GuildId > after.guild_id,
                and_(columns.GuildId == after.guild_id, columns.UserId > after.user_id),
            )
        )
        .group_by(columns.GuildId, columns.UserId)
        .having(func.count() > cap)
        .order_by(columns.GuildId, columns.UserId)
        .limit(limit)
    )
    return [Member(row.GuildId, row.UserId) for row in rows]


def see(session: Session, seen: dict[Member, datetime]) -> None:
    """Store when members were last seen, a batch at a time; strangers are left alone."""
    for member, at in seen.items():
        session.execute(update(user_state).where(*_is(member)).values(LastSeenAt=at))


def _is(member: Member) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return user_state.c.GuildId == member.guild_id, user_state.c.UserId == member.user_id


def _profile(text: str, row_ids: str) -> Profile:
    return Profile(text, tuple(int(row_id) for row_id in row_ids.split()))
