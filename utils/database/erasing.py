"""Erasing what was heard: by message, by member, and when its time is over."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import and_, case, delete, literal, select, update

from utils.database import artifacts, derived, tombstones
from utils.database.engine import Session
from utils.database.tables import is_from_export, memory_event
from utils.database.upsert import delete_some
from utils.model.memory import EventState, Member, Role

IDS_PER_STATEMENT = 500  # SQL Server takes at most 2,100 parameters
_STATE = memory_event.c.State
BLANK = {
    "Text": "",
    "Stems": "",
    "AuthorName": "",
    # What was overheard stays so: what is told of it later is none of chat's business; nor is what
    # was read from an export.
    "State": case(
        (_STATE == EventState.OVERHEARD, _STATE),
        (is_from_export(_STATE), literal(EventState.IMPORTED, _STATE.type)),
        else_=literal(EventState.DONE, _STATE.type),
    ),
}


def is_any_known(session: Session, guild_id: int, message_ids: Sequence[int]) -> bool:
    """Whether any of these messages was heard."""
    columns = memory_event.c
    known = (
        select(columns.Id)
        .where(columns.GuildId == guild_id, columns.MessageId.in_(message_ids))
        .limit(1)
    )
    return session.execute(known).first() is not None


def erase(
    session: Session, guild_id: int, message_ids: Sequence[int], *, keeps_attachments: bool = False
) -> None:
    """Blank messages and Kith's answers to them: only their ids stay, so that they are not heard a
    second time."""
    columns = memory_event.c
    for start in range(0, len(message_ids), IDS_PER_STATEMENT):
        some = message_ids[start : start + IDS_PER_STATEMENT]
        derived.erase_of(session, guild_id, some, keeps_attachments=keeps_attachments)
        is_answer = and_(columns.ReplyToId.in_(some), columns.Role == Role.KITH)
        for condition in (columns.MessageId.in_(some), is_answer):  # each by its own index
            derived.unsummarise(session, guild_id, condition)
            session.execute(
                update(memory_event).where(columns.GuildId == guild_id, condition).values(BLANK)
            )


def erase_answers_about(session: Session, member: Member, since: datetime) -> None:
    """Blank what Kith has said since then with this member's memories in mind."""
    columns = memory_event.c
    told = and_(
        columns.Role == Role.KITH,
        columns.CreatedAt >= since,
        columns.AboutIds.contains(f" {member.user_id} "),
    )
    derived.unsummarise(session, member.guild_id, told)
    session.execute(
        update(memory_event).where(columns.GuildId == member.guild_id, told).values(BLANK)
    )


def erase_member(session: Session, member: Member) -> int:
    """Delete everything a member said in a server and what came with it, what Kith answered them,
    and what it told others of them."""
    artifacts.erase_member(session, member)
    columns = memory_event.c
    prompt = memory_event.alias("prompt").c
    answered = select(prompt.MessageId).where(
        prompt.GuildId == member.guild_id, prompt.AuthorId == member.user_id
    )
    of_kith = columns.Role == Role.KITH
    about_them = columns.AboutIds.contains(f" {member.user_id} ")
    tombstones.erase_member(session, member)
    gone = 0
    for condition in (
        and_(of_kith, columns.ReplyToId.in_(answered)),
        and_(of_kith, about_them),
        columns.AuthorId == member.user_id,
    ):
        derived.unsummarise(session, member.guild_id, condition)
        gone = session.execute(
            delete(memory_event).where(columns.GuildId == member.guild_id, condition)
        ).rowcount
    derived.erase_member(session, member)  # last: who divides these messages has been waited for
    return gone


def delete_expired(session: Session, now: datetime, limit: int) -> Counter[int]:
    """Delete up to ``limit`` events whose time is over; returns how many, by server."""
    columns = memory_event.c
    gone = delete_some(
        session,
        memory_event,
        columns.ExpiresAt <= now,
        limit,
        returning=[columns.GuildId],
        first=columns.ExpiresAt,
    )
    return Counter(row.GuildId for row in gone)
