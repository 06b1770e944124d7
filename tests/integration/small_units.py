"""Small units of work that the tests of the database share."""

import time
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import insert, select, update

from utils.common.clock import Clock
from utils.database.core import drivers
from utils.database.core.engine import Connection, Database
from utils.database.schema.memory_tables import command_sync, user_state
from utils.models.memory import EventState, Role

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)  # whole, as not every driver keeps microseconds


def open_later(url: str, patience_s: float = 10.0, pool_size: int = 4) -> Database:
    return Database(url, pool_size=pool_size, clock=Clock(), patience_s=patience_s)


async def back(database: Database) -> None:
    """Return when the database is not known to be away (any more)."""
    for outage in (database._reading, database._writing):
        if outage._probing is not None:
            await outage._probing


def file_of(url: str) -> Path:
    return drivers.sqlite_file(drivers.parse_url(url))


def add_hash(connection: Connection, application_id: int, value: str = "h") -> None:
    connection.execute(insert(command_sync).values(ApplicationId=application_id, PayloadHash=value))


def hashes(connection: Connection) -> list[int]:
    return list(
        connection.scalars(
            select(command_sync.c.ApplicationId).order_by(command_sync.c.ApplicationId)
        )
    )


def add_counter(connection: Connection) -> None:
    connection.execute(
        insert(user_state).values(
            GuildId=1,
            UserId=2,
            UserNotes="",
            NotesRowIds="",
            PassiveOptIn=False,
            Ignored=False,
            MemoryVersion=0,
        )
    )


def counted(connection: Connection) -> int:
    return connection.execute(select(user_state.c.MemoryVersion)).scalar_one()


def read_then_write(connection: Connection) -> None:
    before = counted(connection)
    time.sleep(0.0005)
    connection.execute(update(user_state).values(MemoryVersion=before + 1))


def lock_then_count(connection: Connection) -> None:
    connection.execute(update(user_state).values(NotesRowIds=user_state.c.NotesRowIds))
    read_then_write(connection)


def event_values(text_: str, message_id: int = 1) -> dict[str, object]:
    return {
        "GuildId": 1,
        "ChannelId": 2,
        "SourceId": 2,
        "MessageId": message_id,
        "Revision": 0,
        "AuthorId": 3,
        "AuthorName": "Ada",
        "Role": Role.MEMBER,
        "Text": text_,
        "Stems": "",
        "State": EventState.PENDING,
        "Attempts": 0,
        "CreatedAt": NOON,
        "ExpiresAt": NOON,
    }
