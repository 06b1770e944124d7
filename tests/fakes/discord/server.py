"""The loopback Discord itself: the server, its life, and pointing discord.py at it."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Sequence
from itertools import pairwise
from typing import Any, Self

import discord
import discord.gateway
import discord.http
import yarl
from aiohttp import web

from . import callbacks, routes_channels, routes_guilds, routes_members, routes_messages
from .actions import Actions
from .buckets import Buckets
from .clock import Clock, Snowflakes
from .commands import Registry
from .errors import FakeTimeout
from .gateway import Gateway
from .interactions import People
from .journal import PATIENCE_S, Journal
from .messages import Post
from .misfortunes import Misfortunes
from .outcomes import Interaction
from .permissions import perms
from .rest import PREFIX, Request, Rest
from .things import Channel, Guild, Member, Message, User
from .waits import Waits
from .world import World

TOKEN = "fake.discord.token"
KNOWN_WITHIN_S = 2.0  # after this, nobody will answer a press
BOT_PERMISSIONS = perms(
    "view_channel",
    "send_messages",
    "send_messages_in_threads",
    "create_public_threads",
    "read_message_history",
    "embed_links",
    "attach_files",
    "add_reactions",
    "use_application_commands",
)
# imported for the routes they register
ROUTE_MODULES = (callbacks, routes_channels, routes_guilds, routes_members, routes_messages)


def point_discord_py_at(api_url: str, gateway_url: str) -> None:
    """Make discord.py in this process talk to a fake, for good; processes of their own use this."""
    discord.http.Route.BASE = api_url
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway_url)


class FakeDiscord(Actions, Waits, Misfortunes):
    """A Discord on 127.0.0.1; inside its ``async with``, discord.py is pointed at it."""

    def __init__(
        self,
        *,
        message_content: bool = True,
        members: bool = True,
        presences: bool = False,
        token: str = TOKEN,
        time_source: Callable[[], float] = time.time,
        interaction_deadline_s: float = 3.0,
        followup_deadline_s: float = 900.0,
        advised_shards: int = 1,
        heartbeat_interval_ms: int = 41250,
        quick_identify: bool = True,
        point_here: bool = True,
    ) -> None:
        self.token = token
        self.clock = Clock(time_source)
        self.ids = Snowflakes(self.clock)
        self.journal = Journal()
        self.world = World(self.clock, self.ids, self.journal)
        self.post = Post(self.world)
        self.commands = Registry(self.world)
        self.people = People(self)
        self.gateway = Gateway(
            self.world,
            self.journal,
            token=token,
            message_content=message_content,
            members=members,
            presences=presences,
            heartbeat_interval_ms=heartbeat_interval_ms,
        )
        self.buckets = Buckets(self.clock)
        self.rest = Rest(self)
        self.interactions: dict[str, Interaction] = {}
        self.nonces: dict[str, Message] = {}  # of the bot's messages, wherever they are
        self.typed: list[tuple[Channel, float]] = []
        self.interaction_deadline_s = interaction_deadline_s
        self.followup_deadline_s = followup_deadline_s
        self.advised_shards = advised_shards
        self.gateway_url = ""
        self.clients: tuple[discord.Client, ...] = ()  # those that run here
        self._quick_identify = quick_identify
        self._point_here = point_here
        self._runner: web.AppRunner | None = None
        self._undo = contextlib.ExitStack()

    # -- life -----------------------------------------------------------------

    async def start(self, port: int = 0) -> None:
        """Listen on 127.0.0.1, on a free port by default."""
        app = web.Application(client_max_size=32 * 2**20)
        app.router.add_get("/gateway", self.gateway.handle)
        app.router.add_get("/gateway/", self.gateway.handle)
        app.router.add_get("/attachments/{rest:.*}", self.rest.attachment)
        app.router.add_route("*", PREFIX + "/{rest:.*}", self.rest.handle)
        self._runner = web.AppRunner(
            app, access_log=None, handler_cancellation=True, shutdown_timeout=0.1
        )
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", port)
        await site.start()
        bound = self._runner.addresses[0][1]
        self.world.base_url = f"http://127.0.0.1:{bound}"
        self.gateway_url = self.gateway.url = f"ws://127.0.0.1:{bound}/gateway"

    async def stop(self) -> None:
        """Cut every connection and stop listening."""
        self.gateway.accepting = False
        for misfortune in self.rest.misfortunes:
            misfortune.release()
        self.gateway.drop()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def __aenter__(self) -> Self:
        await self.start()
        if self._point_here:
            self._undo.enter_context(self.patch())
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        self._undo.close()
        await self.stop()

    @property
    def api_url(self) -> str:
        """Return what ``discord.http.Route.BASE`` has to be."""
        return self.world.base_url + PREFIX

    @contextlib.contextmanager
    def patch(self) -> Iterator[None]:
        """Point discord.py in this process at the fake, and back again.

        With ``quick_identify`` the five seconds discord.py waits between two IDENTIFYs are
        left out as well.
        """
        route, socket, client = discord.http.Route, discord.gateway.DiscordWebSocket, discord.Client
        before = route.BASE, socket.DEFAULT_GATEWAY, client.before_identify_hook
        point_discord_py_at(self.api_url, self.gateway_url)
        if self._quick_identify:
            client.before_identify_hook = _no_pause  # type: ignore[method-assign]
        try:
            yield
        finally:
            route.BASE, socket.DEFAULT_GATEWAY = before[0], before[1]
            client.before_identify_hook = before[2]  # type: ignore[method-assign]

    point_discord_py_here = patch

    @contextlib.asynccontextmanager
    async def running(
        self, *bots: discord.Client, within_s: float = PATIENCE_S
    ) -> AsyncIterator[None]:
        """Start clients, wait until they are ready, and close them at the end.

        Raises
        ------
        Exception
            Whatever a client's ``start`` raised, such as LoginFailure or PrivilegedIntentsRequired.
        """
        self.clients = bots
        tasks = [asyncio.create_task(bot.start(self.token)) for bot in bots]
        ready = asyncio.ensure_future(self._all_ready(bots, within_s))
        try:
            await asyncio.wait({*tasks, ready}, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                if task.done():
                    await task
            await ready
            yield
        finally:
            ready.cancel()
            for bot in bots:
                await bot.close()
            await asyncio.gather(*tasks, ready, return_exceptions=True)
            self.clients = ()

    async def _all_ready(self, bots: Sequence[discord.Client], within_s: float) -> None:
        for bot in bots:
            await self.wait_ready(bot, sessions=len(bots), timeout=within_s)

    async def until_known(self, pressed: Collection[str], message_id: int | None = None) -> None:
        """Return when a client would answer a press; a person is slower than its bookkeeping.

        discord.py learns of a view or a form only after the request that showed it has returned.
        """
        if not self.clients:
            return  # they run in processes of their own
        with contextlib.suppress(FakeTimeout):  # nobody answers what was shown before a restart
            await self.journal.wait(
                lambda: any(_knows(client, pressed, message_id) for client in self.clients),
                "a client that knows what is pressed",
                KNOWN_WITHIN_S,
            )

    def command_line(self, script: str, *arguments: str) -> list[str]:
        """Return the command that runs a script in its own process with discord.py pointed here."""
        return [
            sys.executable,
            "-m",
            "tests.fakes.discord.launch",
            self.api_url,
            self.gateway_url,
            script,
            *arguments,
        ]

    # -- looking --------------------------------------------------------------

    @property
    def bot_user(self) -> User:
        """Return the bot's account."""
        return self.world.bot_user

    @property
    def application_id(self) -> int:
        """Return the application's id."""
        return self.world.application_id

    @property
    def requests(self) -> list[Request]:
        """Return every REST request so far: method, path, json, status, error."""
        return self.rest.requests

    def requests_to(self, method: str, route: str) -> list[Request]:
        """Return the requests to one route: ``"POST", "/channels/{channel_id}/messages"``."""
        return [r for r in self.requests if r.method == method and r.route == route]

    def edit_gaps(self, channel: Channel) -> list[float]:
        """Return the seconds between the bot's edits in a channel, and from its message before."""
        path = f"/channels/{channel.id}/messages"
        at_s = [
            one.at_s
            for one in self.requests
            if (one.status == 200 and (one.method, one.path.startswith(path)) == ("PATCH", True))
            or (one.method, one.path) == ("POST", path)
        ]
        return [later - earlier for earlier, later in pairwise(at_s)]

    @property
    def invalid_requests(self) -> int:
        """Return how many answers count towards Discord's ban: 401, 403 and 429."""
        return sum(1 for request in self.requests if request.status in (401, 403, 429))

    @property
    def command_syncs(self) -> list[int | None]:
        """Return the scopes (a server's id, None for global) in the order of their syncs."""
        return self.commands.syncs

    def messages(self, channel: Channel, *, author: User | Member | None = None) -> list[Message]:
        """Return a channel's messages as they are now, oldest first."""
        return [m for m in channel.history() if author is None or m.author.id == author.id]

    def typing_events(self, channel: Channel) -> list[float]:
        """Return when the bot started typing in a channel (seconds since 1970)."""
        return [at_s for where, at_s in self.typed if where is channel]

    # -- making ---------------------------------------------------------------

    def add_guild(
        self,
        name: str = "Den",
        *,
        bot_permissions: int = BOT_PERMISSIONS,
        owner: User | Member | None = None,
        shard: tuple[int, int] | None = None,
        with_bot: bool = True,
    ) -> Guild:
        """Make a server with the bot in it, on shard ``(id, count)`` if named."""
        return self.world.add_guild(
            name, bot_permissions=bot_permissions, owner=owner, shard=shard, with_bot=with_bot
        )

    def add_user(self, name: str, *, bot: bool = False) -> User:
        """Make an account that is in no server."""
        return self.world.add_user(name, bot=bot)

    def dm(self, who: User | Member) -> Channel:
        """Return the direct conversation between somebody and the bot."""
        return self.world.dm_with(who)

    def add_group(self, *people: User | Member) -> Channel:
        """Open a conversation of some people that the bot is no part of."""
        return self.world.add_group(people)

    def pings(self, message: Message) -> Any:
        """Return who a message really pinged: ``.users``, ``.roles`` (ids) and ``.everyone``."""
        return message.pings

    def advance(self, seconds: float) -> None:
        """Push the fake's clock forward; deadlines, timeouts and ids follow it."""
        self.clock.advance(seconds)


async def _no_pause(self: discord.Client, shard_id: int | None, *, initial: bool = False) -> None:
    """Stand in for the pause before a second IDENTIFY."""


def _knows(client: discord.Client, pressed: Collection[str], message_id: int | None) -> bool:
    store = client._connection._view_store
    views = {**store._views.get(None, {}), **store._views.get(message_id, {})}
    known = {custom_id for _, custom_id in views} | set(store._modals)
    return all(
        custom_id in known
        or any(template.fullmatch(custom_id) for template in store._dynamic_items)
        for custom_id in pressed
    )
