"""What may be told of the messages that wait for the database: everybody's wishes hold for them.

Pure but for :func:`allowed`, a unit of work.
"""

from collections.abc import Sequence

from utils.database import members
from utils.database.engine import Session
from utils.model.memory import SERVER_ITSELF, Consent, Event, Member, Role


def allowed(session: Session, turns: Sequence[Event]) -> list[Event]:
    """Return the turns that concern nobody of whom nothing may be stored now."""
    everybody = {Member(turn.guild_id, one) for turn in turns for one in _concerned(turn)}
    off = {one for one in everybody if members.leave_to_store(session, one) is Consent.OFF}
    return [
        turn
        for turn in turns
        if not any(Member(turn.guild_id, one) in off for one in _concerned(turn))
    ]


def of_one(member: Member, turns: Sequence[Event]) -> list[Event]:
    """Return what a member said, and what Kith answered to that."""
    said = {turn.message_id for turn in turns if _is_by(member, turn)}
    return [turn for turn in turns if _is_by(member, turn) or turn.reply_to_id in said]


def _concerned(turn: Event) -> frozenset[int]:
    """Return whose words a turn repeats: Kith's answers name whoever they are for as well."""
    if turn.role is Role.MEMBER:
        return frozenset({turn.author_id})
    return frozenset(turn.about_ids) - {SERVER_ITSELF}


def _is_by(member: Member, turn: Event) -> bool:
    return turn.role is Role.MEMBER and turn.member == member
