"""Linked accounts: two accounts of one person in a server, linked while each names the other.

The caller of every function that writes holds the member's lock.
"""

from datetime import datetime

from sqlalchemy import ScalarSelect, and_, delete, func, insert, or_, select

from utils.database.core.engine import Connection
from utils.database.core.queries import has_rows, of_member
from utils.database.schema.memory_tables import account_link, user_state
from utils.models.memory import Member
from utils.models.transfer import LinkedAccount

_OWN = account_link.c
_BACK = account_link.alias("back")
_IS_BACK = and_(
    _BACK.c.GuildId == _OWN.GuildId,
    _BACK.c.UserId == _OWN.OtherId,
    _BACK.c.OtherId == _OWN.UserId,
)

LINKED_ID: ScalarSelect[int] = (
    select(func.min(_OWN.OtherId))
    .select_from(account_link.join(_BACK, _IS_BACK))
    .where(_OWN.GuildId == user_state.c.GuildId, _OWN.UserId == user_state.c.UserId)
    .correlate(user_state)
    .scalar_subquery()
)
"""The linked account of a member, as a subquery of a selection of UserState."""
IS_UNCONFIRMED = ~select(_BACK.c.UserId).where(_IS_BACK).correlate(account_link).exists()
"""The condition for a row whose other account names no, or another, account."""


def load_claim(connection: Connection, member: Member) -> LinkedAccount | None:
    """Return the account that a member names as theirs too; None if they name none."""
    row = connection.execute(
        select(_OWN.OtherId, _BACK.c.UserId)
        .select_from(account_link.outerjoin(_BACK, _IS_BACK))
        .where(of_member(account_link, member))
        .limit(1)
    ).one_or_none()
    return None if row is None else LinkedAccount(row.OtherId, row.UserId is not None)


def other_account(connection: Connection, member: Member) -> Member | None:
    """Return a member's linked account; None without one that both accounts confirmed."""
    link = load_claim(connection, member)
    if link is None or not link.is_confirmed:
        return None
    return Member(member.guild_id, link.other_id)


def claim(
    connection: Connection, member: Member, other_id: int, now: datetime, since: datetime
) -> bool:
    """Store the account that a member names as theirs, replacing an earlier one.

    Returns True if both are linked now: the other account named this one after ``since``.
    """
    _erase(connection, member, only_own=True)
    back = and_(
        _OWN.GuildId == member.guild_id, _OWN.UserId == other_id, _OWN.OtherId == member.user_id
    )
    connection.execute(delete(account_link).where(back, _OWN.At < since))
    connection.execute(
        insert(account_link).values(
            GuildId=member.guild_id, UserId=member.user_id, OtherId=other_id, At=now
        )
    )
    return has_rows(connection, select(_OWN.At).where(back))


def _erase(connection: Connection, member: Member, *, only_own: bool) -> None:
    """Delete the row that a member made, and unless ``only_own`` those that name them."""
    is_own = _OWN.UserId == member.user_id
    condition = is_own if only_own else or_(is_own, _OWN.OtherId == member.user_id)
    connection.execute(delete(account_link).where(_OWN.GuildId == member.guild_id, condition))


def unlink(connection: Connection, member: Member) -> bool:
    """Remove a member's link or the account that they name; returns False if there was none."""
    link = load_claim(connection, member)
    _erase(connection, member, only_own=not (link and link.is_confirmed))
    return link is not None
