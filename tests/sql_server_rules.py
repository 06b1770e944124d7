"""What SQL Server would say of a statement that SQLite accepts: every test's statements are asked.

Knows the rules that bite: what T-SQL reads otherwise or refuses though it parses, and what its
driver would send as another type. Whether it parses, Microsoft's parser says (t_sql_parser.py). A
live server remains the judge (TEST_DATABASE_URL).
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from sqlalchemy import (
    Alias,
    Boolean,
    ClauseElement,
    DateTime,
    Delete,
    Exists,
    Insert,
    Label,
    ScalarSelect,
    Select,
    String,
    Table,
    UniqueConstraint,
    Update,
)
from sqlalchemy.engine.interfaces import Compiled
from sqlalchemy.exc import CompileError
from sqlalchemy.sql import operators, visitors
from sqlalchemy.sql.dml import UpdateBase
from sqlalchemy.sql.elements import (
    BinaryExpression,
    BindParameter,
    BooleanClauseList,
    ColumnClause,
    UnaryExpression,
    _label_reference,
    _textual_label_reference,
)
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.sql.selectable import SelectBase, TableClause
from sqlalchemy.types import TypeEngine

from docs.schema_sql import sql_server_dialect
from tests import t_sql_parser
from utils.database.schema import fts_index
from utils.database.schema.column_types import BoundedText, KeyText, LongText
from utils.database.schema.memory_tables import AUDIT_TRIGGERS
from utils.database.schema.text_triggers import TEXT_TRIGGERS

SQLITE_ONLY = frozenset(
    {
        *("length", "substr", "group_concat", "ifnull", "instr", "strftime", "date", "datetime"),
        *("julianday", "random", "printf", "total", "unixepoch", "hex", "json_each"),
        *("json_extract", "last_insert_rowid", "changes"),
    }
)
NAMES = (ColumnClause, Label, _textual_label_reference)
AGGREGATES = frozenset({"count", "max", "min", "sum", "avg"})
FORBIDDEN = (
    *(" NTEXT", "ROW_NUMBER"),
    *("MERGE ", "UPDLOCK", "READPAST", "HOLDLOCK", "ROWLOCK"),  # claims need no hints
)
CATALOGUE = frozenset({"sys", "information_schema"})  # where SQLAlchemy itself looks tables up
MAX_PARAMETERS = 2_000  # SQL Server takes 2,100, and the driver needs a few

_dialect = sql_server_dialect()
# Of what SQLAlchemy has compiled, which it keeps: what is wrong with it, and whether its values
# have to be looked at.
_known: dict[Compiled, tuple[str | None, bool]] = {}
shared_folder: Path | None = None  # an empty file for each statement that a worker found harmless


def complaint(
    statement: ClauseElement, compiled_as: Compiled | None = None, parameters: object = ("",)
) -> str | None:
    """Return why SQL Server would refuse the statement, or None.

    Args:
        compiled_as: for SQLite, the same for all statements that differ in their values alone.
        parameters: what the driver gets. Only if an empty text is among them, the statement is
            searched for what it is compared with.
    """
    if not isinstance(statement, (SelectBase, UpdateBase)):
        return None
    known = None if compiled_as is None else _known.get(compiled_as)
    if known is None:
        known = (
            _judge_once(statement, compiled_as),
            any(map(_compares_words, visitors.iterate(statement))),
        )
        if compiled_as is not None:
            _known[compiled_as] = known
    found, compares_words = known
    if found or not (compares_words and _has_empty_text(parameters)):
        return found
    return _compares_with_nothing(statement)


def is_harmless(compiled_as: Compiled) -> bool:
    """Return whether SQL Server takes all statements that are compiled to this."""
    return _known.get(compiled_as) == (None, False)


def out_of_order(
    statement: Update | Delete, parameters: Sequence[Mapping[str, object]]
) -> str | None:
    """Return why a change for many values may lock out another that changes the same rows.

    Those that lock rows in one order never wait in a circle.
    """
    names = [bound.key for _, bound in _equalities(statement.whereclause)]
    keys = [tuple(values[name] for name in names) for values in parameters]
    is_sorted = keys == sorted(keys)
    return None if is_sorted else f"rows are not changed in the order of {names}: {statement}"


def too_many(parameters: object) -> str | None:
    """Return why a statement has too many parameters, or None; lists of rows count singly."""
    count = len(parameters) if isinstance(parameters, (tuple, dict)) else 0
    return f"{count} parameters of one statement" if count > MAX_PARAMETERS else None


def _has_empty_text(parameters: object) -> bool:
    """Return whether an empty text is among a statement's parameters, or those of its rows."""
    if isinstance(parameters, dict):
        return "" in parameters.values()
    if not isinstance(parameters, (tuple, list)):
        return True
    return "" in parameters or any(
        _has_empty_text(row) for row in parameters if isinstance(row, (tuple, list, dict))
    )


def compiled(statement: ClauseElement) -> str:
    """Return the statement as T-SQL, on one line."""
    return " ".join(str(statement.compile(dialect=_dialect)).split())


