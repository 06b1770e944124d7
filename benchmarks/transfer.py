"""What carrying memory costs: a backup beside a writer, and an archive out and in again.

``python -m benchmarks.transfer --rows 100000 --backup-mb 500 --json`` fills databases of its own.
"""

import argparse
import asyncio
import resource
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from benchmarks.measuring import MB, memory_mb, tell, watch_memory
from utils.archive import Archive
from utils.backups import Backups
from utils.clock import SystemClock
from utils.database import jobs, memories
from utils.database.engine import Database, Session
from utils.database.tables import census, memory_audit, memory_event, memory_evidence, user_memory
from utils.ledger import Ledger
from utils.memory.decide import search_stems
from utils.memory.keeper import Keeper
from utils.model.memory import (
    Consent,
    EventState,
    Importance,
    Kind,
    Member,
    Method,
    Role,
    Source,
    Status,
)
from utils.model.policy import WritePolicy

GUILD, CHANNEL = 1, 100
OF_A_MEMBER = 500


def fill(session: Session, member: Member, rows: int, clock: SystemClock) -> None:
    """Store memories of a member, each with its message, evidence and audit."""
    now = clock.now() - timedelta(days=100)
    first = member.user_id * OF_A_MEMBER
    at = [now + timedelta(seconds=30 * (first % 200_000 + n)) for n in range(rows)]
    key = {"GuildId": member.guild_id}
    said = [f"I have been to town {first + n} and met neighbour {n}, honestly" for n in range(rows)]
    kept = [f"has been to town {first + n} and met neighbour {n}" for n in range(rows)]
    shared = {
        **key,
        "UserId": member.user_id,
        "ChannelId": CHANNEL,
        "Topics": "places,people",
        "Importance": int(Importance.MEDIUM),
        "Kind": Kind.EPISODE,
        "FactKey": "",
        "Source": Source.CHAT,
        "Status": Status.ACTIVE,
        "Confidence": 0.9,
        "EvidenceCount": 1,
        "UseCount": 0,
    }
    ids = [
        session.execute(
            insert(user_memory)
            .values(
                shared
                | {"Uid": uuid.uuid4().hex, "Memory": text}
                | {"SearchStems": search_stems(text, said[n], "")}
                | {"CreatedAt": at[n], "LastConfirmedAt": at[n]}
            )
            .returning(user_memory.c.Id)
        ).scalar_one()
        for n, text in enumerate(kept)
    ]
    place = {**key, "ChannelId": CHANNEL}
    evidence = {"Method": Method.MODEL, "Model": "m", "PromptHash": "h"}
    session.execute(
        insert(memory_evidence),
        [
            {**place, **evidence, "MemoryId": one, "MessageId": first + n, "Quote": said[n]}
            | {"SaidAt": at[n]}
            for n, one in enumerate(ids)
        ],
    )
    session.execute(
        insert(memory_audit),
        [memories.audit(member, one, "learnt", now, 0, after=kept[n]) for n, one in enumerate(ids)],
    )
    event = {
        **place,
        "SourceId": CHANNEL,
        "Revision": 0,
        "AuthorId": member.user_id,
        "AuthorName": "Ada",
        "Role": Role.MEMBER,
        "Stems": "town neighbour",
        "AboutIds": "",
        "EpisodeId": 0,
        "State": EventState.DONE,
        "Attempts": 0,
        "ExpiresAt": now + timedelta(days=365),
    }
    session.execute(
        insert(memory_event),
        [
            {**event, "MessageId": first + n, "Text": text, "CreatedAt": at[n]}
            for n, text in enumerate(said)
        ],
    )


def pad(session: Session, guild_id: int, clock: SystemClock) -> None:
    """Store a megabyte."""
    row = {"GuildId": guild_id, "At": clock.now(), "Body": str(guild_id % 10) * MB}
    session.execute(insert(census).values(row))


