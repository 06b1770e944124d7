"""The connection to one MCP server: its own task opens it, and opens it again when it is lost."""

import asyncio
import logging
from collections.abc import Mapping
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from mcp.client.client import Client
from mcp.client.session import IncomingMessage
from mcp.client.streamable_http import MCP_SESSION_ID
from mcp.client.subscriptions import SubscriptionLost
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    ElicitRequest,
    Implementation,
    InputRequiredResult,
    TextContent,
    Tool,
    ToolListChangedNotification,
)
from mcp.types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import TypeAdapter, ValidationError

from utils.common.clock import Clock
from utils.common.program import VERSION
from utils.mcp import definitions
from utils.mcp.definitions import OfferedTool
from utils.mcp.server_list import McpServerSpec
from utils.mcp.transports import Refusal, connect, contains_error, refusals
from utils.runtime.backoff import Backoff
from utils.runtime.stopping import cancel

CONNECT_TIMEOUT_S = 30.0
FIRST_START_TIMEOUT_S = 120.0
"""How long a program may take that has not connected before: ``npx`` may download it first."""
RECONNECT_S = 5.0
MAX_AT_ONCE = 4
FORGOTTEN_STATUSES = (400, 401, 404)  # the protocol says 404; others of the TypeScript and Rust SDK
MAX_TIMEOUTS = 2
"""After so many calls in a row that took too long, the connection is opened again."""
MAX_PAGES = 50
MAX_LISTED = 1_000
LISTEN_AGAIN_S = 60.0
RELOAD_PAUSE_S = 1.0
"""How long at least between two times that a server's tools are listed."""
NOT_STARTED = "it does not start: check its command or url"
INVALID = (
    "what it sends breaks the protocol, in {place}: try another version of it or of its packages"
)
REFUSED = (
    "its address answers with status {status}: check path and headers; one that speaks only the "
    "older SSE transport needs a bridge (docs/mcp.md)"
)
NO_TOOLS = "it has none of the tools that are allowed"
NONE_OFFERED = "none of its tools can be offered"
NOT_OFFERED = "{tool} cannot be offered: {why}"
NOT_THERE = "it does not have {tool}"
BROKEN = "{server} gave no usable answer, or a far too long one."

_CALLED: TypeAdapter[CallToolResult | InputRequiredResult] = TypeAdapter(
    CallToolResult | InputRequiredResult
)
_log = logging.getLogger(__name__)


class ToolUnavailable(Exception):
    """An MCP server did not answer a call; the text says why, for the model."""


class _NotConnected(Exception):
    """The handshake failed; the text says why, for the operator."""


class _SessionForgotten(Exception):
    """The server does not know the session, as after its restart, and did not run the call."""


@dataclass(frozen=True, slots=True)
class _Link:
    """One opening of the connection: it is lost at some time, and its tools may change before."""

    lost: asyncio.Event = field(default_factory=asyncio.Event)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    forgotten: asyncio.Event = field(default_factory=asyncio.Event)
    refused: list[Refusal] = field(default_factory=list)

    async def note(self, message: IncomingMessage) -> None:
        """Note that the server says its tools changed."""
        if isinstance(message, ToolListChangedNotification):
            self.changed.set()


