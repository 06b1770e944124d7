"""Generates forty servers of very different sizes, with all that the dashboard shows of them."""

import random
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import datetime, timedelta
from enum import Enum
from itertools import accumulate, chain
from pathlib import Path
from typing import Any

from sqlalchemy import Table

from benchmarks.generated.rows import DIFFERENT_ROWS, default_values, different_rows
from benchmarks.generated.words import Words
from utils.database.schema import fts_index
from utils.database.schema.memory_tables import (
    daily_count,
    memory_audit,
    memory_event,
    memory_evidence,
    token_use,
    user_memory,
    user_state,
)
from utils.models.memory import EventState, Method, Role, Source, Status
from utils.models.operator import CounterName

GUILD = 1  # the largest server, which the loopback Discord knows
NOTHING_WAITS = 2  # the second largest: no memory in it waits for review
CHANNEL = 100
SERVERS = 40
ROWS_PER_MEMBER = 200
EVENTS_PER_ROW = 0.3
DAYS = 90
SPOKE_SHARE = 0.3  # of the days, each member
FIRST_SNOWFLAKE = 1_180_000_000_000_000_000
PERMANENT_SHARE = 0.5


def choose_owners(rows: int, dice: random.Random) -> list[tuple[int, int]]:
    """Return the server and the member of each row; server sizes follow Zipf's law."""
    servers = range(GUILD, GUILD + SERVERS)
    weights = list(accumulate(1 / rank for rank in range(1, SERVERS + 1)))
    row_owners = []
    for guild_id in dice.choices(servers, cum_weights=weights, k=rows):
        share = (1 / (guild_id - GUILD + 1)) / weights[-1]
        people = max(5, int(rows * share / ROWS_PER_MEMBER))
        row_owners.append(
            (guild_id, FIRST_SNOWFLAKE + guild_id * 1_000_000 + dice.randrange(people))
        )
    return row_owners


def memory_rows(
    of: Sequence[tuple[int, int]], pool: Sequence[dict[str, Any]], dice: random.Random, at: datetime
) -> Iterator[dict[str, Any]]:
    """Yield generated memories, of two years, half of them permanent."""
    for number, (guild_id, user_id) in enumerate(of):
        created_at = at - timedelta(days=730) * (1 - number / len(of))
        is_permanent = dice.random() < PERMANENT_SHARE
        yield pool[number % len(pool)] | {
            "Uid": f"{dice.getrandbits(128):032x}",
            "GuildId": guild_id,
            "UserId": user_id,
            "ChannelId": CHANNEL + dice.randrange(20),
            "Source": dice.choices(list(Source), weights=(80, 10, 5, 5))[0],
            **({"Status": Status.ACTIVE} if guild_id == NOTHING_WAITS else {}),
            "CreatedAt": created_at,
            "LastConfirmedAt": created_at,
            "EvidenceCount": 1,
            "ExpiresAt": None if is_permanent else at + timedelta(days=dice.uniform(0.1, 120)),
        }


def event_rows(
    of: Sequence[tuple[int, int]], words: Words, at: datetime
) -> Iterator[dict[str, Any]]:
    """Yield generated messages of the last thirty days."""
    texts = [words.message() for _ in range(1_000)]
    for number, (guild_id, user_id) in enumerate(of):
        yield {
            "GuildId": guild_id,
            "ChannelId": CHANNEL + number % 20,
            "SourceId": CHANNEL + number % 20,
            "MessageId": FIRST_SNOWFLAKE + number,
            "AuthorId": user_id,
            "AuthorName": f"Member {user_id % 1_000_000}",
            "Role": Role.MEMBER,
            "Text": texts[number % len(texts)],
            "State": EventState.DONE,
            "CreatedAt": at - timedelta(days=30) * (1 - number / len(of)),
            "ExpiresAt": at + timedelta(days=30),
        }


