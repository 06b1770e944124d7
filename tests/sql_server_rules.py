"""What SQL Server would say of a statement that SQLite accepts: every test's statements are asked.

Knows the rules that bite: what has no T-SQL, row values, SQLite's own functions, paging that
needs an order. A live server remains the judge (TEST_DATABASE_URL).
"""

from sqlalchemy import ClauseElement
from sqlalchemy.exc import CompileError
from sqlalchemy.sql import visitors
from sqlalchemy.sql.dml import UpdateBase
from sqlalchemy.sql.elements import Tuple
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.sql.selectable import SelectBase

from utils.database.render_schema import sql_server_dialect

SQLITE_ONLY = frozenset(
    {
        *("length", "substr", "group_concat", "ifnull", "instr", "strftime", "date", "datetime"),
        *("julianday", "random", "printf", "total", "unixepoch", "hex", "json_each"),
        *("json_extract", "last_insert_rowid", "changes"),
    }
)
FORBIDDEN = ("NTEXT", "ROW_NUMBER", " LIMIT ", "RETURNING", "ON CONFLICT")

_dialect = sql_server_dialect()
_known: dict[object, str | None] = {}


def complaint(statement: ClauseElement) -> str | None:
    """Return why SQL Server would refuse the statement, or None."""
    if not isinstance(statement, (SelectBase, UpdateBase)):
        return None
    key = statement._generate_cache_key()
    if key is None:
        return _judge(statement)
    if key.key not in _known:
        _known[key.key] = _judge(statement)
    return _known[key.key]


def compiled(statement: ClauseElement) -> str:
    """Return the statement as T-SQL, on one line."""
    return " ".join(str(statement.compile(dialect=_dialect)).split())


def _judge(statement: ClauseElement) -> str | None:
    for element in visitors.iterate(statement):
        if isinstance(element, Tuple):
            return f"row values do not exist in T-SQL: {statement}"
        name = getattr(element, "name", "") if isinstance(element, FunctionElement) else ""
        if str(name).lower() in SQLITE_ONLY:
            return f"{name}() is SQLite's own: {statement}"
    try:
        words = compiled(statement)
    except CompileError as error:
        return f"{error}: {statement}"
    found = [word for word in FORBIDDEN if word in words.upper()]
    return f"{found} in {words}" if found else None
