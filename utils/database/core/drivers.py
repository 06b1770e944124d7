"""From a database URL to a SQLAlchemy engine: drivers, connection strings and SQLite's pragmas.

pyodbc is imported only for SQL Server, so that the SQLite default needs nothing but pip.
"""

import importlib
import os
import platform
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkstemp
from typing import Any

from sqlalchemy import URL, Engine, ExceptionContext, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from utils.common.errors import DatabaseUnusable
from utils.database.core import error_codes, outages, sql_server

SYSTEM_DRIVER = "ODBC Driver 18 for SQL Server"
PACKAGE = "mssql_python_odbc"
ODBC_OPTION = re.compile(r"([^=;]+)=(\s*\{(?:[^}]|\}\})*\}|[^;]*)")
ENCRYPTED = ("yes", "mandatory", "strict", "true", "1")
DRIVER_NAME, DRIVER_VERSION = 6, 7  # what ODBC calls SQL_DRIVER_NAME and SQL_DRIVER_VER
# Without ConnectRetryCount=0 the driver itself connects again, and waits up to ten seconds between
# (Microsoft, "Connection resiliency in the ODBC driver"); Kith does so, and knows for how long.
ADDED_OPTIONS = {"Encrypt": "yes", "LongAsMax": "Yes", "ConnectRetryCount": "0"}
RECYCLE_S = 1800

INSTALL = "run `pip install -r requirements-sqlserver.txt`"
NO_DRIVER = (
    f"No ODBC driver for SQL Server was found: {INSTALL}, or install "
    f'Microsoft\'s "{SYSTEM_DRIVER}", or name one with driver= in DATABASE_URL.'
)
BAD_URL = (
    "DATABASE_URL cannot be read: write sqlite:///folder/kith.db or "
    "mssql+pyodbc://user:password@host/database, with %40 for an @ in the password."
)


def parse_url(url: str) -> URL:
    """Read a database URL; raises DatabaseUnusable without quoting it (it holds a password)."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        raise DatabaseUnusable(BAD_URL) from None
    is_file = parsed.get_backend_name() == "sqlite"
    # A server's or database's name with an @ begins in the password, which the log would quote.
    if parsed.get_backend_name() not in ("sqlite", "mssql") or (
        not is_file
        and (
            "@" in f"{parsed.host}{parsed.database}"
            or not (
                parsed.host or {"odbc_connect", "dsn", "server"} & {*map(str.lower, parsed.query)}
            )
        )
    ):
        raise DatabaseUnusable(BAD_URL)
    if is_file and (parsed.database == ":memory:" or not sqlite_file(parsed).name):
        raise DatabaseUnusable(BAD_URL)
    return parsed


def sqlite_file(url: URL) -> Path:
    """Return the file that a SQLite URL names, or to which a link of that name leads.

    ``file:`` URIs are understood. What lies beside the file, or replaces it, has to be where SQLite
    works: replaced, a link would leave everything that was said where it led.
    """
    file = Path((url.database or "").removeprefix("file:").partition("?")[0])
    # Unlike pathlib's, these raise nothing for a circle of links or a folder that is closed.
    return Path(os.path.realpath(file)) if os.path.islink(file) else file  # noqa: PTH114


def make_engine(url: URL, connections: int, busy_timeout_s: float) -> Engine:
    """Build the engine; nothing connects yet. Raises DatabaseUnusable when a driver is missing."""
    try:
        if url.get_backend_name() == "sqlite":
            engine = create_engine(
                url,
                pool_size=connections,
                max_overflow=0,
                hide_parameters=True,
                connect_args={"timeout": busy_timeout_s, "check_same_thread": False},
            )
            event.listen(engine, "connect", _prepare_sqlite)
            return engine
        pyodbc = _import_pyodbc()
        pyodbc.pooling = False  # before the first connect: SQLAlchemy pools, the driver must not
        url = complete_sql_server_url(url, pyodbc.drivers())
        return _connect_later(url, pyodbc, connections, "READ COMMITTED")
    except (ArgumentError, NoSuchModuleError):
        raise DatabaseUnusable(BAD_URL) from None


def _prepare_sqlite(connection: Any, _record: object) -> None:
    """Set what SQLite forgets with every connection; the journal mode is the file's own."""
    connection.isolation_level = None  # the driver must not begin by itself: engine.py does
    cursor = connection.cursor()
    for pragma in ("foreign_keys=ON", "synchronous=NORMAL", "temp_store=MEMORY"):
        cursor.execute(f"PRAGMA {pragma}")
    setting = cursor.execute("PRAGMA secure_delete=ON").fetchone()
    cursor.close()
    if setting is None or setting[0] != 1:
        raise DatabaseUnusable(
            "This SQLite cannot overwrite what is deleted (secure_delete); use another build."
        )


def make_reading_engine(engine: Engine) -> Engine:
    """Return the engine that only reads.

    On SQL Server it has connections of its own, in autocommit mode: READ COMMITTED gives several
    SELECTs in one transaction nothing, and its end costs a round trip. On SQLite it is ``engine``.
    """
    if engine.dialect.name == "sqlite":
        return engine
    pool: Any = engine.pool
    reading = _connect_later(engine.url, engine.dialect.dbapi, pool.size(), "AUTOCOMMIT")
    event.listen(reading, "before_cursor_execute", sql_server.refuse_write)
    return reading