def _judge_once(statement: ClauseElement, compiled_as: Compiled | None) -> str | None:
    """Judge a statement, unless another worker of this run found it harmless: 3 ms each."""
    if shared_folder is None or compiled_as is None:
        return _judge(statement)
    types = [type(parameter.type).__name__ for parameter in compiled_as.binds.values()]
    harmless = shared_folder / sha256(f"{compiled_as} {types}".encode()).hexdigest()
    if harmless.exists():
        return None
    found = _judge(statement)
    if found is None:
        harmless.touch()
    return found


def _judge(statement: ClauseElement) -> str | None:
    if any(_is_catalogue(element) for element in visitors.iterate(statement)):
        return None
    for element in visitors.iterate(statement):
        for found in _complaints(element):
            return f"{found}: {statement}"
    try:
        words = compiled(statement)
    except CompileError as error:
        return f"{error}: {statement}"
    found = [word for word in FORBIDDEN if word in words.upper()]
    if fts_index.NAME not in words:  # which only SQLite has
        t_sql_parser.note(words)
    return f"{found} in {words}" if found else None


def _is_catalogue(element: object) -> bool:
    """Return whether this is a table that only SQLAlchemy's own statements read."""
    return isinstance(element, TableClause) and str(element.schema).lower() in CATALOGUE


def _complaints(element: object) -> Iterator[str]:
    """Yield what is wrong with one part of a statement."""
    if isinstance(element, FunctionElement):
        if str(getattr(element, "name", "")).lower() in SQLITE_ONLY:
            yield f"{element} is SQLite's own"
        yield from _aggregate_complaints(element)
    elif isinstance(element, BindParameter):
        if type(element.type) is String:
            yield "a parameter would be VARCHAR, which loses letters"
        if type(element.type) is DateTime:
            yield "a time has no stored type, so its zone is not taken off"
    elif isinstance(element, BinaryExpression):
        yield from _comparison_complaints(element)
    elif isinstance(element, Select):
        yield from _select_complaints(element)
    elif isinstance(element, UpdateBase):
        yield from _change_complaints(element)


def _select_complaints(select: Select[tuple[object, ...]]) -> Iterator[str]:
    for grouped in select._group_by_clauses:
        if any(isinstance(one, BindParameter) for one in visitors.iterate(grouped)):
            yield "a parameter in GROUP BY is another one than that in SELECT (8120)"
    if _is_grouped(select):
        yield from _ungrouped_complaints(select)
    ordered = [_without_direction(element) for element in select._order_by_clauses]
    for number, element in enumerate(ordered):
        if any(element.compare(other) for other in ordered[:number]):
            yield f"{element} is twice in ORDER BY (169)"
        if not any(isinstance(part, NAMES) for part in visitors.iterate(element)):
            yield f"ORDER BY {element}, which names no column (408, 1008)"
    yield from _tie_complaints(select, ordered)
    merged = [*select._group_by_clauses, *(select._raw_columns if select._distinct else ())]
    if any(_is_loose(part) for chosen in merged for part in visitors.iterate(chosen)):
        yield "DISTINCT or GROUP BY of a text merges those that the collation takes for equal"
    if select._distinct:
        selected = {str(column) for column in select.selected_columns}
        for ordered in select._order_by_clauses:
            if not {str(one) for one in visitors.iterate(ordered)} & selected:
                yield "ORDER BY of what SELECT DISTINCT does not name (145)"


def _tie_complaints(
    select: Select[tuple[object, ...]], ordered: Sequence[ClauseElement]
) -> Iterator[str]:
    """Yield a complaint if rows that are equal in ORDER BY come in any order.

    Looks at the rows of one table, and at groups by columns; in SQLite, such rows come in the order
    of an index or of insertion.
    """
    fixed = [column for column, _ in _equalities(select.whereclause)]
    known = {str(column) for column in (*ordered, *fixed)}
    selected = {str(column) for column in select.selected_columns}
    sources = select.get_final_froms()
    if not ordered or selected <= known:
        return
    if select._group_by_clauses or select._distinct:
        merged = select._group_by_clauses or select._raw_columns
        keys = [{str(column) for column in merged}]
        is_simple = all(isinstance(element, ColumnClause) for element in ordered)
    else:
        is_simple = len(sources) == 1 and isinstance(table := sources[0], Table | Alias)
        keys = _keys(table) if is_simple else []
    if is_simple and not any(key <= known for key in keys):
        yield f"rows equal in ORDER BY {', '.join(map(str, ordered))} come in any order"


def _equalities(
    where: ClauseElement | None,
) -> Iterator[tuple[ColumnClause[object], BindParameter[object]]]:
    """Yield the columns that have one value in all rows that meet a condition, with the value."""
    if isinstance(where, BooleanClauseList) and where.operator is operators.and_:
        for part in where.clauses:
            yield from _equalities(part)
    elif (
        isinstance(where, BinaryExpression)
        and where.operator is operators.eq
        and isinstance(where.left, ColumnClause)
        and isinstance(where.right, BindParameter)
    ):
        yield where.left, where.right


