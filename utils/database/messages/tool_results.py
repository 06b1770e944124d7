"""Results of MCP servers' tools, stored as attachments of the message that asked for them."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select, update

from utils.database.core.engine import Connection
from utils.database.messages import attachments
from utils.database.schema.memory_tables import memory_event
from utils.models.attachment import (
    Attachment,
    AttachmentKind,
    FileDescription,
    has_placeholder,
    tool_placeholder,
)
from utils.models.memory import EVENT_LIMIT, Event, EventState

METHOD = "mcp"  # in place of a file's media type


def store(
    connection: Connection,
    event: Event,
    name: str,
    description: FileDescription,
    stems: Sequence[str],
    now: datetime,
) -> bool:
    """Store a result with its message; returns False if the message is not stored any more.

    While the message is being extracted, nothing is stored, because it must not change then. A
    message that was extracted already is extracted once more. The caller holds the member's lock.
    """
    columns = memory_event.c
    of_message = (columns.GuildId == event.guild_id, columns.MessageId == event.message_id)
    row = connection.execute(
        select(columns.Id, columns.Text, columns.State, columns.ExpiresAt)
        .where(*of_message, columns.AuthorId == event.author_id, columns.ExpiresAt > now)
        .order_by(columns.Id.desc())
        .limit(1)
    ).first()
    if row is None or not row.Text or row.State not in (EventState.PENDING, EventState.DONE):
        return False
    text = tool_placeholder(row.Text)
    if len(text) > EVENT_LIMIT and not has_placeholder(row.Text):
        return False
    connection.execute(
        update(memory_event).where(columns.Id == row.Id).values(Text=text, State=EventState.PENDING)
    )
    result = Attachment(AttachmentKind.TOOL, name, METHOD)
    return attachments.add_read(connection, event, result, description, stems, row.ExpiresAt)
