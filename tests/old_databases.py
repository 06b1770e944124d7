"""Databases as earlier versions of Kith left them: a small one for each schema version, as SQL.

``python -m tests.old_databases 0007`` writes tests/fixtures/schema_0007.sql, once, before a later
revision is added. A dump that is there is never written again: it is what that version made.
"""

import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, insert, select

from utils.database import migrations
from utils.database.engine import Session
from utils.database.tables import metadata

FOLDER = Path(__file__).parent / "fixtures"
GUILD, CHANNEL, ADA, MODERATOR = 1, 100, 10, 30
THEN, LATER = "2026-03-01 12:00:00.123456", "2036-03-01 12:00:00.000000"
VECTOR = bytes.fromhex("003c00c00038")  # 1, -2 and 0.5 as 16-bit floats
HERE: dict[str, Any] = {"GuildId": GUILD, "ChannelId": CHANNEL}
OF_ADA: dict[str, Any] = {"GuildId": GUILD, "UserId": ADA}
MEMORY: dict[str, Any] = OF_ADA | {
    "ChannelId": CHANNEL,
    "Topics": "pets,dogs",
    "Importance": 2,
    "Kind": "fact",
    "FactKey": "pet_name",
    "Source": "chat",
    "Status": "active",
    "Confidence": 0.95,
    "EvidenceCount": 1,
    "CreatedAt": THEN,
    "ExpiresAt": None,
    "LastConfirmedAt": THEN,
    "LastUsedAt": None,
    "UseCount": 3,
    "SupersededById": None,
}
EVENT: dict[str, Any] = HERE | {
    "SourceId": CHANNEL,
    "Revision": 0,
    "AuthorId": ADA,
    "AuthorName": "Ada \N{DOG FACE}",
    "Role": "member",
    "Stems": "dog name rex",
    "AboutIds": "",
    "EpisodeId": None,
    "State": "done",
    "Attempts": 1,
    "CreatedAt": THEN,
    "ExpiresAt": LATER,
}
# A row or more for every table there has ever been; a dump has those that its version knew.
ROWS: dict[str, list[dict[str, Any]]] = {
    "GuildSettings": [
        {
            "GuildId": GUILD,
            "Mode": "kith",
            "TimeZone": "Europe/Berlin",
            "BaseRoleId": None,
            "ConsentDefault": "temporary",
            "PolicyVersion": 1,
            "Frozen": 0,
            "ModeratorsSeeMembers": 1,
            "RemovedAt": None,
        }
    ],
    "ChannelPurpose": [HERE | {"Purpose": "game", "Topics": "chess,go"}],
    "ChannelState": [HERE | {"ResetEventId": 0}],
    "PolicyVersion": [
        {
            "GuildId": GUILD,
            "Version": 1,
            "At": THEN,
            "ActorId": MODERATOR,
            "Reason": "it's fewer",
            "Policy": '{"cap": 300}',
        }
    ],
    "UserState": [
        OF_ADA
        | {
            "UserNotes": "Has a dog named Rex.",
            "NotesRowIds": "41",
            "Consent": "lasting",
            "PassiveOptIn": 0,
            "MemoryVersion": 7,
            "LastSeenAt": THEN,
            "LeftAt": None,
            "ConsentAskedAt": THEN,
            "Ignored": 0,
        }
    ],
    "UserMemory": [
        MEMORY
        | {
            "Id": 40,
            "Uid": "0" * 32,
            "Memory": "has a dog named Max",
            "SearchStems": "dog name max\n\n",
            "Status": "superseded",
            "SupersededById": 41,
        },
        MEMORY
        | {
            "Id": 41,
            "Uid": "1" * 32,
            "Memory": "has a dog named Rex",
            "SearchStems": "dog name rex\ndog name rex\n",
        },
    ],
    "MemoryEvent": [
        EVENT | {"Id": 51, "MessageId": 1001, "ReplyToId": None, "Text": "my dog's name is Rex"},
        EVENT
        | {
            "Id": 52,
            "MessageId": 1002,
            "ReplyToId": 1001,
            "AuthorId": 2,
            "AuthorName": "Kith",
            "Role": "kith",
            "Text": "Good dog!",
            "AboutIds": f" {ADA} ",
            "Attempts": 0,
        },
    ],
    "MemoryEvidence": [
        {
            "Id": 61,
            "GuildId": GUILD,
            "MemoryId": 41,
            "MessageId": 1001,
            "ChannelId": CHANNEL,
            "Quote": "my dog's name is Rex",
            "Method": "model",
            "Model": "small",
            "PromptHash": "a" * 64,
            "SaidAt": THEN,
        }
    ],
    "MemoryAudit": [
        OF_ADA
        | {
            "Id": 71,
            "MemoryId": 41,
            "At": THEN,
            "ActorId": 0,
            "Action": "learnt",
            "Before": "#40",
            "After": "has a dog named Rex",
        }
    ],
    "Lease": [{"Name": "job:prune", "Owner": "", "Fence": 5, "Until": THEN}],
    "JobRun": [{"Name": "prune", "SucceededAt": THEN, "Report": "nothing to do"}],
    "Heartbeat": [{"Process": "kith:1", "At": THEN, "State": "connected"}],
    "TokenUse": [
        OF_ADA
        | {
            "Day": "2026-03-01",
            "Purpose": "chat",
            "Calls": 2,
            "PromptTokens": 900,
            "CompletionTokens": 80,
        }
    ],
    "CommandSync": [{"ApplicationId": 2, "PayloadHash": "b" * 64}],
    "MemoryEmbedding": [OF_ADA | {"Id": 81, "MemoryId": 41, "Model": "tiny", "Vector": VECTOR}],
    "EventEmbedding": [OF_ADA | {"Id": 82, "EventId": 51, "Model": "tiny", "Vector": VECTOR}],
    "WatchedChannel": [HERE | {"Memory": "opt-in", "AddedAt": THEN, "NoticeId": 1003}],
    "WatchSettings": [
        {
            "GuildId": GUILD,
            "TensionAlert": 0.6,
            "ToxicityAlert": 0.8,
            "HalfLifeHours": 2.5,
            "Prefilter": None,
            "PingRoleId": None,
            "AutoTimeout": 0,
            "AutoToxicity": 0.95,
            "AutoMinutes": 10,
            "AutoDryRun": 1,
        }
    ],
    "PassiveRefusal": [{"GuildId": GUILD, "UserId": 20}],
    "WaitingMessage": [
        OF_ADA
        | HERE
        | {
            "MessageId": 1004,
            "PlaceId": CHANNEL,
            "AuthorName": "Ada",
            "Text": "not read yet",
            "CreatedAt": THEN,
            "ReplyToId": None,
            "Revision": 0,
        }
    ],
    "MessageScore": [
        OF_ADA
        | HERE
        | {
            "MessageId": 1005,
            "PlaceId": CHANNEL,
            "SaidAt": THEN,
            "Sentiment": -0.5,
            "Toxicity": 0.85,
            "Tension": 0.7,
            "Reason": "insults",
        }
    ],
    "Tension": [OF_ADA | {"ChannelId": 0, "Level": 0.4, "At": THEN, "Raised": 0}],
    "ChannelMode": [HERE | {"Mode": "pirate"}],
    "Persona": [
        {
            "GuildId": GUILD,
            "Name": "pirate",
            "Text": "Talk like a pirate.",
            "CreatedById": MODERATOR,
            "CreatedAt": THEN,
            "ChangedById": MODERATOR,
            "ChangedAt": THEN,
        }
    ],
    "RoastRefusal": [OF_ADA | {"At": THEN}],
    "Alert": [
        {
            "Id": 91,
            "GuildId": GUILD,
            "PlaceId": CHANNEL,
            "State": "open",
            "Signal": "toxicity",
            "Level": 0.85,
            "Threshold": 0.8,
            "OpenedAt": THEN,
            "ChangedAt": THEN,
            "PostChannelId": None,
            "PostId": None,
            "TriedAt": None,
            "Shown": 1,
            "DecidedById": 0,
            "DecidedAt": None,
        }
    ],
    "AlertMessage": [OF_ADA | {"AlertId": 91, "MessageId": 1005}],
    "ModeratorAction": [
        OF_ADA
        | {
            "Id": 95,
            "AlertId": 91,
            "Act": "warn",
            "ActorId": MODERATOR,
            "At": THEN,
            "Amount": 0,
            "Done": 1,
        }
    ],
    "Episode": [
        HERE
        | {
            "Id": 101,
            "SourceId": CHANNEL,
            "StartedAt": THEN,
            "LastAt": THEN,
            "FirstEventId": 51,
            "LastEventId": 52,
            "SummarisedId": 52,
            "ClosedAt": THEN,
            "ExpiresAt": LATER,
        }
    ],
    "EpisodeMember": [OF_ADA | {"EpisodeId": 101}],
    "EpisodeSummary": [
        HERE
        | {
            "Id": 102,
            "SourceId": CHANNEL,
            "EpisodeId": 101,
            "Part": "final",
            "FirstEventId": 51,
            "LastEventId": 52,
            "Text": "Ada told of her dog Rex.",
            "Structure": "{}",
            "Stems": "ada tell dog rex",
            "SaidFrom": THEN,
            "SaidTo": THEN,
            "Model": "small",
            "PromptHash": "a" * 64,
            "CreatedAt": THEN,
            "ExpiresAt": LATER,
        }
    ],
    "OpenLoop": [
        OF_ADA
        | HERE
        | {
            "Id": 103,
            "SourceId": CHANNEL,
            "MessageId": 1001,
            "Kind": "ask",
            "Text": "how the vet's visit went",
            "State": "open",
            "DueAt": LATER,
            "CreatedAt": THEN,
            "ExpiresAt": LATER,
        }
    ],
    "Artifact": [
        OF_ADA
        | HERE
        | {
            "Id": 104,
            "SourceId": CHANNEL,
            "MessageId": 1001,
            "Position": 0,
            "Kind": "document",
            "Name": "vet.txt",
            "MediaType": "text/plain",
            "Size": 20,
            "Sha256": "c" * 64,
            "Url": "",
            "State": "done",
            "Attempts": 1,
            "Caption": "",
            "CreatedAt": THEN,
            "ExpiresAt": LATER,
        }
    ],
    "ArtifactText": [
        OF_ADA
        | {
            "Id": 105,
            "ArtifactId": 104,
            "Part": 0,
            "Text": "Rex is a healthy dog",
            "Stems": "rex healthi dog",
            "ExpiresAt": LATER,
        }
    ],
    "AccountLink": [OF_ADA | {"OtherId": 11, "At": THEN}],
    "HistoryImport": [
        HERE | {"FileKey": "d" * 64, "LastMessageId": 1001, "ChangedAt": THEN, "FinishedAt": THEN}
    ],
    "Tombstone": [{"GuildId": GUILD, "MessageId": 1009, "UserId": ADA, "Revision": 2**62}],
}

