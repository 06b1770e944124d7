"""What became of messages since they were read or quoted."""

from collections.abc import Collection, Mapping
from datetime import datetime

from sqlalchemy import bindparam, func, select

from utils.database.core.engine import Connection
from utils.database.core.queries import IDS, fetch_rows
from utils.database.messages.events import newest_revision
from utils.database.privacy import tombstones
from utils.database.schema.column_types import is_not_empty
from utils.database.schema.memory_tables import erasure_ledger, memory_event
from utils.models.memory import EventState, Role
from utils.models.operator import ErasureKind
from utils.models.recall import QuotedMessage, QuoteReason
from utils.nlp.confidential import is_confidential

_EVENT, _ENTRY = memory_event.c, erasure_ledger.c


# Built once: building costs more than running.
_ARE_THESE = (
    _EVENT.GuildId == bindparam("guild_id"),
    _EVENT.MessageId.in_(IDS),
)
# Not DISTINCT: SQLite would read all messages of the server in the order of their authors.
_AUTHORS = select(_EVENT.AuthorId).where(*_ARE_THESE, _EVENT.Role == Role.MEMBER)
_IDS = select(_EVENT.MessageId).where(*_ARE_THESE)
_IDS_WITH_TEXT = _IDS.where(is_not_empty(_EVENT.Text))
_REVISIONS = select(_EVENT.MessageId, _EVENT.Revision).where(*_ARE_THESE, is_not_empty(_EVENT.Text))
_TEXTS = (
    select(_EVENT.MessageId, _EVENT.Text, _EVENT.State)
    .where(*_ARE_THESE)
    .order_by(_EVENT.MessageId, _EVENT.Revision)
)


def authors_of(connection: Connection, guild_id: int, message_ids: Collection[int]) -> set[int]:
    """Return the members who wrote those of these messages that are stored."""
    return {row[0] for row in fetch_rows(connection, _AUTHORS, message_ids, guild_id=guild_id)}


def stored_ids(
    connection: Connection,
    guild_id: int,
    message_ids: Collection[int],
    *,
    with_text: bool = False,
) -> set[int]:
    """Return those of these messages that are stored; ``with_text``: that still have their text."""
    query = _IDS_WITH_TEXT if with_text else _IDS
    return {row[0] for row in fetch_rows(connection, query, message_ids, guild_id=guild_id)}


def edited_since(
    connection: Connection, guild_id: int, revisions: Collection[tuple[int, int]]
) -> bool:
    """Return whether any message was edited, also if its new text is not stored yet.

    ``revisions`` are the messages' ids, each with the revision that was read.
    """
    read = dict(revisions)
    rows = fetch_rows(connection, _REVISIONS, read, guild_id=guild_id)
    return any(row.Revision > read[row.MessageId] for row in rows) or any(
        read[message_id] <= until
        for message_id, until in tombstones.edits(connection, guild_id, read).items()
    )


def erased_since(connection: Connection, guild_id: int, texts: Mapping[int, str]) -> set[int]:
    """Return those messages whose text is no longer stored as it was read, with deleted rows.

    An import blanks old messages once they are read; these are erased only if they were deleted,
    edited or forgotten as well.

    Args:
        connection: the caller's unit of work.
        guild_id: the server.
        texts: the texts that were read, by message id.
    """
    rows = fetch_rows(connection, _TEXTS, texts, guild_id=guild_id)
    newest = {row.MessageId: (row.Text, row.State) for row in rows}
    changed = {id_ for id_, text in texts.items() if id_ not in newest or newest[id_][0] != text}
    read_by_import = {
        id_ for id_ in changed if newest.get(id_, ("", None)) == ("", EventState.IMPORTED)
    }
    return changed - (
        read_by_import - tombstones.revisions(connection, guild_id, read_by_import).keys()
    )


_ALL_OF_A_MEMBER = (ErasureKind.SAID, ErasureKind.OFF, ErasureKind.MEMBER)


def check_quote(
    connection: Connection, guild_id: int, quoted: QuotedMessage, last_erased: datetime | None
) -> tuple[bool, int | None]:
    """Return whether nothing says that a message is erased, and its database id.

    The id is None for messages that are not stored, or only as evidence for notes.

    A message of Kith's must be stored, because otherwise nobody knows what it was made from. A
    message of a member that is not stored must be newer than the last time when all of the member
    was erased: by the ledger, or ``last_erased`` by the audit, which archives bring along. The
    beginning of a thread, which no one points at, must be no confidence.
    """
    row = connection.execute(
        newest_revision(
            guild_id, quoted.message_id, _EVENT.Id, _EVENT.Text, _EVENT.State, _EVENT.Stems
        )
    ).one_or_none()
    if quoted.reason is QuoteReason.STARTER and is_confidential(
        quoted.text, "" if row is None else row.Stems
    ):
        return False, None
    if row is not None:
        return bool(row.Text), None if row.State is EventState.OVERHEARD else row.Id
    if quoted.is_kith or tombstones.permanent(connection, guild_id, [quoted.message_id]):
        return False, None
    in_ledger = select(func.max(_ENTRY.At)).where(
        _ENTRY.GuildId == guild_id,
        _ENTRY.UserId == quoted.author_id,
        _ENTRY.Kind.in_(_ALL_OF_A_MEMBER),
    )
    return all(
        at is None or (quoted.sent_at is not None and quoted.sent_at > at)
        for at in (connection.scalar(in_ledger), last_erased)
    ), None
