"""The connection to one MCP server: its own task opens it, and opens it again when it is lost."""

import asyncio
import logging
from collections.abc import Mapping
from contextlib import AsyncExitStack
from functools import partial
from typing import Any

from mcp.client.client import Client
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolRequest, CallToolRequestParams, CallToolResult, Implementation
from pydantic import ValidationError

from utils.common.clock import Clock
from utils.common.program import VERSION
from utils.mcp import definitions
from utils.mcp.server_list import McpServerSpec
from utils.mcp.transports import connect
from utils.models.llm import ToolDefinition
from utils.runtime.backoff import Backoff
from utils.runtime.stopping import cancel

CONNECT_TIMEOUT_S = 30.0
RECONNECT_S = 5.0
MAX_AT_ONCE = 4
MAX_TIMEOUTS = 2
"""After so many calls in a row that took too long, the connection is opened again."""
NOT_STARTED = "it does not start: check its command or url"
NOT_CONNECTED = "{server} is not connected right now."
TOO_SLOW = "{server} did not answer in time."
LOST = "the connection was lost"
BROKEN = "{server} gave no usable answer, or a far too long one."

_log = logging.getLogger(__name__)


class ToolUnavailable(Exception):
    """An MCP server did not answer a call; the text says why, for the model."""


class McpConnection:
    """Calls the allowed tools of one server.

    ``offered`` are the tools that can be called now, by the names that the model uses, and
    ``problem`` says why there are none.
    """

    def __init__(self, spec: McpServerSpec, clock: Clock) -> None:
        self.spec = spec
        self.offered: dict[str, tuple[str, ToolDefinition]] = {}
        self.problem = NOT_STARTED
        self.is_settled = asyncio.Event()  # not while it connects
        self._clock = clock
        self._backoff = Backoff(clock, first_s=RECONNECT_S)
        self._slots = asyncio.Semaphore(MAX_AT_ONCE)
        self._client: Client | None = None
        self._lost = asyncio.Event()
        self._timeouts = 0
        self._task: asyncio.Task[None] | None = None
        self._is_closing = False  # a cancellation alone can get lost in a connection that breaks

    @property
    def tool_names(self) -> list[str]:
        """The names of the tools that can be called now, as the server calls them."""
        return [name for name, _ in self.offered.values()]

    @property
    def missing(self) -> list[str]:
        """The allowed tools that a connected server does not have, or that cannot be offered."""
        return [name for name in self.spec.tools if self.offered and name not in self.tool_names]

    def start(self) -> None:
        """Connect, and stay connected until :meth:`close`."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name=f"MCP server {self.spec.name}")

    async def close(self) -> None:
        """Disconnect; a program that was started ends."""
        self._is_closing = True
        await cancel(self._task)
        self._task = None

    async def call(self, name: str, arguments: Mapping[str, Any]) -> tuple[str, str]:
        """Call an offered tool; returns what :func:`definitions.result_text` does.

        Raises ToolUnavailable if the server is away or too slow, or gives no usable answer.
        """
        client, lost = self._client, self._lost
        if client is None or name not in self.offered:
            raise ToolUnavailable(NOT_CONNECTED.format(server=self.spec.name))
        tool, definition = self.offered[name]
        request_arguments = definitions.arguments_of(definition.parameters, arguments)
        request = CallToolRequest(
            params=CallToolRequestParams(name=tool, arguments=request_arguments)
        )
        try:
            # Not Client.call_tool, which would match the result with patterns of the server's own.
            async with asyncio.timeout(self.spec.timeout_s), self._slots:
                result = await client.session.send_request(request, CallToolResult)
        except TimeoutError:
            self._timeouts += 1
            if self._timeouts >= MAX_TIMEOUTS:
                self._lose(lost)
            raise ToolUnavailable(TOO_SLOW.format(server=self.spec.name)) from None
        except (MCPError, ValidationError) as error:
            raise self._unusable(error) from None
        except Exception as error:  # what transports raise differs; nothing of it costs an answer
            self._lose(lost)
            raise self._unusable(error) from None
        self._timeouts = 0
        self._backoff.forget()
        return definitions.result_text(self.spec, tool, result)

    def _lose(self, lost: asyncio.Event) -> None:
        """Mark the connection with this event as lost, so that the task opens a new one."""
        if not lost.is_set():
            lost.set()
            self._client, self.offered, self.problem = None, {}, LOST
            self.is_settled.clear()

    def _unusable(self, error: Exception) -> ToolUnavailable:
        _log.info("MCP server %s: a call failed (%s)", self.spec.name, type(error).__name__)
        return ToolUnavailable(BROKEN.format(server=self.spec.name))

    # --- the task --------------------------------------------------------------------------------

    async def _run(self) -> None:
        while not self._is_closing:
            try:
                await self._stay_connected()
            except Exception as error:
                self.problem = _reason(error)
                self.is_settled.set()
            if self._is_closing:
                return
            pause_s = self._backoff.begin()
            _log.warning(
                "MCP server %s: %s; tried again after %.0f s", self.spec.name, self.problem, pause_s
            )
            await self._clock.sleep(pause_s)

    async def _stay_connected(self) -> None:
        """Connect, list the tools, and return when the connection is lost."""
        self._lost = lost = asyncio.Event()
        self._timeouts = 0
        async with AsyncExitStack() as stack:
            async with asyncio.timeout(CONNECT_TIMEOUT_S):
                client = await stack.enter_async_context(
                    Client(
                        connect(self.spec, partial(self._lose, lost)),
                        client_info=Implementation(name="kith", version=VERSION),
                    )
                )
                listed = await client.list_tools()
            self.offered = definitions.definitions_of(self.spec, listed.tools)
            self.problem = "" if self.offered else "it has none of the tools that are allowed"
            self._client = client
            self.is_settled.set()
            _log.info("MCP server %s: %d tools", self.spec.name, len(self.offered))
            try:
                await lost.wait()
            finally:
                self._lose(lost)


def _reason(error: BaseException) -> str:
    """Return why connecting failed, in a few words, without what the server sent."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    match error:
        case FileNotFoundError() | PermissionError():
            return NOT_STARTED
        case TimeoutError():
            return "it does not answer in time"
        case _:
            return f"the connection fails ({type(error).__name__})"
