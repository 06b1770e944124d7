"""A moderator's decision on a memory that waits, as one unit of work."""

from datetime import datetime

from utils.database import guilds, members, memories, reviews
from utils.database.engine import Session
from utils.memory import profile, wishes
from utils.model.memory import Kind
from utils.model.policy import Outcome, Review, Waiting


def review(
    session: Session,
    guild_id: int,
    memory_id: int,
    *,
    approve: bool,
    moderator_id: int,
    open_sources: frozenset[int],
    now: datetime,
) -> Review:
    """Decide, unless it has been decided; returns how the memory stands, and by whom.

    Raises BadInput for an approval in a frozen server.
    """
    one = reviews.find(session, guild_id, memory_id, now)
    if one is not None:
        members.lock(session, one.member)
        one = reviews.find(session, guild_id, memory_id, now)
    if one is None:
        return reviews.standing(session, guild_id, memory_id, now)
    if not approve:
        reviews.reject(session, one, now=now, moderator_id=moderator_id)
        return Review(Outcome.REJECTED, moderator_id, is_new=True)
    if guilds.load(session, guild_id).frozen:
        raise wishes.refusal("frozen")
    reviews.approve(session, one, now=now, moderator_id=moderator_id)
    _tell_profile(session, one, open_sources, now)
    return Review(Outcome.APPROVED, moderator_id, is_new=True)


def _tell_profile(
    session: Session, one: Waiting, open_sources: frozenset[int], now: datetime
) -> None:
    """Take a superseded row out of the profile, and a fact that was said openly in."""
    if one.kind is not Kind.FACT or one.channel_id not in open_sources:
        members.refresh_profile(session, one.member, profile.remaining, now)
        return
    rows = memories.load_current(session, one.member, now)
    told = profile.render(row for row in rows if row.channel_id in open_sources)
    members.save_profile(session, one.member, told)
