"""Two accounts of one person in a server: linked while each names the other.

Whoever changes a member's links holds that member's lock.
"""

from datetime import datetime

from sqlalchemy import ScalarSelect, and_, delete, func, insert, or_, select

from utils.database.engine import Session
from utils.database.tables import account_link, user_state
from utils.database.upsert import delete_some
from utils.model.memory import Member
from utils.model.transfer import Link

_OWN = account_link.c
_BACK = account_link.alias("back")
_IS_BACK = and_(
    _BACK.c.GuildId == _OWN.GuildId,
    _BACK.c.UserId == _OWN.OtherId,
    _BACK.c.OtherId == _OWN.UserId,
)

LINKED: ScalarSelect[int] = (
    select(func.min(_OWN.OtherId))
    .select_from(account_link.join(_BACK, _IS_BACK))
    .where(_OWN.GuildId == user_state.c.GuildId, _OWN.UserId == user_state.c.UserId)
    .correlate(user_state)
    .scalar_subquery()
)
"""The other account of a member whose state is selected: with it, in the one seek of recall."""


def named_by(session: Session, member: Member) -> Link | None:
    """Return whom a member names as their other account; None: nobody."""
    row = session.execute(
        select(_OWN.OtherId, _BACK.c.UserId)
        .select_from(account_link.outerjoin(_BACK, _IS_BACK))
        .where(_OWN.GuildId == member.guild_id, _OWN.UserId == member.user_id)
        .limit(1)
    ).one_or_none()
    return None if row is None else Link(row.OtherId, row.UserId is not None)


def name(session: Session, member: Member, other_id: int, now: datetime, since: datetime) -> bool:
    """Let a member name their other account, in the place of any they named before; True if that
    links them: the other has named them, not before ``since``."""
    erase(session, member, only_own=True)
    back = and_(
        _OWN.GuildId == member.guild_id, _OWN.UserId == other_id, _OWN.OtherId == member.user_id
    )
    session.execute(delete(account_link).where(back, _OWN.At < since))
    session.execute(
        insert(account_link).values(
            GuildId=member.guild_id, UserId=member.user_id, OtherId=other_id, At=now
        )
    )
    return session.execute(select(_OWN.At).where(back)).first() is not None


def erase(session: Session, member: Member, *, only_own: bool = False) -> int:
    """Delete what names a member as somebody's other account, and what they name; returns how many
    rows went. ``only_own``: only what they name."""
    names = _OWN.UserId == member.user_id
    which = names if only_own else or_(names, _OWN.OtherId == member.user_id)
    gone = delete(account_link).where(_OWN.GuildId == member.guild_id, which)
    return session.execute(gone).rowcount


def end(session: Session, member: Member) -> bool:
    """End a member's link, and take back whom they named; False if there was nothing."""
    named = named_by(session, member)
    erase(session, member, only_own=not (named and named.is_confirmed))
    return named is not None


def delete_unconfirmed(session: Session, before: datetime, limit: int) -> int:
    """Delete up to ``limit`` names from before then that nobody has answered; returns how many."""
    answered = select(_BACK.c.UserId).where(_IS_BACK).correlate(account_link)
    gone = delete_some(
        session,
        account_link,
        and_(_OWN.At < before, ~answered.exists()),
        limit,
        returning=[_OWN.UserId],
    )
    return len(gone)
