"""SQL Server without a server: what it would be sent, how its errors are read, its driver."""

import importlib
import re
from datetime import UTC, datetime
from unittest.mock import Mock

import pytest
from sqlalchemy import (
    Column,
    LargeBinary,
    PrimaryKeyConstraint,
    UniqueConstraint,
    bindparam,
    delete,
    exists,
    func,
    insert,
    literal,
    select,
    true,
    tuple_,
    update,
)
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.exc import DBAPIError, IntegrityError

from docs.schema_sql import render, sql_server_dialect
from tests import sql_server_rules, t_sql_parser
from tests.rows import each_row
from utils.common.errors import DatabaseError, DatabaseUnavailable, DatabaseUnusable
from utils.database.core import drivers, error_codes, migrations, outages
from utils.database.core.error_codes import ErrorClass
from utils.database.core.queries import is_duplicate
from utils.database.schema.column_types import LongText
from utils.database.schema.memory_tables import (
    AUDIT_TRIGGERS,
    artifact,
    heartbeat,
    lease,
    memory_audit,
    memory_event,
    memory_evidence,
    metadata,
    user_memory,
    user_state,
)
from utils.database.schema.text_triggers import TEXT_TRIGGERS

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)

# --- tables -------------------------------------------------------------------------------------


def test_schema_sql_has_the_types_that_were_promised():
    words = render()
    assert words.count("[Id] BIGINT NOT NULL IDENTITY") == 18
    assert words.count("[Vector] VARBINARY(max) NOT NULL") == 2
    assert len(re.findall(r"CREATE INDEX .* WHERE ", words)) == 11
    for part in (
        "[Memory] NVARCHAR(500) NOT NULL",
        "[UserNotes] NVARCHAR(max) NOT NULL",
        "[ExpiresAt] DATETIME2(6) NULL",
        "[Name] NVARCHAR(150) COLLATE Latin1_General_100_BIN2 NOT NULL",
        "UNIQUE CLUSTERED INDEX [IX_UserMemory_Member] ON [UserMemory] ([GuildId]",
        "PRIMARY KEY NONCLUSTERED ([Id])",
        "INSERT INTO alembic_version",
    ):
        assert part in words


def test_no_unique_key_may_be_empty():
    """Two rows without a value collide in a unique index of SQL Server, not in one of SQLite."""
    for table in metadata.sorted_tables:
        unique = [one for one in table.constraints if isinstance(one, UniqueConstraint)]
        for key in (*unique, *(index for index in table.indexes if index.unique)):
            assert not [column for column in key.columns if column.nullable], key.name


def test_every_key_fits_into_an_index():
    for table in metadata.sorted_tables:
        for index in (*table.indexes, *table.constraints):
            clustered = isinstance(index, PrimaryKeyConstraint)
            assert sum(map(bytes_of, index.columns)) <= (900 if clustered else 1_700), index.name


def bytes_of(column: Column) -> int:
    assert not isinstance(column.type, (LongText, LargeBinary)), column
    length = getattr(column.type.dialect_impl(sql_server_dialect()), "length", None)
    return 2 * length if length else 8


