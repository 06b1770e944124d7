"""Job successes, unfinished work, heartbeats, and the hash of synchronised slash commands."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from sqlalchemy import bindparam, delete, func, not_, select

from utils.database.core.engine import Connection
from utils.database.core.queries import from_row, read_list, upsert
from utils.database.schema.memory_tables import command_sync, heartbeat, job_run, memory_event
from utils.models.memory import Member
from utils.models.operator import ErasureKind

_ERASING = "erase"
_WRITING = "write"


@dataclass(frozen=True, slots=True)
class JobSuccess:
    """When a job last succeeded, and its report."""

    at: datetime
    report: str


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """A process's last heartbeat; ``state`` is one short line."""

    process: str
    at: datetime
    state: str

    @property
    def host(self) -> str:
        """The machine, or container, that the process runs on."""
        return self.process.rpartition(":")[0]


def last_success(connection: Connection, name: str) -> JobSuccess | None:
    """Return a job's last success, or None."""
    row = connection.execute(
        select(job_run.c.SucceededAt, job_run.c.Report).where(job_run.c.Name == name)
    ).one_or_none()
    return None if row is None else JobSuccess(row.SucceededAt, row.Report)


def newest_time(connection: Connection, job: str) -> datetime | None:
    """Return when the newest message was sent, or this job last succeeded, whichever is later."""
    times = (
        connection.scalar(select(func.max(memory_event.c.CreatedAt))),
        connection.scalar(select(job_run.c.SucceededAt).where(job_run.c.Name == job)),
    )
    return max((time for time in times if time is not None), default=None)


def record_success(connection: Connection, name: str, at: datetime, report: str) -> None:
    """Store that a job succeeded."""
    upsert(connection, job_run, {"Name": name}, {"SucceededAt": at, "Report": report})


def begin_erasure(
    connection: Connection, kind: ErasureKind, member: Member, at: datetime, last_id: int
) -> None:
    """Record that all of a member up to that message is being erased, in several units of work."""
    record_success(connection, _erasure(kind, member), at, str(last_id))


def finish_erasure(connection: Connection, kind: ErasureKind, member: Member) -> None:
    """Remove what :func:`begin_erasure` recorded."""
    connection.execute(delete(job_run).where(job_run.c.Name == _erasure(kind, member)))


# Built once: building costs more than running.
_UNFINISHED = select(job_run.c.Name).where(job_run.c.Name.like(f"{_ERASING} %"))
_UNFINISHED_BEFORE_OR_AFTER = _UNFINISHED.where(
    not_(job_run.c.SucceededAt.between(bindparam("start"), bindparam("end")))
)


def unfinished_erasures(
    connection: Connection, except_between: tuple[datetime, datetime] | None = None
) -> list[tuple[ErasureKind, Member]]:
    """Return the erasures that have begun and not ended, except those begun between two times."""
    if except_between is None:
        names = connection.scalars(_UNFINISHED)
    else:
        start, end = except_between
        names = connection.scalars(_UNFINISHED_BEFORE_OR_AFTER, {"start": start, "end": end})
    parts = [name.split() for name in names]
    return [
        (ErasureKind(kind), Member(int(guild_id, 16), int(user_id, 16)))
        for _, kind, guild_id, user_id in parts
    ]


def unfinished_up_to(
    connection: Connection, kind: ErasureKind, member: Member
) -> tuple[datetime, int] | None:
    """Return when an unfinished erasure began, and the last message it erases; None if finished."""
    last_run = last_success(connection, _erasure(kind, member))
    return None if last_run is None else (last_run.at, int(last_run.report))


def _erasure(kind: ErasureKind, member: Member) -> str:
    return f"{_ERASING} {kind} {member.guild_id:x} {member.user_id:x}"


def begin_file(connection: Connection, path: str, at: datetime) -> None:
    """Record that a file or folder with people's words is being written under that path."""
    record_success(connection, _file(path), at, path)


def finish_file(connection: Connection, path: str) -> None:
    """Remove what :func:`begin_file` recorded."""
    connection.execute(delete(job_run).where(job_run.c.Name == _file(path)))


def unfinished_files(connection: Connection) -> list[tuple[str, datetime]]:
    """Return the paths whose writing has begun and not ended, and when it began."""
    return read_list(
        connection,
        select(job_run.c.Report, job_run.c.SucceededAt).where(job_run.c.Name.like(f"{_WRITING} %")),
        tuple,
    )


def _file(path: str) -> str:
    return f"{_WRITING} {hashlib.sha256(path.encode('utf-8', 'surrogatepass')).hexdigest()[:40]}"


def record_heartbeat(connection: Connection, process: str, at: datetime, state: str) -> None:
    """Store a process's heartbeat."""
    upsert(connection, heartbeat, {"Process": process}, {"At": at, "State": state})


def heartbeats(connection: Connection) -> list[Heartbeat]:
    """Return each process's last heartbeat, newest first."""
    return read_list(
        connection,
        select(heartbeat).order_by(heartbeat.c.At.desc(), heartbeat.c.Process),
        partial(from_row, Heartbeat),
    )


def remove_heartbeats(connection: Connection, before: datetime) -> int:
    """Remove heartbeats older than ``before``; returns how many."""
    return int(connection.execute(delete(heartbeat).where(heartbeat.c.At < before)).rowcount)


def synced_hash(connection: Connection, application_id: int) -> str | None:
    """Return the hash of the commands last sent to Discord, or None."""
    payload_hash = connection.execute(
        select(command_sync.c.PayloadHash).where(command_sync.c.ApplicationId == application_id)
    ).scalar_one_or_none()
    return None if payload_hash is None else str(payload_hash)


def record_sync(connection: Connection, application_id: int, payload_hash: str) -> None:
    """Store the hash of the commands sent to Discord."""
    upsert(
        connection, command_sync, {"ApplicationId": application_id}, {"PayloadHash": payload_hash}
    )
