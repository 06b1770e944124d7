"""Has files read in processes of their own: a hostile one takes none but that down."""

import asyncio
import base64
import json
import logging
import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from utils.files.unreadable import UnreadableFile, WorkerFailed
from utils.files.worker import READ, TESSERACT, WORDS_IN_PICTURE
from utils.model.artifact import ArtifactKind, Contents

ROOT = Path(__file__).resolve().parents[2]
AT_ONCE = 2
TIME_LIMIT_S = 20.0
END_LIMIT_S = 5.0
PIECE = 65_536
MOST_ANSWER = 16 * 1024**2
NAME_LIMIT = 200
# What a process needs of its surroundings: where programs and Windows' own libraries lie.
ENVIRONMENT = ("PATH", "SYSTEMROOT", "TESSDATA_PREFIX", "LD_LIBRARY_PATH")

# -I: neither the folder it starts in nor the environment can hand it modules of their own.
BEGIN = (
    f"import sys; sys.path.insert(0, {str(ROOT)!r}); from utils.files.worker import main; main()"
)

_log = logging.getLogger(__name__)

TOO_MUCH = "reading it took more time or memory than a file is worth"


class FileWorkers:
    """Reads files and pictures, at most two at once, each in a new process with limits."""

    def __init__(self, *, time_limit_s: float = TIME_LIMIT_S) -> None:
        self._time_limit_s = time_limit_s
        self._places = asyncio.Semaphore(AT_ONCE)

    async def read(self, data: bytes, name: str) -> Contents:
        """Return what a file holds. Raises UnreadableFile with the reason, and WorkerFailed where
        there is no process to be had."""
        answer = await self._run(data, READ, name[:NAME_LIMIT].replace("\x00", ""))
        return await asyncio.to_thread(_told, answer)  # a picture in it is a megabyte of text

    async def words_in(self, picture: bytes) -> str:
        """Return the words in a picture, by Tesseract; empty where it is not installed.

        Raises as :meth:`read`.
        """
        if not has_tesseract():
            return ""
        return (await self._run(picture, WORDS_IN_PICTURE)).decode("utf-8", errors="replace")

    async def _run(self, data: bytes, *arguments: str) -> bytes:
        """Feed a new worker, and return what it answers.

        Raises UnreadableFile if the file brings it down, and WorkerFailed if it ends by itself.
        """
        async with self._places:
            process = await _begun(arguments)
            try:
                async with asyncio.timeout(self._time_limit_s):
                    _, answer = await asyncio.gather(_feed(process, data), _answer(process))
                    status = await process.wait()
            except TimeoutError:
                raise UnreadableFile(TOO_MUCH) from None
            finally:
                if process.returncode is None:
                    await _end(process)
        if status < 0:  # a signal: a limit was reached, or a library crashed
            raise UnreadableFile(TOO_MUCH)
        if status:
            raise WorkerFailed
        return answer


def has_tesseract() -> bool:
    """Whether the words in a picture can be read without a model."""
    return shutil.which(TESSERACT[0]) is not None


async def _begun(arguments: tuple[str, ...]) -> asyncio.subprocess.Process:
    """Start a worker outside the project's folder. Raises WorkerFailed."""
    try:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-B", "-c", BEGIN, *arguments),
            cwd=ROOT.anchor,
            env={name: os.environ[name] for name in ENVIRONMENT if name in os.environ},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
    except OSError as error:  # no memory, no process or no file descriptor left
        _log.warning("no process could be had to read a file: %s", type(error).__name__)
        raise WorkerFailed from None


async def _end(process: asyncio.subprocess.Process) -> None:
    """Kill a worker; its end is told only when its pipe was read to the end."""
    assert process.stdout is not None  # noqa: S101
    with suppress(ProcessLookupError):
        process.kill()
    try:
        async with asyncio.timeout(END_LIMIT_S):
            while await process.stdout.read(PIECE):
                pass
            await process.wait()
    except TimeoutError:
        _log.warning("a worker that was killed has not ended")


async def _feed(process: asyncio.subprocess.Process, data: bytes) -> None:
    assert process.stdin is not None  # noqa: S101
    try:
        for start in range(0, len(data), PIECE):
            process.stdin.write(data[start : start + PIECE])
            await process.stdin.drain()
        process.stdin.close()
    except (BrokenPipeError, ConnectionResetError):  # it died, and its status says so
        return


async def _answer(process: asyncio.subprocess.Process) -> bytes:
    """Read an answer, and no more than one can be."""
    assert process.stdout is not None  # noqa: S101
    found = bytearray()
    while piece := await process.stdout.read(PIECE):
        found += piece
        if len(found) > MOST_ANSWER:
            raise UnreadableFile(TOO_MUCH)
    return bytes(found)


def _told(answer: bytes) -> Contents:
    """Return what a worker says it found. Raises UnreadableFile."""
    found = _parsed(answer)
    if "unreadable" in found:
        raise UnreadableFile(str(found["unreadable"]), is_refused=bool(found.get("refused")))
    return _contents(found.get("contents"))


def _parsed(answer: bytes) -> dict[str, Any]:
    try:
        found = json.loads(answer)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise UnreadableFile
    return found


def _contents(found: Any) -> Contents:
    """Take what a worker says for no more than it is: it has read a hostile file."""
    try:
        return Contents(
            kind=ArtifactKind(found["kind"]),
            title=str(found["title"]),
            parts=tuple(str(part) for part in found["parts"]),
            note=str(found["note"]),
            picture=base64.b64decode(found["picture"]),
            picture_type=str(found["picture_type"]),
        )
    except (KeyError, TypeError, ValueError):
        raise UnreadableFile from None
