"""What the process remembers of itself: jobs that succeeded, heartbeats, synced commands."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, select

from utils.database.engine import Session
from utils.database.tables import command_sync, heartbeat, job_run
from utils.database.upsert import upsert


@dataclass(frozen=True, slots=True)
class JobSuccess:
    """When a job last succeeded, and what it said it did."""

    at: datetime
    report: str


@dataclass(frozen=True, slots=True)
class Beat:
    """A process's last sign of life; ``state`` is one short line."""

    process: str
    at: datetime
    state: str

    @property
    def host(self) -> str:
        """The machine, or container, that the process runs on."""
        return self.process.rpartition(":")[0]


def last_success(session: Session, name: str) -> JobSuccess | None:
    """Return a job's last success, or None when it never had one."""
    row = session.execute(
        select(job_run.c.SucceededAt, job_run.c.Report).where(job_run.c.Name == name)
    ).one_or_none()
    return None if row is None else JobSuccess(row.SucceededAt, row.Report)


def record_success(session: Session, name: str, at: datetime, report: str) -> None:
    """Remember that a job succeeded."""
    upsert(session, job_run, {"Name": name}, {"SucceededAt": at, "Report": report})


def beat(session: Session, process: str, at: datetime, state: str) -> None:
    """Write a process's sign of life."""
    upsert(session, heartbeat, {"Process": process}, {"At": at, "State": state})


def beats(session: Session) -> list[Beat]:
    """Return each process's last sign of life, newest first."""
    rows = session.execute(select(heartbeat).order_by(heartbeat.c.At.desc(), heartbeat.c.Process))
    return [Beat(row.Process, row.At, row.State) for row in rows]


def remove_beats(session: Session, before: datetime) -> int:
    """Remove signs of life older than that; returns how many."""
    return int(session.execute(delete(heartbeat).where(heartbeat.c.At < before)).rowcount)


def synced_hash(session: Session, application_id: int) -> str | None:
    """Return the hash of the commands Discord was last told of, or None."""
    hashes = select(command_sync.c.PayloadHash)
    found = session.execute(
        hashes.where(command_sync.c.ApplicationId == application_id)
    ).scalar_one_or_none()
    return None if found is None else str(found)


def record_sync(session: Session, application_id: int, payload_hash: str) -> None:
    """Remember which commands Discord was told of."""
    upsert(session, command_sync, {"ApplicationId": application_id}, {"PayloadHash": payload_hash})