# --- statements ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "statement",
    [
        select(func.length(lease.c.Name)),
        select(lease).offset(3),
        sqlite_insert(heartbeat).values(Process="a").on_conflict_do_nothing(),
        select(lease).where(lease.c.Name == literal("a").concat("b")),
        select(lease).where(lease.c.Until < func.coalesce(None, literal(NOON))),
        select(func.count()).group_by(lease.c.Fence / 10),
        select(lease.c.Name).distinct().order_by(lease.c.Until),
        insert(lease).values([{"Name": "a"}, {"Name": "b"}]),
        update(memory_event).values(Attempts=1).returning(memory_event.c.Id),
        delete(memory_audit).returning(memory_audit.c.Id),
        select(memory_event).where(memory_event.c.Text != ""),
        select(artifact.c.Id).where(artifact.c.Name == "https://example.org/A"),
        select(memory_evidence.c.Quote).distinct(),
        select(memory_evidence.c.Quote, func.count()).group_by(memory_evidence.c.Quote),
        select(lease).with_hint(lease, "WITH (UPDLOCK)"),
        select(user_memory.c.Id).where(user_memory.c.Memory == user_memory.c.FactKey),
        select(func.max(user_state.c.Ignored)),
        select(func.max(select(lease.c.Fence).scalar_subquery())),
        select(lease.c.Owner, func.count()).group_by(lease.c.Name),
        select(lease.c.Name).group_by(lease.c.Name).order_by(lease.c.Until),
        select(lease.c.Name).order_by(lease.c.Name, lease.c.Name.desc()),
        select(lease.c.Name).order_by(literal(1)),
        select(lease).order_by(lease.c.Until),
        select(memory_event).where(memory_event.c.GuildId == 1).order_by(memory_event.c.MessageId),
        select(lease.c.Owner, func.count())
        .group_by(lease.c.Owner, lease.c.Fence)
        .order_by(lease.c.Owner),
    ],
    ids=[
        *("length", "offset without order", "on conflict"),
        *("varchar", "aware time", "group by a parameter", "distinct and order"),
        *("values", "output of an update", "output of a deletion", "no text"),
        *("text compared", "distinct texts", "texts grouped", "hint"),
        *("collations", "maximum of bits", "subquery in an aggregate", "not grouped"),
        *("order by what is not grouped", "ordered twice", "order by a parameter"),
        *("equal rows in any order", "order by a part of a key", "equal groups in any order"),
    ],
)
def test_what_sql_server_would_refuse_is_noticed(statement):
    assert sql_server_rules.complaint(statement) is not None


@each_row(
    "statement",
    [
        select(lease).order_by(lease.c.Until, lease.c.Name),
        select(lease).where(lease.c.Name == "a", lease.c.Fence > 1).order_by(lease.c.Until),
        select(lease.c.Until).order_by(lease.c.Until.desc()).limit(1),
        select(lease.c.Owner, func.count()).group_by(lease.c.Owner).order_by(lease.c.Owner.desc()),
        select(user_memory).order_by(user_memory.c.Uid),
    ],
)
def test_rows_that_have_one_order_are_left_alone(statement):
    assert sql_server_rules.complaint(statement) is None


def test_rows_that_are_changed_one_after_the_other_are_locked_in_one_order():
    change = update(lease).where(lease.c.Name == bindparam("name")).values(Fence=bindparam("to"))
    first, second = {"name": "a", "to": 9}, {"name": "b", "to": 3}
    assert sql_server_rules.out_of_order(change, [first, first, second]) is None
    assert sql_server_rules.out_of_order(change, [second, first]) is not None


@pytest.mark.skipif(t_sql_parser.program() is None, reason="maxdop is not installed")
def test_microsofts_parser_refuses_what_is_no_t_sql_and_takes_the_schema():
    wrong = [
        sql_server_rules.compiled(statement)
        for statement in (
            select(lease).where(tuple_(lease.c.Name, lease.c.Owner).in_([("a", "b")])),
            select(user_state).where(user_state.c.Ignored.is_(True)),
            select(user_state.c.Ignored == true()),
            select(exists().where(lease.c.Name == "a")),
            select(lease).with_hint(lease, "LIMIT 5"),
        )
    ]
    right = [render()]
    assert set(t_sql_parser.complaints([*wrong, *right])) == set(wrong)
    assert t_sql_parser.complaints(right, t_sql_parser.NEWEST) == {}


@each_row(("number", "duplicate"), [(2601, True), (2627, True), (547, False), (515, False)])
def test_a_duplicate_is_told_from_other_broken_rules(number, duplicate):
    error = odbc("23000", f"[SQL Server]Not so. ({number}) (SQLExecDirectW); [01000] ended (3621)")
    assert is_duplicate(IntegrityError("INSERT x", None, error.orig)) is duplicate