Stored = dict[str, list[tuple[Any, ...]]]


def dump_of(revision: str) -> Path:
    """Return the file that keeps the database of a schema version."""
    return FOLDER / f"schema_{revision}.sql"


def restore(revision: str, file: Path) -> None:
    """Make the SQLite file that a version left."""
    with closing(sqlite3.connect(file)) as raw:
        raw.executescript(dump_of(revision).read_text(encoding="utf-8"))


def stored(session: Session, tables: set[str]) -> Stored:
    """Return every row of some tables, as the program reads them, in the order of their keys."""
    return {
        table.name: [
            tuple(row)
            for row in session.execute(select(table).order_by(*table.primary_key.columns))
        ]
        for table in metadata.sorted_tables
        if table.name in tables
    }


def copy(rows: Stored, session: Session) -> None:
    """Insert rows into a database of the same version, on another server."""
    for table in metadata.sorted_tables:
        names = [column.name for column in table.columns]
        for row in rows.get(table.name, []):
            session.execute(insert(table).values(dict(zip(names, row, strict=True))))


def _make(revision: str) -> str:
    """Return the dump of a new database of that version with a row in each of its tables."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "kith.db"
        engine = create_engine(f"sqlite:///{file}")
        with engine.begin() as connection:
            migrations.upgrade(connection, revision)
        engine.dispose()
        with closing(sqlite3.connect(file)) as raw:
            _fill(raw)
            return "\n".join(_statements(raw)) + "\n"


def _fill(raw: sqlite3.Connection) -> None:
    there = {name for (name,) in raw.execute("SELECT name FROM sqlite_master")}
    for table, rows in ROWS.items():
        for row in rows if table in there else ():
            known = [column[1] for column in raw.execute(f'PRAGMA table_info("{table}")')]
            names = ", ".join(f'"{name}"' for name in known)
            marks = ", ".join("?" for _ in known)
            values = [row[name] for name in known]
            raw.execute(f'INSERT INTO "{table}" ({names}) VALUES ({marks})', values)
    raw.commit()


def _statements(raw: sqlite3.Connection) -> list[str]:
    """Tables, then rows, then what watches over them; the full-text index is made anew."""
    made = raw.execute(
        "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL"
        " AND name NOT LIKE 'sqlite_%' AND name NOT GLOB 'MemorySearch_*' ORDER BY rowid"
    ).fetchall()
    tables = [(name, sql) for kind, name, sql in made if kind == "table" and "VIRTUAL" not in sql]
    said = ["BEGIN;", *(f"{sql};" for _, sql in tables)]
    for name, _ in tables:
        columns = [column[1] for column in raw.execute(f'PRAGMA table_info("{name}")')]
        quoted = " || ', ' || ".join(f'quote("{column}")' for column in columns)
        names = ", ".join(f'"{column}"' for column in columns)
        said += [
            f'INSERT INTO "{name}" ({names})\n    VALUES ({values});'
            for (values,) in raw.execute(f'SELECT {quoted} FROM "{name}"')
        ]
    said += [f"{sql};" for _, _, sql in made if sql not in dict(tables).values()]
    if any(name == "MemorySearch" for _, name, _ in made):
        said.append('INSERT INTO "MemorySearch" ("MemorySearch") VALUES (\'rebuild\');')
    return [*said, "COMMIT;"]


if __name__ == "__main__":
    for version in sys.argv[1:]:
        if not dump_of(version).exists():
            dump_of(version).write_text(_make(version), encoding="utf-8")