async def filled(file: Path, rows: int, clock: SystemClock) -> Database:
    """Make a database with so many memories, of members who have 500 each."""
    database = Database(f"sqlite:///{file}", pool_size=4, clock=clock)
    await database.open()
    keeper = Keeper(database, clock)
    for user_id in range(1, rows // OF_A_MEMBER + 1):
        member = Member(GUILD, user_id)
        await keeper.set_consent(member, Consent.LASTING)
        await database.write(partial(fill, member=member, rows=OF_A_MEMBER, clock=clock))
    return database


class Writer(threading.Thread):
    """Writes a small unit of work over and over in a process-like connection of its own."""

    def __init__(self, file: Path, clock: SystemClock) -> None:
        super().__init__(daemon=True)
        self.waits_ms: list[float] = []
        self.is_stopped = threading.Event()
        self._file, self._clock = file, clock

    def run(self) -> None:
        """Write until it is stopped."""
        asyncio.run(self._write())

    async def _write(self) -> None:
        database = Database(f"sqlite:///{self._file}", pool_size=1, clock=self._clock)
        await database.open()
        while not self.is_stopped.is_set():
            began = time.perf_counter()
            unit = partial(jobs.beat, process="benchmark:1", at=self._clock.now(), state="here")
            await database.write(unit)
            self.waits_ms.append((time.perf_counter() - began) * 1000)
            await asyncio.sleep(0.002)
        await database.close()


async def measure_backup(folder: Path, megabytes: int, clock: SystemClock) -> dict[str, Any]:
    """Back up a database of about that size while another connection writes."""
    file = folder / "backup.db"
    database = await filled(file, OF_A_MEMBER, clock)
    for guild_id in range(megabytes):  # what pages hold is all one to a copy
        await database.write(partial(pad, guild_id=guild_id, clock=clock))
    await database.compact(rebuild=False)
    backups = Backups(
        f"sqlite:///{file}", database, clock, Ledger(database, folder / "ledger.jsonl")
    )
    writer = Writer(file, clock)
    writer.start()
    await asyncio.sleep(2)
    idle, writer.waits_ms = writer.waits_ms, []
    began = time.perf_counter()
    made = await backups.make(folder / "made.db", lambda done, total: None)
    took_s = time.perf_counter() - began
    waits = writer.waits_ms
    writer.is_stopped.set()
    writer.join()
    await database.close()
    return {
        "MB": round(made.size / MB),
        "seconds": round(took_s, 1),
        "longest write beside it, ms": round(max(waits), 1),
        "writes beside it": len(waits),
        "longest write before, ms": round(max(idle), 1),
        "log grew to, MB": round(_log(file) / MB, 1),
    }


def _log(file: Path) -> int:
    log = file.with_name(f"{file.name}-wal")
    return log.stat().st_size if log.exists() else 0


async def measure_archive(folder: Path, rows: int, clock: SystemClock) -> dict[str, Any]:
    """Export so many memories, and take them into an empty database, and again."""
    database = await filled(folder / "full.db", rows, clock)
    policy = WritePolicy()
    result: dict[str, Any] = {"memories": rows, "MB of memory before": round(memory_mb())}
    place = folder / "archive"
    samples: list[tuple[float, float]] = []
    watching = asyncio.create_task(watch_memory(samples))
    began = time.perf_counter()
    await Archive(database, clock, policy).export(place)
    result["export, seconds"] = round(time.perf_counter() - began, 1)
    result["archive, MB"] = round(sum(one.stat().st_size for one in place.iterdir()) / MB, 1)
    await database.close()
    empty = Database(f"sqlite:///{folder / 'empty.db'}", pool_size=4, clock=clock)
    await empty.open()
    archive = Archive(empty, clock, policy)
    for name, go in (
        ("preview", archive.preview),
        ("import", archive.take_in),
        ("import again", archive.take_in),
    ):
        began, worked = time.perf_counter(), time.process_time()
        arrived = await go(place)
        result[f"{name}, seconds"] = round(time.perf_counter() - began, 1)
        result[f"{name}, CPU seconds"] = round(time.process_time() - worked, 1)
        result[f"{name}, new memories"] = arrived.new["memories.jsonl"]
    watching.cancel()
    await empty.close()
    result["peak, MB"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    return result


async def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Measure what was asked for."""
    clock, result = SystemClock(), {}
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        if options.backup_mb:
            result["backup"] = await measure_backup(Path(name), options.backup_mb, clock)
        if options.rows:
            result["archive"] = await measure_archive(Path(name), options.rows, clock)
    return result


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--backup-mb", type=int, default=500)
    parser.add_argument("--folder", type=Path, help="where the databases are made; default: /tmp")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    tell(asyncio.run(measure(options)), as_json=options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
