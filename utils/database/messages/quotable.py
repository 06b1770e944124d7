"""Whether a message that somebody replies to may be quoted in a prompt.

It still stands on Discord, but what it says may be erased here.
"""

from sqlalchemy import func, select

from utils.database.core.engine import Connection
from utils.database.privacy import tombstones
from utils.database.schema.memory_tables import erasure_ledger, memory_event
from utils.models.memory import EventState
from utils.models.operator import ErasureKind
from utils.models.recall import QuotedMessage

_ALL_OF_A_MEMBER = (ErasureKind.SAID, ErasureKind.OFF, ErasureKind.MEMBER)


def check_quote(
    connection: Connection, guild_id: int, quoted: QuotedMessage
) -> tuple[bool, int | None]:
    """Return whether nothing says that a message is erased, and its database id.

    The id is None for messages that are not stored, or only as evidence for notes.

    A message of Kith's must be stored, because otherwise nobody knows what it was made from. A
    message of a member that is not stored must be newer than the last time when all of the member
    was erased.
    """
    columns, entry = memory_event.c, erasure_ledger.c
    row = connection.execute(
        select(columns.Id, columns.Text, columns.State)
        .where(columns.GuildId == guild_id, columns.MessageId == quoted.message_id)
        .order_by(columns.Revision.desc())
        .limit(1)
    ).one_or_none()
    if row is not None:
        return bool(row.Text), None if row.State is EventState.OVERHEARD else row.Id
    if quoted.is_kith or tombstones.permanent(connection, guild_id, [quoted.message_id]):
        return False, None
    erased_at = connection.scalar(
        select(func.max(entry.At)).where(
            entry.GuildId == guild_id,
            entry.UserId == quoted.author_id,
            entry.Kind.in_(_ALL_OF_A_MEMBER),
        )
    )
    is_newer = quoted.sent_at is not None and erased_at is not None and quoted.sent_at > erased_at
    return erased_at is None or is_newer, None
