"""Measures a backup during writes, and the export and import of an archive.

    python -m benchmarks.transfer [--json] [--rows 100000] [--backup-mb 500] [--folder DIR]

It fills its own databases.
"""

import asyncio
import resource
import sys
import tempfile
import threading
import time
import uuid
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from sqlalchemy import insert, select

from benchmarks.generated.rows import insert_rows
from benchmarks.stage.measuring import MB, memory_mb, watch_memory
from benchmarks.stage.program import program
from tests.fakes.builders import make_memory_service, make_rules
from utils.admin.archive.archive import Archive
from utils.admin.backups import Backups
from utils.common.clock import SystemClock
from utils.database.admin import jobs
from utils.database.core.engine import Connection, Database
from utils.database.core.queries import of_member
from utils.database.memories import audit
from utils.database.schema.memory_tables import (
    census,
    memory_event,
    memory_evidence,
    user_memory,
)
from utils.memory.consolidation.wording import search_stems
from utils.memory.privacy.erasure_ledger_file import ErasureLedger
from utils.models.memory import (
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

GUILD, CHANNEL = 1, 100
OF_A_MEMBER = 500


def fill(connection: Connection, member: Member, rows: int, clock: SystemClock) -> None:
    """Store memories of a member, each with its message, evidence and audit."""
    began_at, first = clock.now() - timedelta(days=100), member.user_id * OF_A_MEMBER
    place = {"GuildId": member.guild_id, "ChannelId": CHANNEL}
    messages, memories, evidence = [], [], []
    for number in range(first, first + rows):
        at = began_at + timedelta(seconds=30 * (number % 200_000))
        text = f"been to town {number} and met neighbour {number - first}"
        message = f"I have {text}, honestly"
        messages.append(
            place
            | {
                "SourceId": CHANNEL,
                "MessageId": number,
                "AuthorId": member.user_id,
                "Text": message,
            }
            | {"AuthorName": "Ada", "Role": Role.MEMBER, "State": EventState.DONE, "EpisodeId": 0}
            | {"CreatedAt": at, "ExpiresAt": began_at + timedelta(days=365)}
        )
        memories.append(
            place
            | {"UserId": member.user_id, "Uid": uuid.uuid4().hex, "Memory": f"has {text}"}
            | {"Topics": "places,people", "Importance": int(Importance.MEDIUM), "Confidence": 0.9}
            | {"Kind": Kind.EPISODE, "Source": Source.CHAT, "Status": Status.ACTIVE}
            | {"SearchStems": search_stems(f"has {text}", message, ""), "EvidenceCount": 1}
            | {"CreatedAt": at, "LastConfirmedAt": at}
        )
        quote = {"MessageId": number, "Quote": message, "SaidAt": at}
        evidence.append(place | quote | {"Method": Method.MODEL, "Model": "m", "PromptHash": "h"})
    insert_rows(connection, memory_event, messages)
    insert_rows(connection, user_memory, memories)
    query = select(user_memory.c.Id, user_memory.c.Memory).where(of_member(user_memory, member))
    stored = connection.execute(query.order_by(user_memory.c.Id)).all()
    pairs = zip(evidence, stored, strict=True)
    insert_rows(connection, memory_evidence, [row | {"MemoryId": id_} for row, (id_, _) in pairs])
    for id_, text in stored:
        audit.add(connection, member, [id_], "learnt", began_at, 0, after=text)


def insert_megabyte(connection: Connection, guild_id: int, clock: SystemClock) -> None:
    """Store a row of one megabyte."""
    row = {"GuildId": guild_id, "At": clock.now(), "Body": str(guild_id % 10) * MB}
    connection.execute(insert(census).values(row))


async def create_filled_database(file: Path, rows: int, clock: SystemClock) -> Database:
    """Create a database with ``rows`` memories, 500 of each member."""
    database = Database(f"sqlite:///{file}", pool_size=4, clock=clock)
    await database.open()
    keeper = make_memory_service(database, clock)
    for user_id in range(1, rows // OF_A_MEMBER + 1):
        member = Member(GUILD, user_id)
        await keeper.set_consent(member, Consent.LASTING)
        await database.write(fill, member=member, rows=OF_A_MEMBER, clock=clock)
    return database


class BackgroundWriter(threading.Thread):
    """A thread that repeats a small write on its own connection, as another process would."""

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
            unit = partial(
                jobs.record_heartbeat, process="benchmark:1", at=self._clock.now(), state="here"
            )
            await database.write(unit)
            self.waits_ms.append((time.perf_counter() - began) * 1000)
            await asyncio.sleep(0.002)
        await database.close()


async def measure_backup(folder: Path, megabytes: int, clock: SystemClock) -> dict[str, Any]:
    """Back up a database of about that size while another connection writes."""
    file = folder / "backup.db"
    database = await create_filled_database(file, OF_A_MEMBER, clock)
    for guild_id in range(megabytes):  # the content of the pages does not matter for a copy
        await database.write(insert_megabyte, guild_id=guild_id, clock=clock)
    await database.compact(rebuild=False)
    backups = Backups(
        f"sqlite:///{file}", database, clock, ErasureLedger(database, folder / "ledger.jsonl")
    )
    writer = BackgroundWriter(file, clock)
    writer.start()
    await asyncio.sleep(2)
    idle, writer.waits_ms = writer.waits_ms, []
    began = time.perf_counter()
    backup = await backups.make(folder / "made.db", lambda bytes_done, total: None)
    took_s = time.perf_counter() - began
    waits = writer.waits_ms
    writer.is_stopped.set()
    writer.join()
    await database.close()
    return {
        "MB": round(backup.size / MB),
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
    """Export ``rows`` memories, then import them twice into an empty database."""
    database = await create_filled_database(folder / "full.db", rows, clock)
    rules = make_rules()
    result: dict[str, Any] = {"memories": rows, "MB of memory before": round(memory_mb())}
    place = folder / "archive"
    samples: list[tuple[float, float]] = []
    watching = asyncio.create_task(watch_memory(samples))
    began = time.perf_counter()
    await Archive(database, clock, rules, None).export(place)
    result["export, seconds"] = round(time.perf_counter() - began, 1)
    result["archive, MB"] = round(sum(path.stat().st_size for path in place.iterdir()) / MB, 1)
    await database.close()
    empty = Database(f"sqlite:///{folder / 'empty.db'}", pool_size=4, clock=clock)
    await empty.open()
    archive = Archive(empty, clock, rules, None)
    for name, go in (
        ("preview", archive.preview),
        ("import", archive.import_),
        ("import again", archive.import_),
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


async def measure(
    temporary: Path,
    rows: int = 100_000,
    backup_mb: int = 500,
    folder: Annotated[Path | None, "where the databases are made; default: /tmp"] = None,
) -> dict[str, Any]:
    """Run the chosen measurements."""
    clock, result = SystemClock(), {}
    with tempfile.TemporaryDirectory(dir=folder or temporary) as name:
        if backup_mb:
            result["backup"] = await measure_backup(Path(name), backup_mb, clock)
        if rows:
            result["archive"] = await measure_archive(Path(name), rows, clock)
    return result


main = program("transfer", __doc__, measure)


if __name__ == "__main__":
    sys.exit(main())
