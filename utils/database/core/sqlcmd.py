"""The sqlcmd lines that back up and restore a SQL Server database; an administrator runs them.

They name no login and no password. They reach the instance that DATABASE_URL names, and trust its
certificate if DATABASE_URL does.
"""

import os
import shlex
import subprocess
from datetime import datetime
from pathlib import Path

from sqlalchemy import URL

from utils.database.core import drivers

TRUSTED = ("yes", "true", "1", "mandatory")
NOT_ENCRYPTED = ("no", "optional", "false", "0")


def database_name(url: URL) -> str:
    """Return the name of the database that a SQL Server URL opens."""
    return url.database or drivers.odbc_options(url).get("database", "")


def backup_command(url: URL, now: datetime, *, is_windows: bool = os.name == "nt") -> str:
    """Return the line for a checked copy-only backup, which leaves backup chains alone."""
    name = database_name(url)
    file = f"{name}-{now:%Y%m%d-%H%M%S}.bak"
    backup = f"BACKUP DATABASE {bracketed(name)} TO DISK = {_quoted(file)} WITH COPY_ONLY, CHECKSUM"
    verify = f"RESTORE VERIFYONLY FROM DISK = {_quoted(file)} WITH CHECKSUM"
    return _line(url, f"{backup}; {verify};", is_windows=is_windows)


def restore_command(url: URL, file: Path, *, is_windows: bool = os.name == "nt") -> str:
    """Return the line that restores a backup, also where there is no such database yet."""
    name = bracketed(database_name(url))
    exists = f"DB_ID({_quoted(database_name(url))}) IS NOT NULL"
    alone = f"IF {exists} ALTER DATABASE {name} SET SINGLE_USER WITH ROLLBACK IMMEDIATE"
    put = f"RESTORE DATABASE {name} FROM DISK = {_quoted(str(file))} WITH REPLACE, CHECKSUM"
    query = f"{alone}; {put}; ALTER DATABASE {name} SET MULTI_USER;"
    return _line(url, query, is_windows=is_windows)


def _line(url: URL, query: str, *, is_windows: bool) -> str:
    """Return the line, quoted for the shell. ``-x``: ``$(name)`` in a name is no variable."""
    words = ["sqlcmd", *_connection(url), "-d", "master", "-b", "-x", "-Q", query]
    return subprocess.list2cmdline(words) if is_windows else shlex.join(words)


def _connection(url: URL) -> list[str]:
    """Return sqlcmd's options for the server, its port or instance, and its certificate."""
    options = drivers.odbc_options(url)
    if "dsn" in options:
        words = ["-D", "-S", options["dsn"]]
    else:
        server = options.get("server") or url.host or "localhost"
        words = ["-S", f"{server},{url.port}" if url.port else server]
    encrypt = options.get("encrypt", "").lower()
    if encrypt in NOT_ENCRYPTED:
        words.append("-No")
    elif encrypt == "strict":
        words.append("-Ns")
    if options.get("trustservercertificate", "").lower() in TRUSTED:
        words.append("-C")
    return words


def bracketed(name: str) -> str:
    """Return a name as T-SQL writes it."""
    return f"[{name.replace(']', ']]')}]"


def _quoted(text: str) -> str:
    return "N'{}'".format(text.replace("'", "''"))
