"""Reads one file from standard input, within limits, and ends: a process that workers.py starts.

``read NAME`` are the arguments; what was found goes to standard output as one JSON object:
``{"contents": …}`` or ``{"unreadable": reason, "refused": bool}``. Given ``words-in-picture``, the
process becomes Tesseract, under the same limits.

What holds: little memory, time and few files; nothing written; no token in its environment; modules
from the project alone. Where the system lets it (Linux, where user namespaces are allowed), it also
has no network and cannot look into the bot's process. What does not hold: a library that is taken
over can read whatever the bot's user can, so its ``.env`` and an SQLite database, and where there
are no namespaces it can reach the network and ``/proc``.
"""

import base64
import ctypes
import json
import os
import sys
from dataclasses import asdict
from typing import Any

from utils.files.reading import read
from utils.files.unreadable import COULD_NOT, UnreadableFile
from utils.model.artifact import Contents

MEMORY_BYTES = 1024**3  # address space: an image of MOST_PIXELS takes 400 MB of it
CPU_S = 15
OPEN_FILES = 64
CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000  # linux/sched.h
READ, WORDS_IN_PICTURE = "read", "words-in-picture"
TESSERACT = ("tesseract", "stdin", "stdout")


def limit_this_process() -> None:
    """Let this process take no more memory, time and files than one file is worth.

    Where there is no ``resource`` (Windows), the caller's clock alone ends it.
    """
    try:
        import resource
    except ImportError:
        return
    for what, most in (
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_CPU, CPU_S),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(what)
        lowest = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (lowest, lowest))


def leave_the_network() -> bool:
    """Go where there is no network, and no right to look into the bot's process; whether one could.

    A container's rules or the system may refuse it (user_namespaces(7)).
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        return bool(ctypes.CDLL(None).unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0)
    except (OSError, AttributeError):
        return False


def as_object(contents: Contents) -> dict[str, Any]:
    """Return what was found as JSON can hold it."""
    return asdict(contents) | {"picture": base64.b64encode(contents.picture).decode()}


def main() -> None:
    """Read standard input; a crash says nothing, and its traceback could quote the file."""
    leave_the_network()
    limit_this_process()
    task, *name = sys.argv[1:]
    if task == WORDS_IN_PICTURE:
        os.execvp(TESSERACT[0], TESSERACT)  # noqa: S606
    data = sys.stdin.buffer.read()
    answer: dict[str, Any]
    try:
        answer = {"contents": as_object(read(data, *name))}
    except UnreadableFile as error:
        answer = {"unreadable": str(error), "refused": error.is_refused}
    except Exception:  # whatever a library makes of a hostile file
        answer = {"unreadable": COULD_NOT, "refused": False}
    sys.stdout.buffer.write(json.dumps(answer).encode())


if __name__ == "__main__":
    main()
