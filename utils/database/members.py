"""A member's state, and the one way in which what is remembered of them changes.

Every change is :func:`change`: lock the member, load their state, let a pure function decide,
apply its plan. The first statement takes the lock (the row's MemoryVersion), on both databases,
and makes every prepared copy of the member's rows stale.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import ColumnElement, and_, bindparam, func, or_, select, true, update
from sqlalchemy.exc import IntegrityError

from utils.database import account_links, events, memories, personas, policies, tombstones, watching
from utils.database.engine import Session
from utils.database.tables import guild_settings, user_memory, user_state
from utils.model.guild import GuildSettings
from utils.model.memory import (
    SERVER_ITSELF,
    Consent,
    Member,
    MemberState,
    Memory,
    Profile,
    Standing,
)
from utils.model.plan import Plan
from utils.model.policy import NO_WRITES
from utils.model.transfer import Choices

NOBODY = Standing()

# Built once: every recall runs it, and building costs more than running.
_STANDING = select(
    user_state.c.MemoryVersion,
    user_state.c.UserNotes,
    user_state.c.NotesRowIds,
    user_state.c.Consent,
    user_state.c.Ignored,
    account_links.LINKED.label("LinkedId"),
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
        ignored=row.Ignored,
        linked_id=row.LinkedId,
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


def leave_to_store(session: Session, member: Member) -> Consent:
    """Return the consent under which what a member says may be stored now.

    OFF, whatever they chose, for a member whom moderators had ignored and in a frozen server.
    """
    own = session.execute(
        select(user_state.c.Ignored, user_state.c.Consent).where(*_is(member))
    ).one_or_none()
    columns = guild_settings.c
    server = session.execute(
        select(columns.Frozen, columns.ConsentDefault).where(columns.GuildId == member.guild_id)
    ).one_or_none()
    if (own is not None and own.Ignored) or (server is not None and server.Frozen):
        return Consent.OFF
    default = GuildSettings(member.guild_id).consent_default if server is None else server[1]
    chosen: Consent = default if own is None or own.Consent is None else own.Consent
    return chosen


def set_ignored(session: Session, member: Member, *, ignored: bool) -> bool:
    """Store whether Kith is to hear nothing of a member; False if that was so already."""
    lock(session, member)
    changed = session.execute(
        update(user_state)
        .where(*_is(member), user_state.c.Ignored != ignored)
        .values(Ignored=ignored)
    )
    return bool(changed.rowcount)


def ignored(session: Session, guild_id: int) -> list[int]:
    """Return whom a server's moderators have ignored, in the order of their ids."""
    return list(
        session.scalars(
            select(user_state.c.UserId)
            .where(user_state.c.GuildId == guild_id, user_state.c.Ignored == true())
            .order_by(user_state.c.UserId)
        )
    )


def set_consent(session: Session, member: Member, choice: Consent) -> None:
    """Store the member's own choice."""
    lock(session, member)
    session.execute(update(user_state).where(*_is(member)).values(Consent=choice))


def choices(session: Session, member: Member) -> Choices:
    """Return what the member chose for themselves."""
    row = session.execute(
        select(user_state.c.Consent, user_state.c.PassiveOptIn).where(*_is(member))
    ).one_or_none()
    refuses = personas.any_refuses(session, member.guild_id, [member.user_id])
    opt_out = watching.refused(session, member)
    if row is None:
        return Choices(refuses_roasts=refuses, passive_opt_out=opt_out)
    return Choices(row.Consent, row.PassiveOptIn, refuses, opt_out)


def set_passive(session: Session, member: Member, *, opt_in: bool) -> None:
    """Store whether what the member says to others may be noted; the caller holds the lock."""
    session.execute(update(user_state).where(*_is(member)).values(PassiveOptIn=opt_in))
    watching.set_refusal(session, member, refuses=not opt_in)


def is_unasked(session: Session, member: Member) -> bool:
    """Whether a member has neither chosen how long to be remembered nor been asked."""
    row = session.execute(
        select(user_state.c.Consent, user_state.c.ConsentAskedAt).where(*_is(member))
    ).one_or_none()
    return row is None or (row.Consent is None and row.ConsentAskedAt is None)


def ask_consent(session: Session, member: Member, now: datetime) -> bool:
    """Note that a member is asked now; False if somebody asked them, or they have chosen."""
    lock(session, member)
    if not is_unasked(session, member):
        return False
    session.execute(update(user_state).where(*_is(member)).values(ConsentAskedAt=now))
    return True


def unask_consent(session: Session, member: Member) -> bool:
    """Take back that a member was asked; False if they have chosen meanwhile."""
    change = update(user_state).where(*_is(member), user_state.c.Consent.is_(None))
    return bool(session.execute(change.values(ConsentAskedAt=None)).rowcount)


