"""Connections to MCP servers that bound what a server can send.

The transports of the ``mcp`` package read lines and JSON answers of any length.
"""

import asyncio
import logging
import os
import signal
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from contextvars import ContextVar
from typing import TypeVar

import anyio
import httpx2
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client._transport import TransportStreams
from mcp.client.stdio import get_default_environment
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCError, jsonrpc_message_adapter

from utils.mcp.server_list import McpServerSpec

for _name in ("client", "mcp.client", "mcp.shared"):
    logging.getLogger(_name).setLevel(logging.CRITICAL)  # their errors quote what a server sent

MAX_MESSAGE_BYTES = 1_000_000
END_TIMEOUT_S = 3.0
"""How long an address may take to end a session."""
EXIT_WAIT_S = 1.0
"""How long a program may take to end, once its input is closed and again once it is told to."""

Refusal = httpx2.Response
refusals: ContextVar[list[Refusal] | None] = ContextVar("refusals", default=None)
"""Collects the answers with a status of 400 and above to what this context posts."""

Pipe = TypeVar("Pipe")
Incoming = MemoryObjectSendStream[SessionMessage | Exception]
Outgoing = MemoryObjectReceiveStream[SessionMessage]


class TooLarge(Exception):
    """A server sent more in one message than is read."""


def connect(
    spec: McpServerSpec, on_end: Callable[[], None]
) -> AbstractAsyncContextManager[TransportStreams]:
    """Return a transport to the server; ``on_end`` is called when its program ends."""
    return _program(spec, on_end) if spec.command else _address(spec)


def contains_error(refusal: Refusal) -> bool:
    """Return whether its body is an error of the protocol; else the package makes one up."""
    with suppress(httpx2.ResponseNotRead, ValueError):
        return isinstance(
            jsonrpc_message_adapter.validate_json(refusal.content, by_name=False), JSONRPCError
        )
    return False


# --- a program ------------------------------------------------------------------------------------


@asynccontextmanager
async def _program(
    spec: McpServerSpec, on_end: Callable[[], None]
) -> AsyncGenerator[TransportStreams, None]:
    """Start the program without a shell and without Kith's environment. Raises OSError."""
    process = await asyncio.create_subprocess_exec(
        *(spec.command or ()),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,  # it may hold members' words
        env=get_default_environment() | dict(spec.env),
        limit=MAX_MESSAGE_BYTES,
        start_new_session=True,
    )
    to_session, from_server = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    to_server, from_session = anyio.create_memory_object_stream[SessionMessage](0)
    reading = asyncio.create_task(
        _read(_open(process.stdout), to_session, on_end), name="read an MCP server"
    )
    writing = asyncio.create_task(
        _write(_open(process.stdin), from_session), name="write to an MCP server"
    )
    try:
        yield from_server, to_server
    finally:
        for task in (reading, writing):
            task.cancel()
        await asyncio.shield(_stop(process))
        await asyncio.gather(reading, writing, return_exceptions=True)
        for stream in (to_session, from_server, to_server, from_session):
            stream.close()


async def _read(
    output: asyncio.StreamReader, to_session: Incoming, on_end: Callable[[], None]
) -> None:
    """Hand on each line that is a message; other lines are dropped, a too long one is the end."""
    with suppress(ValueError, anyio.BrokenResourceError, OSError):  # ValueError: a line too long
        while line := await output.readline():
            with suppress(ValueError):
                message = jsonrpc_message_adapter.validate_json(line, by_name=False)
                await to_session.send(SessionMessage(message))
    to_session.close()
    on_end()


async def _write(program_input: asyncio.StreamWriter, from_session: Outgoing) -> None:
    with suppress(OSError, anyio.ClosedResourceError):
        async for item in from_session:
            line = item.message.model_dump_json(by_alias=True, exclude_unset=True)
            program_input.write(line.encode() + b"\n")
            await program_input.drain()


async def _stop(process: asyncio.subprocess.Process) -> None:
    """End the program and what it started: close its input, then ask, then kill."""
    _open(process.stdin).close()
    if not await _ends(process):
        _signal(process, signal.SIGTERM)
        await _ends(process)
    _signal(process, getattr(signal, "SIGKILL", signal.SIGTERM))  # also what it left behind
    # A pipe that was not read to its end stays open otherwise; asyncio has no public way to say so.
    close = getattr(getattr(process, "_transport", None), "close", None)
    if callable(close):
        close()
    await _ends(process)


async def _ends(process: asyncio.subprocess.Process) -> bool:
    """Return whether the program ends within EXIT_WAIT_S."""
    with suppress(TimeoutError):
        async with asyncio.timeout(EXIT_WAIT_S):
            await process.wait()
            return True
    return False


def _open(pipe: Pipe | None) -> Pipe:
    """Return a pipe of a program that was started with it."""
    if pipe is None:
        raise RuntimeError
    return pipe


def _signal(process: asyncio.subprocess.Process, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, number)
        elif process.returncode is None:
            process.kill()


# --- an address -----------------------------------------------------------------------------------


@asynccontextmanager
async def _address(spec: McpServerSpec) -> AsyncGenerator[TransportStreams, None]:
    """Connect to a streamable HTTP endpoint; redirects to other hosts are not followed."""
    async with (
        httpx2.AsyncClient(
            transport=_BoundedTransport(),
            headers={**spec.headers, "accept-encoding": "identity"},
            timeout=httpx2.Timeout(spec.timeout_s, read=None),  # calls have a timeout of their own
            trust_env=False,
        ) as client,
        streamable_http_client(
            spec.url, http_client=client, max_sse_event_size=MAX_MESSAGE_BYTES
        ) as streams,
    ):
        yield streams


class _BoundedTransport(httpx2.AsyncHTTPTransport):
    """Breaks off answers of more than MAX_MESSAGE_BYTES; of event streams, each event counts."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send the request. Raises TooLarge for an answer that is packed."""
        if request.method == "DELETE":
            request.extensions["timeout"] = httpx2.Timeout(END_TIMEOUT_S).as_dict()
        response = await super().handle_async_request(request)
        collected = refusals.get()
        if collected is not None and request.method == "POST" and response.status_code >= 400:
            collected.append(response)
        if response.headers.get("content-encoding", "identity") != "identity":
            await response.aclose()
            raise TooLarge
        is_events = response.headers.get("content-type", "").startswith("text/event-stream")
        if not is_events and isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _BoundedStream(response.stream)
        return response


class _BoundedStream(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        room = MAX_MESSAGE_BYTES
        async for part in self._stream:
            room -= len(part)
            if room < 0:
                raise httpx2.ReadError("too large")
            yield part

    async def aclose(self) -> None:
        await self._stream.aclose()
