"""Run the calls of MCP servers' tools for an answer, within limits, and store their results."""

import asyncio
import logging
from collections import Counter
from collections.abc import Sequence

from utils.common.clock import Clock
from utils.common.errors import DatabaseError, Logged
from utils.mcp.connection import McpConnection, ToolUnavailable
from utils.mcp.server_list import McpServerSpec
from utils.memory.attachments.tool_results import ToolResults
from utils.models.conversation import Turn
from utils.models.llm import ToolCall, ToolDefinition
from utils.models.memory import DIRECT_MESSAGES
from utils.runtime.metrics import DONE, FAILED, REFUSED, Metrics

_log = logging.getLogger(__name__)


class McpTools:
    """The connections to all servers of the operator's list."""

    def __init__(
        self, specs: Sequence[McpServerSpec], clock: Clock, results: ToolResults, metrics: Metrics
    ) -> None:
        self.connections = {spec.name: McpConnection(spec, clock) for spec in specs}
        self.results = results
        self.metrics = metrics
        for spec in specs:
            for outcome in (DONE, FAILED, REFUSED):  # so that the first call shows as a rise
                metrics.mcp_calls.labels(spec.name, outcome)

    def start(self) -> None:
        """Connect to every server; nothing waits for that."""
        for connection in self.connections.values():
            connection.start()

    async def close(self) -> None:
        """Disconnect from every server."""
        await asyncio.gather(*(connection.close() for connection in self.connections.values()))

    async def settled(self) -> Sequence[McpConnection]:
        """Return the connections once each of them has succeeded or failed."""
        for connection in self.connections.values():
            await connection.is_settled.wait()
        return tuple(self.connections.values())

    def of(self, turn: Turn) -> "TurnMcpTools":
        """Return the tools for the answer to one message."""
        return TurnMcpTools(self, turn)


class TurnMcpTools:
    """Runs the calls of one answer.

    Once a server has answered, the model may call only that server. Its result could make the model
    send what it returned, or what Kith knows about people, to another server.
    """

    def __init__(self, services: McpTools, turn: Turn) -> None:
        self._services = services
        self._turn = turn
        self._connections = {
            name: connection
            for connection in services.connections.values()
            if connection.spec.may_serve(turn.event.guild_id)
            and (
                turn.event.guild_id == DIRECT_MESSAGES
                or connection.spec.name in turn.settings.tool_servers
            )
            for name in connection.offered
        }
        self.definitions: tuple[ToolDefinition, ...] = tuple(
            connection.offered[name].definition for name, connection in self._connections.items()
        )
        self._calls: Counter[str] = Counter()
        self._asked_servers: set[str] = set()
        self._answered_servers: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return name in self._connections

    def in_audit(self, name: str) -> str:
        """Return how the member's audit names a call of a tool: by its server."""
        return f"@{self._connections[name].spec.name}"

    def end_round(self) -> None:
        """Note that the model sees the results so far before it calls again."""
        self._answered_servers |= self._asked_servers

    async def run(self, call: ToolCall) -> str:
        """Return a call's result as the model reads it, or why there is none.

        It is stored with the message that asked, if the server's may be.
        """
        connection = self._connections.get(call.name)
        if connection is None:
            return "Not done: that tool may not be used here."
        server = connection.spec.name
        if refusal := self._refusal(call, connection.spec):
            self._services.metrics.mcp_calls.labels(server, REFUSED).inc()
            return refusal
        self._asked_servers.add(server)
        try:
            text, prompt_text = await connection.call(call.name, call.arguments)
        except ToolUnavailable as error:
            self._services.metrics.mcp_calls.labels(server, FAILED).inc()
            return str(error)
        self._services.metrics.mcp_calls.labels(server, DONE).inc()
        _log.info("called a tool of the MCP server %s", server)
        if connection.spec.learn:
            with Logged(_log.warning, "a tool's result was not stored", DatabaseError):
                await self._services.results.keep(
                    self._turn.event, call.name.replace("__", ": ", 1), text
                )
        return prompt_text

    def _refusal(self, call: ToolCall, spec: McpServerSpec) -> str:
        """Return why a call is not sent, or "" if it is; it counts for the server's limit."""
        if call.malformed:
            return "That call could not be read; nothing was done."
        if self._answered_servers - {spec.name}:
            return (
                f"Not done: after {min(self._answered_servers)} has answered, this answer may not "
                "ask another server. Say so, and the person can ask again."
            )
        self._calls[spec.name] += 1
        if self._calls[spec.name] > spec.calls_per_answer:
            return (
                f"Not done: {spec.name} may be asked {spec.calls_per_answer} times for one answer."
            )
        return ""
