"""Counts round trips to the database as SQL Server would see them, also on SQLite."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from sqlalchemy import Engine

from tests.fakes.statements import watched_statements
from utils.database.core import queries


@dataclass
class RoundTrips:
    """Statements that ran, and round trips: queries that run together are one."""

    statements: int = 0
    together: int = 0

    @property
    def trips(self) -> int:
        return self.statements - self.together


@contextmanager
def counted_round_trips(engines: Collection[Engine]) -> Iterator[RoundTrips]:
    """Count until the end of the block."""
    counts, run = RoundTrips(), queries.run

    def note(*_: Any) -> None:
        counts.statements += 1

    def run_in_batch(connection: Any, query: Any) -> Any:
        counts.together += 1
        return run(connection, query)

    def run_all(connection: Any, batch: Any) -> Any:
        counts.together -= bool(batch)
        return [run_in_batch(connection, query) for query in batch]

    with (
        watched_statements(engines, note),
        patch("utils.memory.recall.reader.run_all", run_all),
        patch("utils.memory.recall.prepared_cache.run_all", run_all),
    ):
        yield counts
