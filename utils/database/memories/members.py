"""A member's row: profile, choices of consent, and the lock under which their memories change."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    FromClause,
    Row,
    and_,
    bindparam,
    false,
    null,
    or_,
    select,
    true,
    union_all,
    update,
)

from utils.common.clock import time_zones
from utils.database.core.engine import Connection
from utils.database.core.queries import (
    IDS,
    Selection,
    change_rows,
    fetch_rows,
    fetch_value,
    insert_new,
    is_member,
    member_parameters,
    run,
)
from utils.database.guilds import account_links
from utils.database.schema.memory_tables import guild_settings, user_state
from utils.models.guild import GuildSettings
from utils.models.memory import (
    SERVER_USER_ID,
    Consent,
    Member,
    MemberHeader,
    NotedMark,
    Profile,
)

_STATE = user_state.c

NO_HEADER = MemberHeader()

# Built once: building costs more than running.
_IS_MEMBER = is_member(user_state)
_HEADER = select(
    user_state.c.MemoryVersion,
    user_state.c.Additions,
    user_state.c.UserNotes,
    user_state.c.NotesRowIds,
    user_state.c.Consent,
    user_state.c.Ignored,
    account_links.LINKED_ID.label("LinkedId"),
).where(_IS_MEMBER)
_CHOICES = select(user_state.c.Consent, user_state.c.Ignored, user_state.c.ConsentAskedAt).where(
    _IS_MEMBER
)
_OF_GUILD = guild_settings.c.GuildId == bindparam("guild_id")
_SERVER = select(guild_settings.c.ConsentDefault).where(_OF_GUILD)
_EFFECTIVE = union_all(  # the row without a user is the server's
    select(user_state.c.UserId, user_state.c.Consent, user_state.c.Ignored).where(
        user_state.c.GuildId == bindparam("guild_id"), user_state.c.UserId.in_(IDS)
    ),
    select(null(), guild_settings.c.ConsentDefault, guild_settings.c.Frozen).where(_OF_GUILD),
)
_NOTED = select(user_state.c.Noted).where(_IS_MEMBER)
_NOTED_DEFAULT = select(guild_settings.c.Noted).where(_OF_GUILD)
_TIME_ZONE = select(user_state.c.TimeZone).where(_IS_MEMBER)
_CHANGE = update(user_state).where(_IS_MEMBER)

_LOCK = _CHANGE.values(MemoryVersion=user_state.c.MemoryVersion + 1)
_ADDED = _CHANGE.values(Additions=user_state.c.Additions + 1)
_LOCK_EXISTING = (
    update(user_state)
    .where(
        user_state.c.GuildId == bindparam("guild_id"),
        user_state.c.UserId.in_(IDS),
    )
    .values(MemoryVersion=user_state.c.MemoryVersion)
)


def load_header(connection: Connection, member: Member) -> MemberHeader:
    """Return what recall needs of a member's state, by one seek; defaults for an unknown member."""
    return run(connection, header(member))


def header(member: Member) -> Selection[MemberHeader]:
    """Return the query of :func:`load_header`."""
    return Selection(_HEADER, member_parameters(member), _header)


def _header(rows: Sequence[Row[Any]]) -> MemberHeader:
    if not rows:
        return NO_HEADER
    (row,) = rows
    return MemberHeader(
        version=row.MemoryVersion,
        additions=row.Additions,
        profile=Profile(row.UserNotes, tuple(int(row_id) for row_id in row.NotesRowIds.split())),
        consent=row.Consent,
        ignored=row.Ignored,
        linked_id=row.LinkedId,
    )


def consent(connection: Connection, member: Member) -> Consent:
    """Return the member's own choice of consent, else the server's default."""
    chosen: Consent | None = connection.scalar(_CHOICES, member_parameters(member))
    if chosen is not None:
        return chosen
    default: Consent | None = connection.scalar(_SERVER, {"guild_id": member.guild_id})
    return default or GuildSettings(member.guild_id).consent_default


