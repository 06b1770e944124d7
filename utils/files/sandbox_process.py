"""Read one file from standard input, within limits, and exit. sandbox.py starts this process.

With the arguments ``read NAME``, or ``read-page html|plain CHARSET`` for a web page, it writes one
JSON object to standard output: ``{"contents": …}`` or ``{"unreadable": reason, "refused": bool}``.
With ``words-in-picture`` it becomes Tesseract, under the same limits.

The process has limited memory, CPU time and open files. It can write no file, its environment has
no token, and it imports only the project's modules. On Linux with user namespaces it has no network
and cannot see the bot's process. The sandbox does not stop a compromised library from reading what
the bot's user can read, such as ``.env`` and an SQLite database. Without user namespaces such a
library can also reach the network and ``/proc``.
"""

import base64
import ctypes
import json
import os
import sys
from dataclasses import asdict
from typing import Any

from utils.files.images import read_image
from utils.files.pdfs import read_pdf
from utils.files.sniffing import HEAD_SIZE, UNKNOWN, Format, sniff, suffix_of
from utils.files.text_files import read_text
from utils.files.unreadable import COULD_NOT, UnreadableFile
from utils.files.web_pages import HTML_SUFFIXES, can_read_pages, read_html_file, read_page
from utils.files.word_documents import read_word_document
from utils.models.attachment import FileContents


def read(data: bytes, name: str) -> FileContents:
    """Return the content of a file.

    Raises UnreadableFile with the reason; a damaged file can raise any error.
    """
    match sniff(data[:HEAD_SIZE]):
        case Format.PDF:
            return read_pdf(data)
        case Format.ZIP:
            return read_word_document(data)
        case Format.IMAGE:
            return read_image(data)
        case Format.TEXT if suffix_of(name) in HTML_SUFFIXES and can_read_pages():
            return read_html_file(data)
        case Format.TEXT if suffix_of(name) in EMAIL_SUFFIXES:
            from utils.files.emails import read_email  # 30 ms that other files need not pay

            return read_email(data)
        case Format.TEXT:
            return read_text(data, name)
        case _:
            raise UnreadableFile(UNKNOWN, is_refused=True)


EMAIL_SUFFIXES = ("eml", "mht", "mhtml")
MEMORY_BYTES = 1024**3  # address space, of which an image of MAX_PIXELS takes 400 MB
CPU_S = 15
OPEN_FILES = 64
CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000  # linux/sched.h
READ, READ_PAGE, WORDS_IN_PICTURE = "read", "read-page", "words-in-picture"
HTML, PLAIN = "html", "plain"
TESSERACT = ("tesseract", "stdin", "stdout")


def limit_this_process() -> None:
    """Limit memory, CPU time and files of this process.

    Without the module ``resource`` (Windows), only the caller's timeout ends the process.
    """
    try:
        import resource
    except ImportError:
        return
    for kind, limit in (
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_CPU, CPU_S),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(kind)
        allowed = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        resource.setrlimit(kind, (allowed, allowed))


def enter_namespaces() -> bool:
    """Enter a namespace without network and without access to the bot's process.

    Returns whether that worked: a container or the system can forbid it (user_namespaces(7)).
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        return bool(ctypes.CDLL(None).unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0)
    except (OSError, AttributeError):
        return False


def contents_of(data: bytes, task: str, arguments: list[str]) -> FileContents:
    """Return the content of a file or a web page. A hostile one can raise any error."""
    if task == READ_PAGE:
        kind, charset = arguments
        return read_page(data, charset, is_html=kind == HTML)
    return read(data, *arguments)


def main() -> None:
    """Read standard input. Prints no traceback, which could quote the file."""
    enter_namespaces()
    limit_this_process()
    task, *arguments = sys.argv[1:]
    if task == WORDS_IN_PICTURE:
        os.execvp(TESSERACT[0], TESSERACT)  # noqa: S606
    data = sys.stdin.buffer.read()
    answer: dict[str, Any]
    try:
        contents = contents_of(data, task, arguments)
        picture = base64.b64encode(contents.picture).decode()
        answer = {"contents": asdict(contents) | {"picture": picture}}
    except UnreadableFile as error:
        answer = {"unreadable": str(error), "refused": error.is_refused}
    except Exception:  # libraries raise anything for a hostile file
        answer = {"unreadable": COULD_NOT, "refused": False}
    sys.stdout.buffer.write(json.dumps(answer).encode())


if __name__ == "__main__":
    main()