# --- errors -------------------------------------------------------------------------------------


def odbc(state: str, words: str, lost: bool = False) -> DBAPIError:
    error = DBAPIError("UPDATE x", None, Exception(state, f"[{state}] [Microsoft]{words}"))
    error.connection_invalidated = lost
    return error


@each_row(
    ("state", "words", "fault", "made", "said"),
    [
        ("40001", "deadlock (1205) (SQLExecute)", "TRANSIENT", DatabaseUnavailable, "locked"),
        ("08S01", "link failure (0) (SQLExecute)", "LOST", DatabaseUnavailable, "answer"),
        ("08001", "refused (10061) (SQLConnect)", "LOST", DatabaseUnavailable, "answer"),
        ("HYT00", "Login timeout (0) (SQLConnect)", "LOST", DatabaseUnavailable, "answer"),
        ("HYT00", "Anmeldung (0) (SQLDriverConnect)", "LOST", DatabaseUnavailable, "not answer"),
        ("HYT00", "Query timeout (0) (SQLExecDirectW)", "SLOW", DatabaseUnavailable, "too long"),
        ("HY000", "slow (-2); [01000] x (64) (SQL)", "SLOW", DatabaseUnavailable, "too long"),
        ("28000", "Login failed (18456) (SQLConnect)", "FINAL", DatabaseUnusable, "login"),
        ("42000", "log is full (9002) (SQLExecute)", "FINAL", DatabaseUnavailable, "full"),
        ("42000", "read-only (3906) (SQLExecute)", "TRANSIENT", DatabaseUnavailable, "read-only"),
        ("42S22", "Invalid column (207) (SQLExecute)", "FINAL", DatabaseError, "memory"),
    ],
)
def test_an_error_of_sql_server_ends_as_one_sentence(state, words, fault, made, said):
    error = odbc(state, words)
    assert error_codes.classify_error(error) is ErrorClass[fault]
    translated = error_codes.translate(error)
    assert type(translated) is made
    assert said in str(translated)


def test_a_slow_statement_is_no_outage_though_its_connection_is_given_up():
    """SQLAlchemy takes every HYT00 for a lost connection."""
    error = odbc("HYT00", "[SQL Server]Query timeout expired (0) (SQLExecDirectW)", lost=True)
    assert str(error_codes.translate(error)) == error_codes.SLOW
    assert error_codes.may_have_committed(error)


def test_words_in_an_error_of_sql_server_go_no_further():
    error = odbc("22001", "would be truncated: 'my diary' (2628) (SQLExecute)")
    translated = error_codes.translate(error)
    assert "diary" not in repr(translated)
    assert translated.__cause__ is None


# --- drivers ------------------------------------------------------------------------------------

URL = "mssql+pyodbc://user:secret@host:1433/kith"


def test_what_the_url_leaves_out_is_added():
    url = drivers.complete_sql_server_url(drivers.parse_url(URL), [drivers.SYSTEM_DRIVER])
    assert url.query == drivers.ADDED_OPTIONS | {"driver": drivers.SYSTEM_DRIVER}


def test_without_a_system_driver_the_packaged_library_is_used():
    url = drivers.complete_sql_server_url(drivers.parse_url(URL), ["PostgreSQL"])
    assert url.query["driver"] == str(drivers.packaged_driver())
    assert drivers.packaged_driver().is_file()


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        (ImportError("libodbc.so.2: cannot open shared object file"), "apt-get install unixodbc"),
        (ModuleNotFoundError("No module named 'pyodbc'"), "requirements-sqlserver.txt"),
    ],
)
def test_a_missing_library_is_named(monkeypatch, error, advice):
    def fail(_name: str) -> None:
        raise error

    monkeypatch.setattr(importlib, "import_module", fail)
    with pytest.raises(DatabaseUnusable, match=advice):
        drivers.make_engine(drivers.parse_url(URL), 1, 1.0)


# --- migrating ----------------------------------------------------------------------------------


