"""Watches the statements that are executed, through SQLAlchemy or by the driver itself."""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from sqlalchemy import Connection, Engine, event

from utils.database.core import compiled_statements


@contextmanager
def watched_statements(
    engines: Collection[Engine], note: Callable[[Connection, str, Any], None]
) -> Iterator[None]:
    """Call ``note`` with each statement and its values before it runs, until the block ends."""

    def note_event(
        connection: Connection, _cursor: Any, text: str, values: Any, _context: Any, _many: bool
    ) -> None:
        note(connection, text, values)

    def note_and_fetch(
        connection: Connection, text: str, values: Sequence[Any], *by_column: bool
    ) -> list[Any]:
        note(connection, text, values)
        return compiled_statements.fetch(connection, text, values, *by_column)

    def note_and_send(connection: Connection, text: str, rows: Sequence[Sequence[Any]]) -> int:
        for values in rows:
            note(connection, text, values)
        return compiled_statements.send(connection, text, rows)

    for engine in engines:
        event.listen(engine, "before_cursor_execute", note_event)
    try:
        with (
            patch("utils.database.core.queries.fetch", note_and_fetch),
            patch("utils.database.core.queries.send", note_and_send),
        ):
            yield
    finally:
        for engine in engines:
            event.remove(engine, "before_cursor_execute", note_event)