def ask_anew(session: Session, guild_id: int) -> None:
    """Note that those who have not chosen are to be told again what holds for them."""
    session.execute(
        update(user_state)
        .where(user_state.c.GuildId == guild_id, user_state.c.Consent.is_(None))
        .values(ConsentAskedAt=None)
    )


def unchosen(session: Session, guild_id: int, after_id: int, limit: int) -> list[Member]:
    """Return the next members who live by a server's default, in the order of their ids."""
    columns = user_state.c
    found = session.scalars(
        select(columns.UserId)
        .where(columns.GuildId == guild_id, columns.Consent.is_(None), columns.UserId > after_id)
        .order_by(columns.UserId)
        .limit(limit)
    )
    return [Member(guild_id, user_id) for user_id in found]


def places(session: Session, user_id: int) -> list[int]:
    """Return the servers that know a person, in the order of their ids."""
    return list(
        session.scalars(
            select(user_state.c.GuildId)
            .where(user_state.c.UserId == user_id)
            .order_by(user_state.c.GuildId)
        )
    )


def hold(session: Session, guild_id: int, user_ids: Collection[int]) -> bool:
    """Take the locks of all these members who have a row, leaving what is prepared of them fresh.

    Whoever chooses to have nothing stored does so before this, and it is seen from now on, or
    after this unit of work, and erases what it stores. Returns whether all of them have a row.
    """
    columns = user_state.c
    held = session.execute(
        update(user_state)
        .where(columns.GuildId == guild_id, columns.UserId.in_(sorted(user_ids)))
        .values(MemoryVersion=columns.MemoryVersion)
    )
    return held.rowcount == len(user_ids)


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


def note_erasure(session: Session, guild_id: int) -> None:
    """Make every prepared copy of a server's messages stale, in every process: words went.

    It is the server's own row (user 0, whose memories are the lore) whose version rises. To be
    called in the unit of work that erases, after the members concerned were locked.
    """
    lock(session, Member(guild_id, SERVER_ITSELF))


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
    itself. The plan returned names the ids of the new rows.
    """
    lock(session, member)
    state = load_state(session, member, now=now, event_ids=event_ids)
    plan = decide(state)
    inserted = memories.apply(session, member, plan, now=now, actor_id=actor_id)
    if plan.profile is not None:
        row_ids = plan.profile.row_ids + tuple(inserted[i] for i in plan.profile_inserts)
        save_profile(session, member, Profile(plan.profile.text, row_ids))
    return replace(plan, inserted=tuple(inserted))


def load_state(
    session: Session, member: Member, *, now: datetime, event_ids: Sequence[int] = ()
) -> MemberState:
    """Load everything that ``decide`` may know about a member."""
    own = standing(session, member)
    is_ignored = session.scalar(select(user_state.c.Ignored).where(*_is(member)))
    surviving = tuple(events.surviving(session, list(event_ids))) if event_ids else ()
    said_at = max((event.created_at for event in surviving), default=now)
    rows = tuple(memories.load_current(session, member, now))
    return MemberState(
        member=member,
        now=now,
        consent=consent(session, member),
        frozen=_is_frozen(session, member.guild_id),
        version=own.version,
        rows=rows,
        profile=own.profile,
        tombstones=tombstones.for_good(session, member.guild_id, [e.message_id for e in surviving]),
        events=surviving,
        evidence=memories.evidence_of(session, member) if event_ids else {},
        ignored=bool(is_ignored),
        policy=policies.load(session, member.guild_id),
        writes=policies.writes(session, member, said_at, now) if event_ids else NO_WRITES,
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
    """Return the next members, in the order of their ids, who may have more rows than the cap.

    ``cap`` is the operator's; a server's own may be lower.
    """
    columns = user_memory.c
    found = set(_holding_more(session, cap, after, limit))
    for guild_id, lower in policies.caps_below(session, cap).items():
        if guild_id >= after.guild_id:
            found.update(_holding_more(session, lower, after, limit, columns.GuildId == guild_id))
    return sorted(found)[:limit]


def _holding_more(
    session: Session, cap: int, after: Member, limit: int, *where: ColumnElement[bool]
) -> list[Member]:
    columns = user_memory.c
    rows = session.execute(
        select(columns.GuildId, columns.UserId)
        .where(
            or_(
                columns.GuildId > after.guild_id,
                and_(columns.GuildId == after.guild_id, columns.UserId > after.user_id),
            ),
            *where,
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


def _is_frozen(session: Session, guild_id: int) -> bool:
    columns = guild_settings.c
    return bool(session.scalar(select(columns.Frozen).where(columns.GuildId == guild_id)))


def _is(member: Member) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return user_state.c.GuildId == member.guild_id, user_state.c.UserId == member.user_id


def _profile(text: str, row_ids: str) -> Profile:
    return Profile(text, tuple(int(row_id) for row_id in row_ids.split()))
