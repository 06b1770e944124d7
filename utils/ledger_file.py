"""The erasure ledger outside the database: a file of JSON Lines that is only appended to.

Ids stand as strings. A line that a crash tore off is passed over, and the next begins a new one.
"""

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import fields
from datetime import datetime
from pathlib import Path
from typing import Any

from utils.errors import KithError
from utils.model.operator import Erasing, Erasure

LONGEST_LINE = 1_000
UNWRITABLE = (
    "The erasure ledger {file} cannot be written ({reason}); let Kith's user write it, or name "
    "another file in ERASURE_LEDGER. Until then, a restored backup may bring back what was erased."
)
UNREADABLE = "The erasure ledger {file} cannot be read ({reason})."


def line_of(erasure: Erasure) -> str:
    """Return an erasure as its line, without the line's end."""
    values: dict[str, Any] = {"at": erasure.at.isoformat(), "kind": erasure.kind.value}
    for one in fields(erasure)[2:]:
        value = getattr(erasure, one.name)
        if value is not None:
            values[one.name] = value if isinstance(value, str) else str(value)
    return json.dumps(values)


def erasure_of(line: bytes) -> Erasure | None:
    """Return the erasure of a line; None for one that is torn or damaged."""
    try:
        values = json.loads(line)
        given = {name: value for name, value in values.items() if isinstance(value, str)}
        if len(given) != len(values):
            return None
        at, kind, uid = given.pop("at"), given.pop("kind"), given.pop("uid", None)
        numbers = {name: int(value) for name, value in given.items()}
        found = Erasure(datetime.fromisoformat(at), Erasing(kind), uid=uid, **numbers)
        return None if found.at.tzinfo is None else found
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def read(file: Path, start: int = 0) -> Iterator[tuple[Erasure | None, int]]:
    """Yield what whole lines say from a byte on, each with where the next begins.

    A line without its end may still be being written: it is left for the next time. Raises
    KithError where the file cannot be read; a file that is not there holds nothing.
    """
    try:
        with file.open("rb") as stream:
            place = stream.seek(start)
            while line := stream.readline(LONGEST_LINE):
                if not line.endswith(b"\n") and len(line) < LONGEST_LINE:
                    return
                place += len(line)
                yield erasure_of(line), place
    except FileNotFoundError:
        return
    except OSError as error:
        raise KithError(UNREADABLE, file=file, reason=error.strerror) from None


def identity(file: Path) -> tuple[tuple[int, int] | None, int]:
    """Return which file it is, None where there is none, and its size. Raises KithError where that
    cannot be told."""
    try:
        found = file.stat()
    except FileNotFoundError:
        return None, 0
    except OSError as error:
        raise KithError(UNREADABLE, file=file, reason=error.strerror) from None
    return (found.st_dev, found.st_ino), found.st_size


def append(file: Path, erasures: Sequence[Erasure]) -> None:
    """Append erasures and have them on the disk. Raises KithError where that cannot be.

    In one write of the system's, so that two processes do not mix their lines.
    """
    text = "".join(f"{line_of(one)}\n" for one in erasures)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with open(file, "a+b", buffering=0, opener=_for_its_owner_only) as stream:
            if stream.seek(0, os.SEEK_END):
                stream.seek(-1, os.SEEK_END)
                if stream.read(1) != b"\n":  # a crash tore the last line
                    text = f"\n{text}"
            left = text.encode()
            while left:  # more than one only on a disk that is filling up
                left = left[stream.write(left) or 0 :]
            os.fsync(stream.fileno())
    except OSError as error:
        raise KithError(UNWRITABLE, file=file, reason=error.strerror) from None


def _for_its_owner_only(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
