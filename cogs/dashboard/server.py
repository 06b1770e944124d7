"""Serve the dashboard from the bot's event loop; neither can stop the other."""

import asyncio
import logging
import os
import socket
from collections.abc import Mapping
from contextlib import nullcontext

import uvicorn
from discord.ext import commands

from cogs.dashboard.app import create_app
from cogs.dashboard.web.access import Access
from cogs.dashboard.web.connections import Connection
from cogs.dashboard.web.context import DashboardContext
from cogs.dashboard.web.decisions import PendingDecisions
from cogs.dashboard.web.middleware import LINK
from cogs.dashboard.web.visits import MEMBERS, MODERATORS, VisitKind, Visits
from utils.common.errors import KithError
from utils.models.memory import Member

DRAIN_S = 5

_log = logging.getLogger(__name__)


class CannotListen(KithError):
    """The address is not this machine's, or the port is taken."""

    sentence = (
        "The dashboard cannot listen on {host}, port {port} ({reason}): set DASHBOARD_HOST or "
        "DASHBOARD_PORT in .env to one that is free, and start again."
    )


class Dashboard(commands.Cog):
    """Serves the dashboard while the bot runs. If it cannot, it logs why and the bot goes on."""

    def __init__(self, context: DashboardContext) -> None:
        self._kith = context.app
        self.app = create_app(context)
        self._visits: Mapping[VisitKind, Visits] = self.app.state.visits
        if MEMBERS in self._visits:
            context.app.memory.editor.signals.erasures.connect(self._visits[MEMBERS].on_erasure)
        self._server: uvicorn.Server | None = None
        self._serving: asyncio.Task[None] | None = None
        self.url = ""

    async def cog_load(self) -> None:
        """Start to listen; if that fails, log why."""
        try:
            await self.listen()
        except CannotListen as error:
            _log.error("%s Discord goes on without it.", error)
        else:
            _log.info("the dashboard listens on %s", self.url)

    async def listen(self) -> None:
        """Start to listen. Raises CannotListen."""
        host = self._kith.settings.dashboard_host
        listening = listen(host, self._kith.settings.dashboard_port)
        self._server = uvicorn.Server(
            uvicorn.Config(
                self.app,
                http=Connection,
                ws="none",
                lifespan="off",
                log_config=None,
                log_level="warning",
                access_log=False,  # URLs may contain search texts
                server_header=False,
                proxy_headers=True,
                # Forwarded headers are trusted from these only.
                forwarded_allow_ips=list(self._kith.settings.dashboard_proxies),
                timeout_graceful_shutdown=DRAIN_S,
            )
        )
        self._server.capture_signals = nullcontext  # type: ignore[assignment, method-assign]
        self._serving = asyncio.create_task(self._serve(self._server, listening), name="dashboard")
        address = f"[{host}]" if listening.family is socket.AF_INET6 else host
        self.url = f"http://{address}:{listening.getsockname()[1]}"

    def one_time_link(self) -> str:
        """Return a link that logs in once within 15 minutes; the dashboard must listen."""
        access: Access = self.app.state.access
        return f"{self.url}{LINK}{access.create_link()}"

    @property
    def has_visits(self) -> bool:
        """Whether members and moderators get links to pages of their own."""
        return bool(self._visits) and bool(self.url)

    def visit_link(self, member: Member, *, is_moderator: bool = False) -> str:
        """Return a link that opens a member's own page, or their server's, once.

        There must be such pages (:attr:`has_visits`).
        """
        visits = self._visits[MODERATORS if is_moderator else MEMBERS]
        return f"{self._kith.settings.dashboard_public_url}{visits.create_link(member)}"

    async def cog_unload(self) -> None:
        """Finish running requests, for at most five seconds, and stop."""
        if MEMBERS in self._visits:
            self._kith.memory.editor.signals.erasures.disconnect(self._visits[MEMBERS].on_erasure)
        if self._server is None or self._serving is None:
            return
        self._server.should_exit = True
        await self._serving
        decisions: PendingDecisions = self.app.state.decisions
        await decisions.carry_out_all()

    async def _serve(self, server: uvicorn.Server, listening: socket.socket) -> None:
        with listening:
            try:
                await server.serve([listening])
            except Exception:
                _log.exception("the dashboard has stopped; it is available again after a restart")


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raises CannotListen: uvicorn would end the process.

    IPPROTO_TCP is explicit: without it asyncio does not set TCP_NODELAY, and every response waits
    40 ms (Nagle's algorithm).
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    opened = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # on Windows it would let two programs share the port
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind((host, port))
        opened.listen()
    except (OSError, UnicodeError) as error:
        opened.close()
        raise CannotListen(
            host=host, port=port, reason=getattr(error, "strerror", None) or type(error).__name__
        ) from None
    return opened