def effective_consent(connection: Connection, member: Member) -> Consent:
    """Return the consent under which a member's messages may be stored now."""
    return effective_consents(connection, member.guild_id, [member.user_id])[member.user_id]


def effective_consents(
    connection: Connection, guild_id: int, user_ids: Collection[int]
) -> dict[int, Consent]:
    """Return the consent under which each member's messages may be stored now.

    It is OFF for a member whom moderators ignore, and in a frozen server.
    """
    rows = fetch_rows(connection, _EFFECTIVE, user_ids, guild_id=guild_id)
    choices = {user_id: (consent, is_off) for user_id, consent, is_off in rows}
    default, is_frozen = choices.get(None) or (None, False)
    default = default or GuildSettings(guild_id).consent_default

    def of_member(user_id: int) -> Consent:
        chosen, is_ignored = choices.get(user_id) or (None, False)
        return Consent.OFF if is_ignored or is_frozen else chosen or default

    return {user_id: of_member(user_id) for user_id in user_ids}


def set_ignored(connection: Connection, member: Member, *, ignored: bool) -> bool:
    """Store whether Kith ignores a member; returns False if nothing changed."""
    lock(connection, member)
    change = _CHANGE.where(user_state.c.Ignored != ignored)
    return bool(connection.execute(change, member_parameters(member, Ignored=ignored)).rowcount)


def list_ignored(connection: Connection, guild_id: int) -> list[int]:
    """Return the ids of the members whom a server's moderators ignore, in ascending order."""
    return list(
        connection.scalars(
            select(user_state.c.UserId)
            .where(user_state.c.GuildId == guild_id, user_state.c.Ignored == true())
            .order_by(user_state.c.UserId)
        )
    )


def choose(connection: Connection, /, member: Member, **choices: object) -> None:
    """Store what a member chose, by the names of :class:`MemberChoices`."""
    lock(connection, member)
    columns = {name.title().replace("_", ""): choice for name, choice in choices.items()}
    connection.execute(_CHANGE, member_parameters(member, **columns))


def time_zone(connection: Connection, member: Member) -> str | None:
    """Return the time zone that a member chose."""
    return fetch_value(connection, _TIME_ZONE, **member_parameters(member))


def zone_of(connection: Connection, member: Member, server_zone: str) -> str:
    """Return the name of the time zone that a member chose, if it is known, else the server's."""
    chosen = time_zone(connection, member)
    return chosen if chosen in time_zones() else server_zone


def noted_mark(connection: Connection, member: Member) -> NotedMark:
    """Return how a member sees what was noted: their own choice, else the server's."""
    chosen: NotedMark | None = fetch_value(connection, _NOTED, **member_parameters(member))
    if chosen is None:
        chosen = fetch_value(connection, _NOTED_DEFAULT, guild_id=member.guild_id)
    return chosen or GuildSettings(member.guild_id).noted


def refuse_first_words(
    connection: Connection, guild_id: int, user_ids: Collection[int]
) -> frozenset[int]:
    """Return those of some members about whom Kith must not speak first."""
    rows = connection.scalars(
        select(_STATE.UserId).where(
            _STATE.GuildId == guild_id,
            _STATE.UserId.in_(sorted(user_ids)),
            _STATE.NeverFirst == true(),
        )
    )
    return frozenset(rows)


def is_findable(of: FromClause, consent_default: Consent) -> ColumnElement[bool]:
    """Return the condition that others may find the member of a row by what is known of them.

    Not with consent off, if they chose not to be found, if moderators ignore them, once they left,
    and before the notice asked them. ``of`` has GuildId and UserId; ``consent_default`` is the
    server's.
    """
    agrees: ColumnElement[bool] = _STATE.Consent.in_([Consent.LASTING, Consent.TEMPORARY])
    if consent_default is not Consent.OFF:
        was_asked = _STATE.ConsentAskedAt.is_not(None)
        agrees = or_(agrees, and_(_STATE.Consent.is_(None), was_asked))
    return (
        select(_STATE.UserId)
        .where(
            _STATE.GuildId == of.c.GuildId,
            _STATE.UserId == of.c.UserId,
            agrees,
            _STATE.NotFindable == false(),
            _STATE.Ignored == false(),
            _STATE.LeftAt.is_(None),
        )
        .exists()
    )


