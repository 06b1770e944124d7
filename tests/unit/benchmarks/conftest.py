"""Benchmarks make many databases, and each would be migrated from nothing."""

import shutil
from pathlib import Path

import pytest

from utils.database.core import drivers


@pytest.fixture(autouse=True)
def new_databases_are_copies(
    request: pytest.FixtureRequest, sqlite_template: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Begin a quick test's SQLite files as copies of the migrated one: 16 ms instead of 150."""
    if request.node.get_closest_marker("slow"):
        return
    create = drivers.create_sqlite_file

    def create_copy(file: Path) -> None:
        is_new = not file.exists()
        create(file)
        if is_new:
            shutil.copyfile(sqlite_template, file)

    monkeypatch.setattr(drivers, "create_sqlite_file", create_copy)