def asked_for_a_lease(monkeypatch, answer: int) -> Mock:
    """A connection to a server that answers so; its driver waits no longer than any query may."""
    driver = Mock(timeout=outages.QUERY_TIMEOUT_S)
    driver.cursor().fetchone.return_value = (answer,)
    driver.cursor().description = [("",)]
    connection = Mock(dialect=sql_server_dialect())
    connection.connection.driver_connection = driver
    monkeypatch.setattr(migrations, "inspect", Mock())
    return connection


@pytest.mark.parametrize("answer", [0, 1, -999])
def test_a_migration_takes_its_lease_and_its_time(monkeypatch, answer):
    connection = asked_for_a_lease(monkeypatch, answer)
    driver = connection.connection.driver_connection
    with migrations.lease(connection):
        assert driver.timeout == 0
        (statement,) = driver.cursor().execute.call_args.args
    assert "sp_getapplock" in statement
    assert "@LockOwner = N'Transaction'" in statement
    assert driver.timeout == outages.QUERY_TIMEOUT_S


# --- the audit's trigger ------------------------------------------------------------------------


def test_the_audit_is_guarded_in_schema_sql_in_a_batch_of_its_own():
    words = render()
    (trigger,) = AUDIT_TRIGGERS["mssql"]
    assert f"\nGO\n{trigger};\nGO\n" in words
    assert words.index("CREATE TABLE [MemoryAudit]") < words.index("CREATE TRIGGER")
    assert words.index("CREATE TRIGGER") < words.index("\nCOMMIT;")


def test_the_audits_trigger_refuses_deletion_and_every_change_but_blanking():
    (trigger,) = AUDIT_TRIGGERS["mssql"]
    assert "AFTER UPDATE, DELETE" in trigger
    assert "LEFT JOIN inserted" in trigger
    assert "new.[Id] IS NULL" in trigger
    for column in memory_audit.c:
        if column.name in ("Before", "After"):
            assert f"new.[{column.name}] IS NOT NULL" in trigger
        else:
            assert f"old.[{column.name}]" in trigger
            assert f"new.[{column.name}]" in trigger
    assert trigger.index("ROLLBACK TRANSACTION;") < trigger.index("THROW 51000")


def test_a_table_with_a_trigger_is_never_asked_for_output():
    one = insert(memory_audit).values(GuildId=1)
    assert "OUTPUT" not in sql_server_rules.compiled(one).upper()
    assert "OUTPUT" in sql_server_rules.compiled(insert(memory_event).values(GuildId=1)).upper()


@each_row("number", [3903, 3931, 6401])
def test_a_deadlock_inside_a_savepoint_is_run_again(number):
    """The server undid the whole transaction; rolling back to the savepoint then fails, too."""
    deadlock = odbc("40001", "[SQL Server]chosen as the victim (1205) (SQLExecDirectW)")
    masked = odbc("42000", f"[SQL Server]No savepoint of that name ({number}) (SQLExecDirectW)")
    masked.orig.__context__ = deadlock
    assert error_codes.classify_error(masked) is ErrorClass.TRANSIENT
    assert "locked" in str(error_codes.translate(masked))


def test_no_schema_version_is_set_after_a_batch_that_failed():
    """Without sqlcmd's -b, the last batch runs all the same."""
    last = re.split(r"(?m)^GO$", render())[-2]
    guard, _, rest = last.partition("END;")
    assert guard.strip().startswith(
        "IF XACT_STATE() <> 1"
    )  # the failure has undone the transaction
    for trigger in (*AUDIT_TRIGGERS["mssql"], *TEXT_TRIGGERS["mssql"]):
        assert f"OR OBJECT_ID(N'{trigger.split()[2]}') IS NULL" in guard
    assert guard.strip().endswith("Look at the first error.', 1;")
    assert "THROW 51000" in guard
    assert rest.index("CREATE TABLE alembic_version") < rest.index("INSERT INTO alembic_version")
    assert rest.strip().endswith("COMMIT;")