def _keys(table: Table | Alias) -> list[set[str]]:
    """Return the unique keys of a table."""
    stored = table.element if isinstance(table, Alias) else table
    unique = [key for key in stored.constraints if isinstance(key, UniqueConstraint)]
    unique += [index for index in stored.indexes if index.unique]
    return [{str(table.c[c.name]) for c in key.columns} for key in (stored.primary_key, *unique)]


def _is_grouped(select: Select[tuple[object, ...]]) -> bool:
    return bool(select._group_by_clauses) or any(
        isinstance(part, FunctionElement) and part.name in AGGREGATES
        for chosen in select._raw_columns
        for part in _parts_outside_selects(chosen)
    )


def _ungrouped_complaints(select: Select[tuple[object, ...]]) -> Iterator[str]:
    """Yield the columns that SQLite takes from any row of a group."""
    grouped = {str(element) for element in select._group_by_clauses}
    by = (*select._raw_columns, *map(_without_direction, select._order_by_clauses))
    for chosen in by:
        for part in _parts_outside_selects(chosen, grouped):
            if isinstance(part, ColumnClause) and not part.is_literal:
                yield f"{part} is neither grouped nor within an aggregate (8120)"


def _parts_outside_selects(
    element: ClauseElement, known: Collection[str] = ()
) -> Iterator[ClauseElement]:
    """Yield an element and its parts, but those of aggregates, subqueries and known ones."""
    if str(element) in known or isinstance(element, SelectBase | ScalarSelect | Exists):
        return
    yield element
    if isinstance(element, FunctionElement) and element.name in AGGREGATES:
        return
    for part in element.get_children():
        yield from _parts_outside_selects(part, known)


def _aggregate_complaints(function: FunctionElement[object]) -> Iterator[str]:
    if function.name not in AGGREGATES:
        return
    for argument in function.clauses:
        for part in visitors.iterate(argument):
            is_aggregate = isinstance(part, FunctionElement) and part.name in AGGREGATES
            if is_aggregate or isinstance(part, SelectBase):
                yield f"an aggregate or a subquery within {function} (130)"
        if isinstance(argument.type, Boolean) and function.name != "count":
            yield f"{function} of a BIT (8117)"


def _is_loose(element: object) -> bool:
    """Return whether this is a text that the database's collation compares: without case, say."""
    return (
        isinstance(element, ColumnClause)
        and isinstance(element.type, BoundedText)
        and not isinstance(element.type, KeyText)
    )


def _comparison_complaints(comparison: BinaryExpression[object]) -> Iterator[str]:
    sides = comparison.left, comparison.right
    if comparison.operator is operators.eq and any(map(_is_loose, sides)):
        yield f"{comparison} is true of texts that differ in case: compare them in Python"
    if not all(isinstance(side, ColumnClause) for side in sides):
        return
    types = [_stored_type(side) for side in sides]
    are_texts = all(isinstance(type_, String) for type_ in types)
    if are_texts and len({type_.collation for type_ in types}) > 1:
        yield f"{comparison} compares texts of two collations (468)"


def _stored_type(column: ColumnClause[object]) -> TypeEngine[object]:
    implementation = column.type.dialect_impl(_dialect)
    return getattr(implementation, "impl_instance", implementation)


def _without_direction(element: ClauseElement) -> ClauseElement:
    """Return what ORDER BY sorts by, ascending or descending."""
    if isinstance(element, _label_reference):
        element = element.element
    directions = (operators.asc_op, operators.desc_op)
    is_directed = isinstance(element, UnaryExpression) and element.modifier in directions
    return element.element if is_directed else element


def _change_complaints(change: UpdateBase) -> Iterator[str]:
    if isinstance(change, Insert) and change._multi_values:
        yield "a list of VALUES holds 1,000 rows at most: hand over a list of rows"
    kind = {Update: "UPDATE", Delete: "DELETE"}.get(type(change))
    if change._returning and (str(change.table), kind) in _TRIGGERS:
        yield "OUTPUT of a table with a trigger for just that (334)"


def _triggers() -> Iterator[tuple[str, str]]:
    for trigger in (*AUDIT_TRIGGERS["mssql"], *TEXT_TRIGGERS["mssql"]):
        table, actions = re.search(r" ON \[(\w+)\] AFTER ([A-Z, ]+) AS", trigger).groups()
        yield from ((table, action) for action in actions.split(", "))


_TRIGGERS = frozenset(_triggers())


def _compares_words(element: object) -> bool:
    return (
        isinstance(element, BinaryExpression)
        and element.operator in (operators.eq, operators.ne)
        and isinstance(element.left.type, (BoundedText, LongText))
        and not isinstance(element.left.type, KeyText)
    )


def _compares_with_nothing(statement: ClauseElement) -> str | None:
    for element in visitors.iterate(statement):
        if _compares_words(element) and getattr(element.right, "value", None) == "":
            return f"a text of emoji equals '' there, ask types.has_words: {statement}"
    return None