class McpConnection:
    """Calls the allowed tools of one server.

    ``offered`` are the tools that can be called now, by the names that the model uses; ``refused``
    says of others why they cannot be offered, and ``problem`` why there are none.
    """

    def __init__(self, spec: McpServerSpec, clock: Clock) -> None:
        self.spec = spec
        self.offered: dict[str, OfferedTool] = {}
        self.refused: dict[str, str] = {}
        self.problem = NOT_STARTED
        self.is_settled = asyncio.Event()  # not while it connects
        self._clock = clock
        self._backoff = Backoff(clock, first_s=RECONNECT_S)
        self._slots = asyncio.Semaphore(MAX_AT_ONCE)
        self._client: Client | None = None
        self._link = _Link()
        # Some programs end when they are asked with the other handshake, some wait for ever.
        self._modes = ["legacy", "auto"] if spec.command else ["auto", "legacy"]
        self._has_connected = False
        self._timeouts = 0
        self._task: asyncio.Task[None] | None = None
        self._is_closing = False  # a cancellation alone can get lost in a connection that breaks

    @property
    def tool_names(self) -> list[str]:
        """The names of the tools that can be called now, as the server calls them."""
        return [tool.name for tool in self.offered.values()]

    @property
    def is_connected(self) -> bool:
        """Whether the server can be called now."""
        return self._client is not None

    @property
    def not_offered(self) -> dict[str, str]:
        """The allowed tools that a connected server does not have ("") or why none is offered."""
        if self._client is None:
            return {}
        return {
            name: self.refused.get(name, "")
            for name in self.spec.tools
            if name not in self.tool_names
        }

    @property
    def faults(self) -> list[str]:
        """What is wrong with the allowed tools of a connected server, for the operator."""
        return [
            NOT_OFFERED.format(tool=name, why=why) if why else NOT_THERE.format(tool=name)
            for name, why in self.not_offered.items()
        ]

    def start(self) -> None:
        """Connect, and stay connected until :meth:`close`."""
        if self._task is None:
            self._is_closing = False
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
        link = self._link
        try:
            async with asyncio.timeout(self.spec.timeout_s):
                try:
                    tool, result = await self._send(name, arguments)
                except _SessionForgotten:
                    await self.is_settled.wait()
                    tool, result = await self._send(name, arguments)
        except TimeoutError:
            self._timeouts += 1
            if self._timeouts >= MAX_TIMEOUTS:
                self._lose(link)
            raise ToolUnavailable(f"{self.spec.name} did not answer in time.") from None
        except (MCPError, ValidationError, _SessionForgotten) as error:
            raise self._unusable(type(error).__name__) from None
        self._timeouts = 0
        text, prompt_text = definitions.result_text(self.spec, tool.name, result)
        if result.is_error and text == definitions.EMPTY:
            raise self._unusable("an error without a word")
        self._backoff.forget()
        return text, prompt_text

    async def _send(
        self, name: str, arguments: Mapping[str, Any]
    ) -> tuple[OfferedTool, CallToolResult]:
        """Send a call.

        Raises ToolUnavailable or _SessionForgotten; MCPError or ValidationError if the answer is
        not usable.
        """
        client, link = self._client, self._link
        if client is None or name not in self.offered:
            raise ToolUnavailable(f"{self.spec.name} is not connected right now.")
        tool = self.offered[name]
        params = CallToolRequestParams(name=tool.name, arguments=tool.arguments(arguments))
        refused: list[Refusal] = []
        refusals.set(refused)
        try:
            # Not Client.call_tool, which would match the result with patterns of the server's own.
            async with self._slots:
                result = await client.session.send_request(CallToolRequest(params=params), _CALLED)
        except Exception as error:  # what transports raise differs; nothing of it costs an answer
            if (
                isinstance(error, MCPError)
                and error.code
                in (INVALID_PARAMS, INTERNAL_ERROR, MISSING_REQUIRED_CLIENT_CAPABILITY)
                and (not refused or contains_error(refused[0]))  # the server's own, not HTTP's
            ):
                # Servers on the Rust SDK refuse a wrong argument like this, and those on the plain
                # TypeScript one report each failure so, others with a result.
                return tool, CallToolResult(
                    content=[TextContent(text=error.message)], is_error=True
                )
            if (
                refused
                and MCP_SESSION_ID in refused[0].request.headers
                and refused[0].status_code in FORGOTTEN_STATUSES
                and not await _answers(client)
            ):
                link.forgotten.set()
                self._lose(link)
                raise _SessionForgotten from None
            if isinstance(error, MCPError | ValidationError):
                raise
            self._lose(link)
            raise self._unusable(type(error).__name__) from None
        if isinstance(result, InputRequiredResult):
            # As of servers made with fastmcp 4.1, whatever a client says that it can answer.
            result = CallToolResult(
                content=[
                    TextContent(text="It waits for an answer that cannot be given from here."),
                    *(
                        TextContent(text=asked.params.message)
                        for asked in (result.input_requests or {}).values()
                        if isinstance(asked, ElicitRequest)
                    ),
                ],
                is_error=True,
            )
        return tool, result

    def _lose(self, link: _Link) -> None:
        """Mark this opening of the connection as lost, so that the task opens a new one."""
        if not link.lost.is_set():
            link.lost.set()
            link.changed.set()
            self._client, self.offered, self.problem = None, {}, "the connection was lost"
            self.is_settled.clear()

    def _unusable(self, why: str) -> ToolUnavailable:
        """Have the tools listed, and return the error for a call without a usable answer.

        A bridge such as mcp-remote or mcp-proxy lives on when its server is gone, and answers each
        call with an error. Then the list of tools fails too, and the connection is opened again.
        """
        _log.info("MCP server %s: a call failed (%s)", self.spec.name, why)
        self._link.changed.set()
        return ToolUnavailable(BROKEN.format(server=self.spec.name))

    # --- the task --------------------------------------------------------------------------------

    async def _run(self) -> None:
        while not self._is_closing:
            try:
                await self._stay_connected()
            except Exception as error:
                if not self._link.forgotten.is_set():  # else only its end failed
                    self.problem = _reason(error)
                    self.is_settled.set()
            if self._is_closing:
                return
            if self._link.forgotten.is_set():
                continue  # at once: a call waits
            pause_s = self._backoff.begin()
            _log.warning(
                "MCP server %s: %s; tried again after %.0f s", self.spec.name, self.problem, pause_s
            )
            await self._clock.sleep(pause_s)

    async def _stay_connected(self) -> None:
        """Connect, list the tools each time they change, and return when the connection is lost."""
        self._timeouts = 0
        async with AsyncExitStack() as stack:
            client = await self._open(stack)
            link = self._link
            link.changed.set()
            listening = asyncio.create_task(self._listen(client, link), name="listen to MCP")
            try:
                while await link.changed.wait() and not link.lost.is_set():
                    link.changed.clear()
                    await self._load(client)
                    with suppress(TimeoutError):
                        async with asyncio.timeout(RELOAD_PAUSE_S):
                            await link.lost.wait()
            finally:
                self._lose(link)
                await cancel(listening)

    async def _listen(self, client: Client, link: _Link) -> None:
        """Note changes that a server with the new handshake tells only those who listen."""
        tools = client.server_capabilities.tools
        if client.protocol_version not in MODERN_PROTOCOL_VERSIONS or not (
            tools and tools.list_changed
        ):
            return
        while not link.lost.is_set():
            try:
                async with client.listen(tools_list_changed=True) as changes:
                    async for _ in changes:
                        link.changed.set()
            except (MCPError, SubscriptionLost) as error:
                _log.info("MCP server %s: %s while listening", self.spec.name, _reason(error))
            await self._clock.sleep(LISTEN_AGAIN_S)
            link.changed.set()  # nobody listened meanwhile

    async def _open(self, stack: AsyncExitStack) -> Client:
        """Connect, at once with the other handshake if that fails; the one that works is kept."""
        is_first_start = self.spec.command is not None and not self._has_connected
        timeout_s = FIRST_START_TIMEOUT_S if is_first_start else CONNECT_TIMEOUT_S
        preferred, other = self._modes
        try:
            client = await self._connect(stack, preferred, timeout_s)
        except TimeoutError:
            self._modes = [other, preferred]  # the next attempt's
            raise
        except OSError:
            raise
        except Exception as error:  # what transports raise for a connection that ends differs
            _log.info("MCP server %s: %s; the other handshake", self.spec.name, _reason(error))
            client = await self._connect(stack, other, CONNECT_TIMEOUT_S)
            self._modes = [other, preferred]
        self._has_connected = True
        return client

    async def _connect(self, stack: AsyncExitStack, mode: str, timeout_s: float) -> Client:
        self._link = link = _Link()
        refusals.set(link.refused)
        try:
            async with asyncio.timeout(timeout_s):
                return await stack.enter_async_context(
                    Client(
                        connect(self.spec, partial(self._lose, link)),
                        client_info=Implementation(name="kith", version=VERSION),
                        message_handler=link.note,
                        mode=mode,
                    )
                )
        except (MCPError, ExceptionGroup):
            if link.lost.is_set():
                raise _NotConnected(
                    "its program ends before it answers: start its command by hand to see why"
                ) from None
            if link.refused:
                raise _NotConnected(REFUSED.format(status=link.refused[-1].status_code)) from None
            raise

    async def _load(self, client: Client) -> None:
        """Read which tools the server has."""
        async with asyncio.timeout(CONNECT_TIMEOUT_S):
            tools = await _listed(client)
        if self._link.lost.is_set():
            return
        self.offered, self.refused = definitions.definitions_of(self.spec, tools)
        self.problem = "" if self.offered else NONE_OFFERED if self.refused else NO_TOOLS
        self._client = client
        self.is_settled.set()
        _log.info("MCP server %s: %d tools", self.spec.name, len(self.offered))


