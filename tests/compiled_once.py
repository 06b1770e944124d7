"""Statements are compiled once in a test run: its SQLite engines share what SQLAlchemy keeps.

A running bot has one engine, and so compiles each statement once in its life. Every test opens an
engine of its own, and would compile everything again: a fifth of the whole suite's time.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine

from utils.database.core import drivers

STATEMENTS = 5_000


@pytest.fixture(scope="session")
def statements_are_compiled_once() -> Iterator[None]:
    """Give every SQLite engine the same dialect, which is part of the key, and the same cache."""
    first = create_engine("sqlite://", query_cache_size=STATEMENTS)
    first.connect().close()  # the dialect looks what this SQLite can do

    def make(*given: Any, **options: Any) -> Engine:
        engine = create_engine(*given, **options)
        if engine.dialect.name == "sqlite":
            engine.dialect = first.dialect
            engine._compiled_cache = first._compiled_cache
        return engine

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drivers, "create_engine", make)
        yield
    first.dispose()