def evidence_and_audit_rows(
    stored: Sequence[tuple[int, int, int]], at: datetime
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield an evidence row and an audit row for each memory."""
    for row_id, guild_id, user_id in stored:
        quote = {
            "GuildId": guild_id,
            "MemoryId": row_id,
            "MessageId": FIRST_SNOWFLAKE + row_id,
            "ChannelId": CHANNEL,
            "Quote": "said so",
            "Method": Method.MODEL,
            "SaidAt": at,
        }
        line = {
            "GuildId": guild_id,
            "UserId": user_id,
            "MemoryId": row_id,
            "At": at,
            "ActorId": 0,
            "Action": "learnt",
            "Before": None,
            "After": "said so",
        }
        yield quote, line


def token_use_rows(
    people: Sequence[tuple[int, int]], days: Sequence[str], dice: random.Random
) -> Iterator[dict[str, Any]]:
    """Yield the tokens that members spent: on answers and on learning, each day they spoke."""
    for guild_id, user_id in people:
        for day in dice.sample(days, int(len(days) * SPOKE_SHARE)):
            for purpose in ("chat", "extract"):
                yield {
                    "GuildId": guild_id,
                    "Day": day,
                    "UserId": user_id,
                    "Purpose": purpose,
                    "Calls": 9,
                    "PromptTokens": 20_000,
                    "CompletionTokens": 900,
                }


def fill(file: Path, rows: int, now: datetime) -> None:
    """Write the file's rows directly, without the checks: this takes a tenth of the time."""
    words = Words(7)
    dice = words.dice
    of = choose_owners(rows, dice)
    pool = different_rows(words, min(DIFFERENT_ROWS, rows))
    people = sorted({*of})
    states = ({"GuildId": guild, "UserId": user, "MemoryVersion": 1} for guild, user in people)
    spoken = of[:: max(1, int(1 / EVENTS_PER_ROW))]
    days = [(now - timedelta(days=day)).date().isoformat() for day in range(DAYS)]
    counted = (
        {"GuildId": guild, "Day": day, "Name": name, "Label": label, "Count": dice.randint(1, 99)}
        for guild in range(GUILD, GUILD + SERVERS)
        for day in days
        for name in CounterName
        for label in ("fact", "pattern", "task", "episode")
    )
    with closing(sqlite3.connect(file)) as raw:
        raw.execute("PRAGMA synchronous=OFF")
        raw.execute("PRAGMA cache_size=-400000")
        for trigger in fts_index.TRIGGERS:
            raw.execute(f"DROP TRIGGER {trigger}")
        _write(raw, user_state, states)
        _write(raw, user_memory, memory_rows(of, pool, dice, now))
        _write(raw, memory_event, event_rows(spoken, words, now))
        _write(raw, daily_count, counted)
        _write(raw, token_use, token_use_rows(people, days, dice))
        stored = raw.execute('SELECT "Id", "GuildId", "UserId" FROM "UserMemory"').fetchall()
        _write(raw, memory_evidence, (quote for quote, _ in evidence_and_audit_rows(stored, now)))
        _write(raw, memory_audit, (line for _, line in evidence_and_audit_rows(stored, now)))
        name = fts_index.NAME
        raw.execute(f'INSERT INTO "{name}" ("{name}") VALUES (\'rebuild\')')  # noqa: S608
        for statement in fts_index.TRIGGERS.values():
            raw.execute(statement)
        raw.commit()


def _write(raw: sqlite3.Connection, table: Table, rows: Iterator[dict[str, Any]]) -> None:
    first = next(rows)
    blanks = default_values(table, provided=first)
    names = ", ".join(f'"{name}"' for name in (*blanks, *first))
    marks = ", ".join("?" * (len(blanks) + len(first)))
    insert = f'INSERT INTO "{table.name}" ({names}) VALUES ({marks})'  # noqa: S608 - our own names
    raw.executemany(
        insert, ((*blanks.values(), *map(_stored, row.values())) for row in chain([first], rows))
    )


def _stored(value: Any) -> Any:
    """Return a value as SQLAlchemy stores it in SQLite."""
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S.%f}"
    return value.value if isinstance(value, Enum) else value
