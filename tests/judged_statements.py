"""Each statement that a test runs is judged: would SQL Server take it, and is it early enough?

SQLAlchemy's events would do the same, but with one listener each statement pays for all events:
a tenth of what a statement costs, and Kith itself has no listener. So the execution is wrapped.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest
from sqlalchemy import ClauseElement, Connection, Delete, Dialect, Select, Update
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.engine.interfaces import Compiled

from tests import consent_locks, sql_server_rules
from utils.database.core import queries
from utils.database.core.compiled_statements import (
    CompiledSelect,
    CompiledStatement,
    compiled_change,
    compiled_select,
    fetch,
    send,
)

_judging: list[list[str]] = []  # the complaints about the running test, if it wants them
_harmless: set[Compiled] = set()  # whatever their values are, and whatever was run before


@contextmanager
def complaints() -> Iterator[list[str]]:
    """Yield the list of what is wrong with the statements that are run meanwhile."""
    found: list[str] = []
    _judging.append(found)
    try:
        yield found
    finally:
        _judging.remove(found)


def complain(complaint: str) -> None:
    """Fail the running test, if it wants complaints."""
    if _judging:
        _judging[-1].append(complaint)


@pytest.fixture(scope="session")
def statements_are_judged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Look at each statement before the driver gets it."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        sql_server_rules.shared_folder = tmp_path_factory.getbasetemp().parent / "harmless"
        sql_server_rules.shared_folder.mkdir(exist_ok=True)
    execute, execute_many = DefaultDialect.do_execute, DefaultDialect.do_executemany
    begin = Connection._begin_impl
    sent: dict[str, ClauseElement] = {}  # those that the driver gets without SQLAlchemy
    names_in: dict[str, Sequence[str]] = {}  # of the parameters, by such a statement's text

    def judged_execute(
        dialect: Any, cursor: Any, sql: str, parameters: Any, context: Any = None
    ) -> None:
        _judge(parameters, context)
        execute(dialect, cursor, sql, parameters, context)

    def judged_execute_many(
        dialect: Any, cursor: Any, sql: str, parameters: Any, context: Any = None
    ) -> None:
        _judge(parameters, context)
        if _judging and context is not None:
            complaint = _complaint_about_order(
                context.invoked_statement, context.compiled_parameters
            )
            if complaint:
                complain(complaint)
        execute_many(dialect, cursor, sql, parameters, context)

    def begun(connection: Connection, transaction: Any) -> None:
        consent_locks.begin(connection)
        begin(connection, transaction)

    def judged_select(
        statement: Select[Any], dialect: Dialect, list_length: int = 0
    ) -> CompiledSelect:
        if complaint := _complaint_about(statement):
            complain(complaint)
        compiled = compiled_select(statement, dialect, list_length)
        sent[compiled.text] = statement
        return compiled

    def judged_fetch(
        connection: Connection, text: str, values: Sequence[Any], *by_column: bool
    ) -> list[Any]:
        complaint = _judging and consent_locks.complaint(connection, sent[text], text)
        if complaint:
            complain(complaint)
        return fetch(connection, text, values, *by_column)

    def judged_change(
        statement: Any, dialect: Dialect, names: tuple[str, ...], list_length: int = 0
    ) -> CompiledStatement:
        if complaint := _complaint_about(statement):
            complain(complaint)
        compiled = compiled_change(statement, dialect, names, list_length)
        sent[compiled.text], names_in[compiled.text] = statement, compiled.names
        return compiled

    def judged_send(connection: Connection, text: str, rows: Sequence[Sequence[Any]]) -> int:
        if _judging:
            complaints = [sql_server_rules.too_many(values) for values in rows]
            complaints.append(consent_locks.complaint(connection, sent[text], text))
            named = [dict(zip(names_in[text], values, strict=True)) for values in rows]
            complaints.append(_complaint_about_order(sent[text], named))
            for complaint in filter(None, complaints):
                complain(complaint)
        return send(connection, text, rows)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(queries, "compiled_change", judged_change)
        patch.setattr(queries, "send", judged_send)
        patch.setattr(queries, "compiled_select", judged_select)
        patch.setattr(queries, "fetch", judged_fetch)
        patch.setattr(DefaultDialect, "do_execute", judged_execute)
        patch.setattr(DefaultDialect, "do_executemany", judged_execute_many)
        patch.setattr(Connection, "_begin_impl", begun)
        yield


@cache
def _complaint_about(statement: ClauseElement) -> str | None:
    """Judge a statement that the driver gets without SQLAlchemy; such a statement is a constant."""
    return sql_server_rules.complaint(statement)


def _complaint_about_order(
    statement: ClauseElement | None, parameters: Sequence[Mapping[str, Any]]
) -> str | None:
    """Judge the order in which a change that is executed for many values locks its rows."""
    if len(parameters) < 2 or not isinstance(statement, Update | Delete):
        return None
    return sql_server_rules.out_of_order(statement, parameters)


def _judge(parameters: Any, context: Any) -> None:
    if context is None or not _judging:
        return
    compiled = context.compiled
    if compiled in _harmless and len(parameters) <= sql_server_rules.MAX_PARAMETERS:
        return
    statement = context.invoked_statement
    complaint = sql_server_rules.too_many(parameters)
    if complaint is None and statement is not None:
        complaint = sql_server_rules.complaint(statement, compiled, parameters)
    complaint = complaint or consent_locks.complaint(context.root_connection, statement, compiled)
    if complaint:
        complain(complaint)
    elif sql_server_rules.is_harmless(compiled) and consent_locks.is_harmless(compiled):
        _harmless.add(compiled)