async def _answers(client: Client) -> bool:
    """Return whether the server answers a request of this session."""
    try:
        await client.list_tools(cache_mode="refresh")
    except Exception:  # what transports raise differs
        return False
    return True


async def _listed(client: Client) -> list[Tool]:
    """Return the tools of all pages, at most MAX_PAGES and about MAX_LISTED tools."""
    tools: list[Tool] = []
    cursors: set[str | None] = set()
    cursor: str | None = None
    while cursor not in cursors and len(cursors) < MAX_PAGES and len(tools) < MAX_LISTED:
        cursors.add(cursor)
        page = await client.list_tools(cursor=cursor, cache_mode="refresh")
        tools += page.tools
        cursor = page.next_cursor
        if cursor is None:
            break
    else:
        _log.warning("an MCP server's list of tools has no end; %d of them are read", len(tools))
    return tools


def _reason(error: BaseException) -> str:
    """Return why connecting failed, in a few words, without what the server sent."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    match error:
        case FileNotFoundError() | PermissionError():
            return NOT_STARTED
        case _NotConnected():
            return str(error)
        case TimeoutError():
            return "it does not answer in time"
        case ValidationError():
            # Only the first two steps, such as the second tool's: later ones may be its own words.
            return INVALID.format(place=".".join(map(str, error.errors()[0]["loc"][:2])))
        case _:
            return f"the connection fails ({type(error).__name__})"
