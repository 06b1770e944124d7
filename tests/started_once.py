"""What takes long whenever a bot starts is done once in a test run: tests start hundreds of bots.

A running bot freezes what it has loaded, and translates its commands, once in its life. Nor do
tests wait for the disk: no power fails between two of them. A copy of a file that was found whole
is not examined before it is changed. Started processes do all as always.
"""

import asyncio
import fcntl
import gc
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from discord import app_commands
from fastapi import routing
from pydantic_settings.sources import base as settings_sources
from pydantic_settings.sources.providers import env as environment_source
from sqlalchemy import Connection

from utils.database.core import drivers, opening

PREPARE_SQLITE = drivers._prepare_sqlite  # as Kith does it
EXAMINE = opening.quick_check
TICK_NS = 1_000_000_000
RARELY = (10_000, 20, 20)  # more than a bot's: it does not freeze; 4 % of a run instead of 7 %

_unopened: dict[Path, int] = {}  # copies, and the time of change that each has until it is changed


def copy_database(whole: Path, copy: Path) -> None:
    """Copy a SQLite file that was found whole; the first look at the copy need not examine it."""
    shutil.copyfile(whole, copy)
    # A time of its own, since the system's tick may be too long to tell a change from the copying.
    _unopened[copy] = whole.stat().st_mtime_ns - TICK_NS
    os.utime(copy, ns=(_unopened[copy], _unopened[copy]))


@pytest.fixture(scope="session")
def copies_are_not_examined() -> Iterator[None]:
    """Let a database be opened without a look at each page if it is an unchanged copy."""

    def quick_check(connection: Connection) -> None:
        file = drivers.sqlite_file(connection.engine.url)
        if _unopened.pop(file, None) != file.stat().st_mtime_ns:
            EXAMINE(connection)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "quick_check", quick_check)
        yield


@pytest.fixture(scope="session")
def demo_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of the demo's community, built once for all workers; a test copies it."""
    from cogs.demo.command import build_community, demo_settings  # a second for other tests
    from cogs.demo.community import Community

    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    file = folder / "demo.db"
    with (folder / "demo.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists():
            unfinished = folder / "unfinished.db"
            asyncio.run(build_community(demo_settings(unfinished), Community.load()))
            unfinished.rename(file)
    return file


@pytest.fixture(scope="session")
def bots_start_quickly() -> Iterator[None]:
    """Freeze now instead of at each start, collect less often, and translate each command once."""
    gc.freeze()
    gc.enable()
    usual = gc.get_threshold()
    gc.set_threshold(*RARELY)
    with pytest.MonkeyPatch.context() as patch:
        for kind in (app_commands.Command, app_commands.Group, app_commands.ContextMenu):
            _translate_once(patch, kind)
        yield
    gc.set_threshold(*usual)


@pytest.fixture(scope="session")
def types_of_settings_are_examined_once() -> Iterator[None]:
    """Remember which settings hold JSON, a question about their types: half of reading them."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (settings_sources, environment_source):
            patch.setattr(module, "_union_is_complex", _once_for_type(module._union_is_complex))
        is_complex = settings_sources._annotation_is_complex
        patch.setattr(settings_sources, "_annotation_is_complex", _once_for_type(is_complex))
        yield


def _once_for_type(is_complex: Callable[..., bool]) -> Callable[..., bool]:
    known: dict[tuple[object, tuple[int, ...]], bool] = {}
    kept: list[object] = []  # what has an id in a key

    def remembered(annotation: object, metadata: list[object], *state: object) -> bool:
        key = annotation, tuple(map(id, metadata))
        if key not in known:
            known[key] = is_complex(annotation, metadata, *state)
            kept.extend(metadata)
        return known[key]

    return remembered


@pytest.fixture(scope="session")
def routes_are_built_once() -> Iterator[None]:
    """Build what FastAPI knows of a route once, not at the first request to each dashboard."""
    build = routing._EffectiveRouteContext.from_api_route
    built: dict[tuple[int, str], Any] = {}  # what is built holds its route, so no id comes again

    def from_api_route(*, original_route: Any, include_context: Any) -> Any:
        key = id(original_route), include_context.path_for(original_route)
        if key not in built:
            built[key] = build(original_route=original_route, include_context=include_context)
        return built[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(routing._EffectiveRouteContext, "from_api_route", from_api_route)
        yield


@pytest.fixture(scope="session")
def disks_are_not_waited_for() -> Iterator[None]:
    """Let SQLite leave what it writes to the operating system; a killed process loses nothing.

    Rows that no ORDER BY orders come in the reverse of SQLite's order: a server has one of its own.
    """

    def prepare_without_waiting(connection: sqlite3.Connection, record: object) -> None:
        PREPARE_SQLITE(connection, record)
        connection.execute("PRAGMA synchronous=OFF")
        connection.execute("PRAGMA reverse_unordered_selects=ON")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drivers, "_prepare_sqlite", prepare_without_waiting)
        yield


def _translate_once(patch: pytest.MonkeyPatch, kind: Any) -> None:
    translate = kind.get_translated_payload
    translated: dict[tuple[object, ...], dict[str, Any]] = {}

    async def get_translated_payload(command: Any, tree: Any, translator: Any) -> dict[str, Any]:
        key = type(translator), *_definition(command)
        if key not in translated:
            translated[key] = await translate(command, tree, translator)
        return translated[key]

    patch.setattr(kind, "get_translated_payload", get_translated_payload)


def _definition(command: Any) -> tuple[object, ...]:
    """Return what a command is made of, which is the same in every bot: its callback and names."""
    own = type(command), command.name, command.nsfw, command.default_permissions, command.guild_only
    if isinstance(command, app_commands.Group):
        return *own, command.description, *map(_definition, command.commands)
    return *own, command.callback
