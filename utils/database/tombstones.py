"""Tombstones: which messages teach nothing any more, long after all else of them is gone.

They are laid where a message is deleted, edited or forgotten, and end with what is known of its
author in the server: from then on only what they say later is theirs to be learnt.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime

from sqlalchemy import delete, select, update

from utils.database import ledger, memories
from utils.database.engine import Session
from utils.database.tables import WAS_SENT, memory_event, memory_evidence, tombstone, user_memory
from utils.database.upsert import insert_new
from utils.model.memory import Member, Role
from utils.model.operator import Erasing, Erasure

FOR_GOOD = 2**62
"""The revision after which there is no other."""


def lay(
    session: Session,
    guild_id: int,
    message_ids: Sequence[int],
    *,
    now: datetime,
    revision: int = FOR_GOOD,
) -> None:
    """Let messages teach nothing any more up to that revision, and enter them in the ledger. Only
    such as were heard, or support something; what was typed into a command was sent in no message.
    Kith's own are entered only: they never taught anything."""
    said, evidence, columns = memory_event.c, memory_evidence.c, tombstone.c
    for some in memories.chunks(message_ids):
        believed = (
            select(evidence.MessageId, user_memory.c.UserId)
            .join(user_memory, user_memory.c.Id == evidence.MemoryId)
            .where(evidence.GuildId == guild_id, evidence.MessageId.in_(some), WAS_SENT)
        )
        heard = select(said.MessageId, said.AuthorId, said.Role).where(
            said.GuildId == guild_id, said.MessageId.in_(some)
        )
        whose: dict[int, int] = {row[0]: row[1] for row in session.execute(believed)}
        answers: dict[int, int] = {}
        for row in session.execute(heard):
            (whose if row.Role is Role.MEMBER else answers)[row.MessageId] = row.AuthorId
        these = (columns.GuildId == guild_id, columns.MessageId.in_(whose))
        laid = session.execute(select(columns.MessageId, columns.Revision).where(*these))
        up_to = {row.MessageId: row.Revision for row in laid}
        raised = update(tombstone).where(*these, columns.Revision < revision)
        session.execute(raised.values(Revision=revision))
        rows = [
            {"GuildId": guild_id, "MessageId": one, "UserId": user_id, "Revision": revision}
            for one, user_id in whose.items()
            if one not in up_to
        ]
        insert_new(session, tombstone, rows)
        news = {one: whose[one] for one in whose if up_to.get(one, -1) < revision}
        ledger.note(session, *_entries(guild_id, answers | news, revision, now))


def _entries(
    guild_id: int, whose: Mapping[int, int], revision: int, now: datetime
) -> Iterator[Erasure]:
    for message_id, user_id in whose.items():
        yield Erasure(
            now, Erasing.MESSAGE, guild_id, user_id, message_id=message_id, revision=revision
        )


def laid(session: Session, guild_id: int, message_ids: Collection[int]) -> dict[int, int]:
    """Return those of these messages that have a tombstone, with the revision it holds up to."""
    columns = tombstone.c
    found: dict[int, int] = {}
    for some in memories.chunks(sorted(message_ids)):
        rows = session.execute(
            select(columns.MessageId, columns.Revision).where(
                columns.GuildId == guild_id, columns.MessageId.in_(some)
            )
        )
        found |= {row.MessageId: row.Revision for row in rows}
    return found


def for_good(session: Session, guild_id: int, message_ids: Collection[int]) -> frozenset[int]:
    """Return those messages that were deleted, or of which something was forgotten: they teach
    nothing again, whatever they are edited to."""
    found = laid(session, guild_id, message_ids)
    return frozenset(one for one, revision in found.items() if revision == FOR_GOOD)


def erase_member(session: Session, member: Member) -> None:
    """Take away the tombstones of a member of whom nothing is kept: what they said until then is
    not learnt for that reason alone."""
    columns = tombstone.c
    session.execute(
        delete(tombstone).where(
            columns.GuildId == member.guild_id, columns.UserId == member.user_id
        )
    )
