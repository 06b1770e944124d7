"""Serves the dashboard from the bot's own loop, beside Discord; neither may end the other."""

import asyncio
import logging
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from discord.ext import commands
from fastapi import FastAPI

from cogs.dashboard.app import create_app
from cogs.dashboard.house import House

DRAIN_S = 5
MOST_CONNECTIONS = 200

_log = logging.getLogger(__name__)


class _Server(uvicorn.Server):
    """uvicorn, without its grasp at the process: it takes no signals."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class Dashboard(commands.Cog):
    """Listens while the bot runs. Where it cannot, the log says why and the bot talks on."""

    def __init__(self, house: House) -> None:
        self._settings = house.core.settings
        self.app = create_app(house)
        self._server: _Server | None = None
        self._serving: asyncio.Task[None] | None = None
        self.url = ""

    async def cog_load(self) -> None:
        """Begin to listen."""
        host, port = self._settings.dashboard_host, self._settings.dashboard_port
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:  # by itself, uvicorn would end the process where the port is taken
            listening = _listen(family, host, port)
        except (OSError, UnicodeError) as error:
            _log.error(
                "the dashboard cannot listen on %s, port %d (%s): set DASHBOARD_HOST or "
                "DASHBOARD_PORT in .env to one that is free, and start again; Discord goes on",
                host,
                port,
                getattr(error, "strerror", None) or type(error).__name__,
            )
            return
        self._server = _Server(_configured(self.app, self._settings.dashboard_proxies))
        self._serving = asyncio.create_task(self._serve(self._server, listening), name="dashboard")
        shown = f"[{host}]" if family is socket.AF_INET6 else host
        self.url = f"http://{shown}:{listening.getsockname()[1]}"
        _log.info("the dashboard listens on %s", self.url)

    async def cog_unload(self) -> None:
        """Finish the answers under way, for five seconds at most, and stop."""
        if self._server is None or self._serving is None:
            return
        self._server.should_exit = True
        await self._serving

    async def _serve(self, server: _Server, listening: socket.socket) -> None:
        try:
            await server.serve([listening])
        except Exception:
            _log.exception("the dashboard has stopped; it is there again after the next start")
        finally:
            listening.close()


def _listen(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    """Open a port. Raises OSError or UnicodeError where that cannot be.

    It names TCP: else asyncio would not take it for such, and every answer would wait 40 ms for
    the receipt of its headers (Nagle's algorithm).
    """
    opened = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # elsewhere it would let two programs have one port
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind((host, port))
        opened.listen()
    except (OSError, UnicodeError):
        opened.close()
        raise
    return opened


def _configured(app: FastAPI, proxies: tuple[str, ...]) -> uvicorn.Config:
    """Return how it is served; only ``proxies`` are believed for whom, and over what, they ask."""
    return uvicorn.Config(
        app,
        http="h11",
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="warning",
        access_log=False,  # addresses of pages may hold what somebody searched for
        server_header=False,
        proxy_headers=True,
        forwarded_allow_ips=list(proxies),
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=DRAIN_S,
    )
