"""Statements are compiled once in a test run: its SQLite engines share what SQLAlchemy keeps.

A running bot has one engine, and so compiles each statement once in its life. Every test opens an
engine of its own, and would compile everything again: a fifth of the whole suite's time. Nor does
each worker of a fresh clone rewrite the asserts of every test module, which takes 5 s of CPU.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from _pytest.assertion import rewrite
from sqlalchemy import Engine, create_engine

from utils.database.core import drivers

STATEMENTS = 5_000
TESTS = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Rewrite this worker's share of the test modules; it finds the others' shares in the cache."""
    worker = getattr(session.config, "workerinput", None)
    if worker is None:
        return
    first = int(worker["workerid"].removeprefix("gw"))
    for module in sorted(TESTS.rglob("test_*.py"))[first :: worker["workercount"]]:
        cache = rewrite.get_cache_dir(module)
        rewritten = cache / (module.stem + rewrite.PYC_TAIL)
        if rewrite.try_makedirs(cache) and rewrite._read_pyc(module, rewritten) is None:
            source_hash, code = rewrite._rewrite_test(module, session.config)
            state = session.config.stash[rewrite.assertstate_key]
            rewrite._write_pyc(state, code, source_hash, rewritten)


@pytest.fixture(scope="session", autouse=True)
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
