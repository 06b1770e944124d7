"""Chooses when Python looks for garbage: not amid work that makes many short-lived lists."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """Collect no garbage in this process until it ends; for work of milliseconds, in any thread.

    Rows that are fetched and dropped again would cause collections, which find nothing. What other
    threads leave is collected right after. If two threads pause collections at once, the
    first to end resumes them.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
