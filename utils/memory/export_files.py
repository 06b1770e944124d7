"""Export files on disk: opening them, telling them apart, and reading them off the event loop."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import BinaryIO, TypeVar

from utils.errors import BadInput

BATCH = 500
READ_AT_ONCE = 1 << 20

NO_FILE = "There is no file {file}."
NOT_A_FILE = "{file} is no file; name the .json files themselves."
UNREADABLE = "{file} cannot be read ({reason})."

T = TypeVar("T")


@contextmanager
def opened(file: Path) -> Iterator[BinaryIO]:
    """Open a file for reading. Raises BadInput, with a sentence that names it, where it cannot."""
    if file.exists() and not file.is_file():
        raise BadInput(NOT_A_FILE, file=file.name)
    try:
        stream = file.open("rb")
    except FileNotFoundError:
        raise BadInput(NO_FILE, file=file.name) from None
    except OSError as error:
        raise BadInput(UNREADABLE, file=file.name, reason=error.strerror) from None
    with stream:
        yield stream


def key_of(stream: BinaryIO, only: Collection[int]) -> str:
    """Return what a file is known by: its bytes, and the members it is read for (none: all)."""
    found = hashlib.sha256()
    while some := stream.read(READ_AT_ONCE):
        found.update(some)
    found.update(" ".join(map(str, sorted(only))).encode())
    return found.hexdigest()


async def batches(items: Iterator[T]) -> AsyncIterator[list[T]]:
    """Yield the items in batches, each read in a thread. An error comes after what it left."""
    error: BadInput | None = None

    def read() -> list[T]:
        nonlocal error
        batch: list[T] = []
        try:
            batch.extend(islice(items, BATCH))
        except BadInput as caught:
            error = caught
        return batch

    while batch := await asyncio.to_thread(read):
        yield batch
    if error is not None:
        raise error
