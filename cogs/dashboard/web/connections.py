"""Limits on connections and requests, so that nobody keeps others from the dashboard.

uvicorn has no header timeout, and its own limit counts idle connections: two hundred silent sockets
would shut out everybody, health checks included.
"""

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from cogs.dashboard.web.access import network_of

HEADER_TIMEOUT_S = 10.0
MAX_CONNECTIONS = 200
MAX_REQUESTS = 100
MAX_REQUESTS_PER_ADDRESS = 30
ALWAYS_ANSWERED = frozenset({"/api/memory/health"})
BUSY = b"Too many requests at once; try again in a moment.\n"


class Connection(H11Protocol):
    """A connection that is closed unless its request arrives in time, or when newer ones need room.

    Those that wait for a request make room, oldest first; a running request is never cut.
    """

    _deadline: asyncio.TimerHandle | None = None
    _waiting_since = 0.0

    @property
    def is_waiting(self) -> bool:
        """Whether no request of this connection is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection, if there are too many in the place of the oldest waiting one."""
        super().connection_made(transport)
        self._waiting_since = self.loop.time()
        self._expect_request()
        if len(self.connections) > MAX_CONNECTIONS:
            waiting = (one for one in self.connections if isinstance(one, Connection))
            oldest = min(
                (one for one in waiting if one.is_waiting), key=lambda one: one._waiting_since
            )
            oldest.abort()

    def data_received(self, data: bytes) -> None:
        """Handle data; the headers of a request must arrive within the time."""
        super().data_received(data)
        if self.is_waiting:
            self._expect_request()
        else:
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop_waiting()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Wait for the next request; uvicorn's keep-alive timeout ends the wait."""
        self._waiting_since = self.loop.time()
        super().on_response_complete()

    def abort(self) -> None:
        """Close the connection at once."""
        self._stop_waiting()
        self.connections.discard(self)
        self.transport.abort()

    def _expect_request(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(HEADER_TIMEOUT_S, self.abort)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


@dataclass(eq=False, repr=False)
class LimitRequests:
    """Refuses requests above the limits with 503; the health check is always answered."""

    _app: ASGIApp
    _running: Counter[str] = field(default_factory=Counter, init=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, or refuse it."""
        if scope["type"] != "http" or scope["path"] in ALWAYS_ANSWERED:
            await self._app(scope, receive, send)
            return
        network = network_of(scope["client"][0] if scope.get("client") else "")
        if (
            self._running.total() >= MAX_REQUESTS
            or self._running[network] >= MAX_REQUESTS_PER_ADDRESS
        ):
            headers: list[Any] = [(b"content-type", b"text/plain"), (b"retry-after", b"5")]
            start: Message = {"type": "http.response.start", "status": 503, "headers": headers}
            await send(start)
            await send({"type": "http.response.body", "body": BUSY})
            return
        self._running[network] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._running[network] -= 1
            if not self._running[network]:
                del self._running[network]
