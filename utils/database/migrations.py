"""Alembic without an alembic.ini: which schema a database has, and bringing it forward.

The revisions lie in ``sql/versions``. Nothing here begins or commits a transaction.
"""

import threading
from functools import cache
from pathlib import Path
from typing import TextIO

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, column, inspect, table, update

from utils.database.tables import metadata
from utils.errors import DatabaseUnusable

SCRIPTS = Path(__file__).resolve().parents[2] / "sql"

_versions = table("alembic_version", column("version_num"))

# Alembic's context and op are global proxies: one migration at a time in a process.
_one_at_a_time = threading.Lock()


def make_config(output: TextIO | None = None) -> Config:
    """Build what alembic.ini would say."""
    config = Config(output_buffer=output) if output else Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


@cache
def known_revisions() -> tuple[str, ...]:
    """Return every revision this program knows, the newest first."""
    scripts = ScriptDirectory.from_config(make_config())
    return tuple(script.revision for script in scripts.walk_revisions())


def head() -> str:
    """Return the revision this program needs."""
    return known_revisions()[0]


def current(connection: Connection) -> str | None:
    """Return the database's revision; None when it has no schema yet."""
    return MigrationContext.configure(connection).get_current_revision()


def touch(connection: Connection) -> None:
    """Write the version row unchanged: locks it against other migrators, proves we may write."""
    if inspect(connection).has_table(_versions.name):
        connection.execute(update(_versions).values(version_num=_versions.c.version_num))


def refuse_foreign(connection: Connection) -> None:
    """Raise DatabaseUnusable when the schema is newer than this program or not Kith's at all."""
    revision = current(connection)
    if revision is not None and revision not in known_revisions():
        raise DatabaseUnusable(
            f"The database has schema {revision}, made by a newer Kith than this one (which "
            f"knows {head()}); update Kith, or restore a backup from before the update."
        )
    if revision is None and set(inspect(connection).get_table_names()) & set(metadata.tables):
        raise DatabaseUnusable(
            "The database holds tables of Kith's names but no schema version; choose an empty "
            "database, or restore a backup."
        )


def upgrade(connection: Connection) -> None:
    """Bring the schema forward to :func:`head` inside the caller's transaction."""
    with _one_at_a_time:
        config = make_config()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def render_upgrade(output: TextIO) -> None:
    """Write the upgrade from nothing as T-SQL, without a server (Alembic's offline mode)."""
    with _one_at_a_time:
        command.upgrade(make_config(output), "head", sql=True)
