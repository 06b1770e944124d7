"""Tables of examples as one test: a test of its own for each row costs more than most rows do."""

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import iscoroutinefunction, signature
from typing import Any


def each_row(names: str | tuple[str, ...], rows: Iterable[Any]) -> Callable[..., Any]:
    """Call a test with every row of a table, as one test that lists all rows which fail.

    It takes what ``pytest.mark.parametrize`` takes. All rows share the test's fixtures, so it suits
    tests that leave nothing behind which the next row would see.

    Args:
        names: the test's parameters that a row fills; one of them takes the row as it is.
        rows: the values, one row after the other.
    """
    split = [name.strip() for name in names.split(",")] if isinstance(names, str) else [*names]
    table = [row if len(split) > 1 else (row,) for row in rows]
    assert table, "a table without rows proves nothing"

    def decorate(test: Callable[..., Any]) -> Callable[..., Any]:
        parameters = signature(test).parameters
        assert {*split} <= {*parameters}, "every name of the table is a parameter"

        @wraps(test)
        def test_every_row(*this: object, **fixtures: object) -> None:
            failures = Failures(len(table))
            for row in table:
                try:
                    test(*this, **fixtures, **dict(zip(split, row, strict=True)))
                except Exception as failure:
                    failures.note(row, failure)
            failures.raise_any()

        @wraps(test)
        async def test_every_row_async(*this: object, **fixtures: object) -> None:
            failures = Failures(len(table))
            for row in table:
                try:
                    await test(*this, **fixtures, **dict(zip(split, row, strict=True)))
                except Exception as failure:
                    failures.note(row, failure)
            failures.raise_any()

        made = test_every_row_async if iscoroutinefunction(test) else test_every_row
        fixtures = [item for name, item in parameters.items() if name not in split]
        made.__signature__ = signature(test).replace(parameters=fixtures)  # which pytest reads
        return made

    return decorate


class Failures:
    """What went wrong, with the row in which it did."""

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self.errors: list[Exception] = []

    def note(self, row: object, failure: Exception) -> None:
        failure.add_note(f"in the row {row!r:.500}")
        self.errors.append(failure)

    def raise_any(self) -> None:
        if self.errors:
            raise ExceptionGroup(f"{len(self.errors)} of {self.rows} rows", self.errors)