def _connect_later(url: URL, pyodbc: Any, connections: int, isolation_level: str) -> Engine:
    engine = create_engine(
        url.set(drivername=sql_server.DRIVER_NAME),
        module=pyodbc,
        pool_size=connections,
        max_overflow=0,
        pool_recycle=RECYCLE_S,
        hide_parameters=True,
        fast_executemany=True,
        isolation_level=isolation_level,
        skip_autocommit_rollback=True,
        pool_reset_on_return=None,
    )
    outages.limit_waits(engine)  # before the ping, which it limits too
    sql_server.manage_sessions(engine)
    event.listen(engine, "handle_error", _drop_broken)
    return engine


def _drop_broken(context: ExceptionContext) -> None:
    """Do not lend a connection again whose session ended, or whose server changed its role."""
    error = context.sqlalchemy_exception
    if isinstance(error, DBAPIError) and error_codes.ends_connection(error):
        context.is_disconnect = True


def create_sqlite_file(file: Path) -> None:
    """Create a database without tables unless the file exists; only its owner may read it.

    It appears under its name only when it is a database, so an empty file is never one of Kith's.
    Raises OSError.
    """
    if file.exists():
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = mkstemp(prefix=f"{file.name}.", suffix=".new", dir=file.parent)
    os.close(descriptor)
    new = Path(name)
    try:
        with closing(sqlite3.connect(new)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
            connection.execute("PRAGMA user_version=0")
            connection.execute("VACUUM")  # writes the first page
        try:
            os.link(new, file)
        except FileExistsError:  # another process was faster
            pass
        except OSError:  # a file system without links
            new.rename(file)
    finally:
        new.unlink(missing_ok=True)


def _import_pyodbc() -> Any:
    try:
        return importlib.import_module("pyodbc")
    except ModuleNotFoundError:
        raise DatabaseUnusable(
            f"SQL Server needs the Python package pyodbc: {INSTALL}, or use SQLite by leaving "
            "DATABASE_URL out."
        ) from None
    except ImportError:
        raise DatabaseUnusable(
            "SQL Server needs the system's ODBC library: install it (Debian and Ubuntu: "
            "`apt-get install unixodbc`), or use SQLite by leaving DATABASE_URL out."
        ) from None


def complete_sql_server_url(url: URL, installed: list[str]) -> URL:
    """Add to a SQL Server URL what it leaves out: the driver, and ADDED_OPTIONS.

    Raises DatabaseUnusable when the URL names no driver and none can be found.
    """
    if "odbc_connect" in url.query:
        return url
    option_names = {key.lower() for key in url.query}
    added = {key: value for key, value in ADDED_OPTIONS.items() if key.lower() not in option_names}
    if not option_names & {"driver", "dsn"}:
        added["driver"] = SYSTEM_DRIVER if SYSTEM_DRIVER in installed else str(packaged_driver())
    return url.update_query_dict(added)


def describe(url: URL, getinfo: Callable[[int], object]) -> str:
    """Describe for ``doctor`` which driver a connection uses, and whether it is encrypted.

    ``url`` is the engine's; ``getinfo`` is the connection's own.
    """
    named = str(url.query.get("driver", "named in DATABASE_URL"))
    origins = {SYSTEM_DRIVER: "installed on this system"}
    if PACKAGE in named:
        origins[named] = "from the package mssql-python-odbc"
    version = f"ODBC driver {getinfo(DRIVER_NAME)} {getinfo(DRIVER_VERSION)}"
    options, encryption = odbc_options(url), "NOT encrypted (take Encrypt= out of DATABASE_URL)"
    if "encrypt" not in options:  # nothing was added to a whole connection string
        encryption = "encrypted unless its data source says otherwise"
    elif options["encrypt"].lower() in ENCRYPTED:
        encryption = "encrypted"
    return f"{version} ({origins.get(named, named)}), {encryption}"


def odbc_options(url: URL) -> dict[str, str]:
    """Return a URL's connection options by their names in small letters.

    A whole connection string (``odbc_connect``) is read, too; ``{}`` may enclose its values.
    """
    options = {key.lower(): str(value) for key, value in url.query.items()}
    for part in ODBC_OPTION.finditer(options.pop("odbc_connect", "")):
        value = part[2].strip()
        if value.startswith("{"):
            value = value[1:-1].replace("}}", "}")
        options[part[1].strip().lower()] = value
    return options


def packaged_driver() -> Path:
    """Return the driver's library in the package mssql-python-odbc.

    Raises DatabaseUnusable when the package, or a build for this machine, is missing.
    """
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise DatabaseUnusable(NO_DRIVER)
    root = Path(next(iter(spec.submodule_search_locations))) / "libs"
    if platform.system() == "Linux":
        machine = {"amd64": "x86_64", "aarch64": "arm64"}.get(platform.machine().lower())
        kinds = ("alpine", "debian_ubuntu", "rhel", "suse")
        names = [f"linux/{kind}/{machine or platform.machine()}/lib" for kind in kinds]
        libraries = _own_build_first(
            [file for name in names for file in root.glob(f"{name}/libmsodbcsql*.so*")]
        )
    else:
        libraries = [*root.rglob("libmsodbcsql*.dylib"), *root.rglob("msodbcsql18.dll")]
    if not libraries:
        raise DatabaseUnusable(NO_DRIVER)
    return libraries[0]


def _own_build_first(libraries: list[Path]) -> list[Path]:
    """Put the build for this Linux first, judged by what /etc/os-release calls it."""
    release = Path("/etc/os-release")
    text = release.read_text(encoding="utf-8").lower() if release.exists() else ""
    for family, folder in (("debian", "debian_ubuntu"), ("suse", "suse"), ("rhel", "rhel")):
        if family in text:
            return sorted(libraries, key=lambda file: folder not in file.parts)
    return libraries
