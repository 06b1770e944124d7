"""Read files in separate processes, so that a hostile file can crash nothing else."""

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

from utils.files.page_fetching import WebPage
from utils.files.sandbox_process import HTML, PLAIN, READ, READ_PAGE, TESSERACT, WORDS_IN_PICTURE
from utils.files.unreadable import SandboxUnavailable, UnreadableFile
from utils.models.attachment import AttachmentKind, FileContents

ROOT = Path(__file__).resolve().parents[2]
MAX_PROCESSES = 2
TIME_LIMIT_S = 20.0
KILL_TIMEOUT_S = 5.0
CHUNK_SIZE = 65_536
MAX_OUTPUT_BYTES = 16 * 1024**2
MAX_NAME_LENGTH = 200
# The environment a process needs: the folders of programs and of Windows' libraries.
ENVIRONMENT = ("PATH", "SYSTEMROOT", "TESSDATA_PREFIX", "LD_LIBRARY_PATH")

# -I: neither the working directory nor the environment can add modules.
MAIN_CODE = (
    f"import sys; sys.path.insert(0, {str(ROOT)!r}); "
    "from utils.files.sandbox_process import main; main()"
)

_log = logging.getLogger(__name__)

TOO_MUCH = "reading it took too much time or memory"


class FileSandbox:
    """Reads files and pictures, at most two at a time, each in a new process with limits."""

    def __init__(self, *, time_limit_s: float = TIME_LIMIT_S) -> None:
        self._time_limit_s = time_limit_s
        self._slots = asyncio.Semaphore(MAX_PROCESSES)

    async def read(self, data: bytes, name: str) -> FileContents:
        """Return the content of a file.

        Raises UnreadableFile with the reason, or SandboxUnavailable if no process can start.
        """
        output = await self._run(data, READ, name[:MAX_NAME_LENGTH].replace("\x00", ""))
        return await asyncio.to_thread(
            _parse_output, output
        )  # a picture in it is a megabyte of text

    async def read_page(self, page: WebPage) -> FileContents:
        """Return the title and the main text of a web page. Raises the same errors as read()."""
        charset = page.charset[:MAX_NAME_LENGTH].replace("\x00", "")
        output = await self._run(page.data, READ_PAGE, HTML if page.is_html else PLAIN, charset)
        return _parse_output(output)

    async def extract_words(self, picture: bytes) -> str:
        """Return the words in a picture, or an empty text if Tesseract is not installed.

        Raises the same errors as :meth:`read`.
        """
        if not has_tesseract():
            return ""
        return (await self._run(picture, WORDS_IN_PICTURE)).decode("utf-8", errors="replace")

    async def _run(self, data: bytes, *arguments: str) -> bytes:
        """Return what a new process writes for this input.

        Raises UnreadableFile if the file crashes the process, or SandboxUnavailable if the process
        fails by itself.
        """
        async with self._slots:
            process = await _start(arguments)
            try:
                async with asyncio.timeout(self._time_limit_s):
                    _, output = await asyncio.gather(_feed(process, data), _read_output(process))
                    status = await process.wait()
            except TimeoutError:
                raise UnreadableFile(TOO_MUCH) from None
            finally:
                if process.returncode is None:
                    await _kill(process)
        if status < 0:  # a signal: a limit was reached, or a library crashed
            raise UnreadableFile(TOO_MUCH)
        if status:
            raise SandboxUnavailable
        return output


def has_tesseract() -> bool:
    """Whether Tesseract is installed, which extracts words from pictures without a model."""
    return shutil.which(TESSERACT[0]) is not None


async def _start(arguments: tuple[str, ...]) -> asyncio.subprocess.Process:
    """Start a process outside the project's folder. Raises SandboxUnavailable."""
    try:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-B", "-c", MAIN_CODE, *arguments),
            cwd=ROOT.anchor,
            env={name: os.environ[name] for name in ENVIRONMENT if name in os.environ},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
    except OSError as error:  # no memory, no process or no file descriptor left
        _log.warning("no process could start to read a file: %s", type(error).__name__)
        raise SandboxUnavailable from None


async def _kill(process: asyncio.subprocess.Process) -> None:
    """Kill a process; asyncio reports its exit only after its pipe is read to the end."""
    assert process.stdout is not None  # noqa: S101
    with suppress(ProcessLookupError):
        process.kill()
    try:
        async with asyncio.timeout(KILL_TIMEOUT_S):
            while await process.stdout.read(CHUNK_SIZE):
                pass
            await process.wait()
    except TimeoutError:
        _log.warning("a killed sandbox process has not exited")


async def _feed(process: asyncio.subprocess.Process, data: bytes) -> None:
    assert process.stdin is not None  # noqa: S101
    try:
        for start in range(0, len(data), CHUNK_SIZE):
            process.stdin.write(data[start : start + CHUNK_SIZE])
            await process.stdin.drain()
        process.stdin.close()
    except (BrokenPipeError, ConnectionResetError):  # the process died; its exit status shows it
        return


async def _read_output(process: asyncio.subprocess.Process) -> bytes:
    """Return the output. Raises UnreadableFile if it is too long."""
    assert process.stdout is not None  # noqa: S101
    output = bytearray()
    while chunk := await process.stdout.read(CHUNK_SIZE):
        output += chunk
        if len(output) > MAX_OUTPUT_BYTES:
            raise UnreadableFile(TOO_MUCH)
    return bytes(output)


def _parse_output(output: bytes) -> FileContents:
    """Return the contents in a process's output. Raises UnreadableFile."""
    try:
        answer = json.loads(output)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise UnreadableFile
    if "unreadable" in answer:
        raise UnreadableFile(str(answer["unreadable"]), is_refused=bool(answer.get("refused")))
    fields: Any = answer.get("contents")  # unchecked: the process has read a hostile file
    try:
        return FileContents(
            kind=AttachmentKind(fields["kind"]),
            title=str(fields["title"]),
            parts=tuple(str(part) for part in fields["parts"]),
            note=str(fields["note"]),
            picture=base64.b64decode(fields["picture"]),
            picture_type=str(fields["picture_type"]),
        )
    except (KeyError, TypeError, ValueError):
        raise UnreadableFile from None