def needs_consent_prompt(connection: Connection, member: Member) -> bool:
    """Return whether a member has neither chosen a consent nor been asked."""
    rows = fetch_rows(connection, _CHOICES, **member_parameters(member))
    return all(row.Consent is None and row.ConsentAskedAt is None for row in rows)


def mark_consent_asked(connection: Connection, member: Member, now: datetime) -> bool:
    """Store that a member is asked now; returns False if they were asked before, or have chosen."""
    lock(connection, member)
    if not needs_consent_prompt(connection, member):
        return False
    change_rows(connection, _CHANGE, member_parameters(member, ConsentAskedAt=now))
    return True


def unmark_consent_asked(connection: Connection, member: Member) -> bool:
    """Undo :func:`mark_consent_asked`; returns False if the member has chosen by now."""
    change = _CHANGE.where(user_state.c.Consent.is_(None))
    parameters = member_parameters(member, ConsentAskedAt=None)
    return bool(connection.execute(change, parameters).rowcount)


def list_without_choice(
    connection: Connection, guild_id: int, after_id: int, limit: int
) -> list[Member]:
    """Return the next members who have not chosen a consent, in the order of their ids."""
    user_ids = connection.scalars(
        select(_STATE.UserId)
        .where(_STATE.GuildId == guild_id, _STATE.Consent.is_(None), _STATE.UserId > after_id)
        .order_by(_STATE.UserId)
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
    parameters = {"guild_id": guild_id, "ids": sorted(user_ids)}
    return change_rows(connection, _LOCK_EXISTING, parameters) == len(user_ids)


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
    if change_rows(connection, _LOCK, member_parameters(member)):
        return
    row = {
        "GuildId": member.guild_id,
        "UserId": member.user_id,
        "UserNotes": "",
        "NotesRowIds": "",
        "PassiveOptIn": False,
        "Ignored": False,
        "MemoryVersion": 1,
    }
    if not insert_new(connection, user_state, [row]):
        change_rows(connection, _LOCK, member_parameters(member))


def note_addition(connection: Connection, member: Member) -> None:
    """Note that this unit of work only adds memories; it has called :func:`lock` once.

    Cached copies of the member's other memories then stay valid.
    """
    change_rows(connection, _ADDED, member_parameters(member))


def lock_accounts(connection: Connection, member: Member) -> tuple[Member, ...]:
    """Lock a member and their linked account; returns them, the member first.

    Both are locked in the order of their ids, so that two requests cannot wait for each other. An
    account linked during the call is left out, as if the link had been made afterwards.
    """
    linked = account_links.other_account(connection, member)
    locked = [member] if linked is None else sorted((member, linked), key=lambda m: m.user_id)
    for account in locked:
        lock(connection, account)
    is_still_linked = (
        linked is not None and account_links.other_account(connection, member) == linked
    )
    return (member, linked) if linked is not None and is_still_linked else (member,)


def invalidate_guild(connection: Connection, guild_id: int) -> None:
    """Invalidate every cached copy of a server's messages, in every process, after an erasure.

    Increments the version of the server's own row (user 0, which owns the lore). Call it in the
    unit of work that erases, after locking the members concerned.
    """
    lock(connection, Member(guild_id, SERVER_USER_ID))


def save_profile(connection: Connection, member: Member, profile: Profile) -> None:
    """Store the profile and the ids of its source memories; the caller holds the lock."""
    parameters = member_parameters(
        member, UserNotes=profile.text, NotesRowIds=" ".join(map(str, profile.row_ids))
    )
    change_rows(connection, _CHANGE, parameters)


def update_last_seen(connection: Connection, last_seen: dict[Member, datetime]) -> None:
    """Store when members were last seen; members without a row are skipped."""
    rows = [member_parameters(member, LastSeenAt=at) for member, at in sorted(last_seen.items())]
    if rows:
        change_rows(connection, _CHANGE, *rows)
