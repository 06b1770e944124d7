"""Generates one server in a table of a given size: measured members among many others."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Table

from benchmarks.generated.rows import insert_rows
from benchmarks.generated.words import Words
from utils.app import App
from utils.database.core.engine import Connection
from utils.database.memories import members, memories
from utils.database.schema.memory_tables import memory_event, user_memory, user_state
from utils.memory.consolidation import profile
from utils.models.memory import Consent, EventState, Member, Role
from utils.nlp.stemming import stems

MAX_MEMBERS = 2  # measured of each size, in turn; all of them fit in the cache of recall
BATCH = 20_000
ROWS_PER_OTHER = 200
EVENTS = 5_000
GUILD = 4_000
CHANNELS = range(9_001, 9_009)
CHANNEL_NAMES = ("general", "introductions", "gaming", "memes", "music", "help")
READABLE = frozenset(CHANNELS[: len(CHANNEL_NAMES)])
FIRST_MEASURED = 1_000_000
YEAR = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class TablePlan:
    """A file to make: ``table_rows`` rows of memory, or more where ``measured`` need them."""

    table_rows: int
    total_rows: int
    measured: dict[Member, int]  # member -> rows


def plan_tables(table_rows: int, member_rows: Sequence[int]) -> list[TablePlan]:
    """Return the files to make; measured members have at most half a table for each size."""
    inside: dict[Member, int] = {}
    separate_plans = []
    user_id = FIRST_MEASURED
    for rows in member_rows:
        count = min(MAX_MEMBERS, table_rows // 2 // rows)
        inside |= {Member(GUILD, user_id + i): rows for i in range(count)}
        user_id += max(1, count)
        if not count:
            alone = {Member(GUILD, user_id): rows}
            user_id += 1
            separate_plans.append(TablePlan(table_rows, table_rows + rows, alone))
    return (
        [TablePlan(table_rows, table_rows, inside), *separate_plans] if inside else separate_plans
    )


def memory_rows(
    plan: TablePlan, pool: Sequence[dict[str, Any]], now: datetime, dice: random.Random
) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows of memory in batches; their owners are in random order."""
    owners = [member for member, rows in plan.measured.items() for _ in range(rows)]
    other_rows = plan.total_rows - len(owners)
    people = max(1, other_rows // ROWS_PER_OTHER)
    owners += [
        Member(GUILD + i % 20, 1 + int(people * dice.random() ** 2)) for i in range(other_rows)
    ]
    dice.shuffle(owners)
    start = dice.randrange(len(pool))
    for first in range(0, len(owners), BATCH):
        rows = []
        for i, member in enumerate(owners[first : first + BATCH], first):
            created_at = now - YEAR * (1 - i / len(owners))
            row = owned_by(pool[(start + i) % len(pool)], member, created_at, dice)
            rows.append(row | {"ExpiresAt": now + YEAR if i % 3 == 0 else None})
        yield rows


def owned_by(
    row: dict[str, Any], member: Member, created_at: datetime, dice: random.Random
) -> dict[str, Any]:
    """Return a memory row with owner, channel and times."""
    return {
        **row,
        "Uid": f"{dice.getrandbits(128):032x}",
        "GuildId": member.guild_id,
        "UserId": member.user_id,
        "ChannelId": dice.choice(CHANNELS),
        "CreatedAt": created_at,
        "LastConfirmedAt": created_at,
        "ExpiresAt": None,
    }


def event_row(
    *,
    message_id: int,
    channel_id: int,
    author_id: int,
    role: Role,
    text: str,
    created_at: datetime,
) -> dict[str, Any]:
    """Return a message that is already extracted."""
    return {
        "GuildId": GUILD,
        "ChannelId": channel_id,
        "SourceId": CHANNELS[0],
        "MessageId": message_id,
        "AuthorId": author_id,
        "AuthorName": "Ada",
        "Role": role,
        "Text": text,
        "Stems": " ".join(stems(text)),
        "State": EventState.DONE,
        "CreatedAt": created_at,
        "ExpiresAt": created_at + 2 * YEAR,
    }


async def fill(app: App, plan: TablePlan, words: Words, pool: Sequence[dict[str, Any]]) -> None:
    """Write a file's rows, in batches."""
    now, people = app.clock.now(), list(plan.measured)

    def write(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("PRAGMA cache_size=-400000")
        insert_rows(connection, table, rows)

    def write_profiles(connection: Connection) -> None:
        """Store a profile of each measured member, made from publicly readable rows."""
        for member in people:
            rows = memories.load_current(connection, member, now)
            readable = [row for row in rows if row.channel_id in READABLE]
            members.save_profile(connection, member, profile.render(readable))

    members_with_rows: set[Member] = set()
    for rows in memory_rows(plan, pool, now, words.dice):
        members_with_rows |= {Member(row["GuildId"], row["UserId"]) for row in rows}
        await app.database.write(write, table=user_memory, rows=rows)
    states = [
        {
            "GuildId": member.guild_id,
            "UserId": member.user_id,
            "Consent": Consent.LASTING,
            "Ignored": False,
            "MemoryVersion": 1,
        }
        for member in sorted(members_with_rows)
    ]
    await app.database.write(write, table=user_state, rows=states)
    events = [
        event_row(
            message_id=i + 1,
            channel_id=words.dice.choice(CHANNELS),
            author_id=words.dice.choice(people).user_id,
            role=Role.KITH if i % 2 else Role.MEMBER,
            text=words.message(),
            created_at=now - timedelta(minutes=EVENTS - i),
        )
        for i in range(EVENTS)
    ]
    await app.database.write(write, table=memory_event, rows=events)
    await app.database.write(write_profiles)
    await app.database.compact(rebuild=False)
