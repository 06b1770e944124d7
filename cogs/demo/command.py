"""The command ``demo``: build the community in a temporary database, and open the dashboard."""

import argparse
import asyncio
import gc
import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cogs.cli.terminal import TerminalProgress
from cogs.console.ids import GUILD_ID
from cogs.dashboard.discord_view import UNKNOWN_CHANNEL, DiscordView
from cogs.dashboard.offline import check_port, serve
from cogs.dashboard.web.context import Channel, DashboardContext, Server
from cogs.demo.builder import CommunityBuilder
from cogs.demo.community import Community
from cogs.demo.scripted_model import CommunityModel
from utils.build import build
from utils.common.clock import Clock
from utils.common.config import Settings
from utils.common.errors import BadInput
from utils.common.prices import parse_prices
from utils.common.program import calling_name
from utils.common.progress import Progress
from utils.models.memory import Audience
from utils.runtime.stopping import closed_after, on_signals

NOTICE = "Everything here is made up: a demo community in a temporary database."
BUILDING = "Building a made-up community"
READY = """
Dashboard: {{link}}
           The link logs in once, within 15 minutes.
Talk:      {name} console --database {database}
           Then type :as Maya and: what do you know about me?
Database:  {file} ({fate})
Ctrl-C ends the demo."""
CANCEL_AGAIN_S = 3.0


async def run_demo(write: Callable[[str], None], options: argparse.Namespace) -> None:
    """Build the community and serve the dashboard over it until Ctrl-C.

    The configured database, token and model are not touched. Raises KithError.

    Args:
        write: shows a line.
        options: the command's; ``keep``: the database stays.
    """
    _cancel_on_signals()
    check_port(demo_settings(Path("demo.db"), options.port))  # before it is built
    gc.freeze()  # as bot.py does: nothing of what was imported becomes garbage
    gc.enable()
    folder = Path(tempfile.mkdtemp(prefix="kith-demo-"))
    file = folder / "demo.db"
    settings = demo_settings(file, options.port)
    try:
        write(f"{BUILDING} …")
        community = Community.load()
        with closing(TerminalProgress()) as progress:
            await build_community(settings, community, progress=progress)
        async with closed_after(build(settings, Clock())) as app:
            await app.database.open()
            context = DashboardContext(
                app,
                CommunityView(community),
                NOTICE,
                links_to_discord=False,
            )
            says = READY.format(
                name=calling_name(),
                database=settings.database_url,
                file=file,
                fate="kept" if options.keep else "removed when you end the demo",
            )
            await serve(context, write, opens_browser=options.open, says=says)
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)


def _cancel_on_signals() -> None:
    """Cancel this task on Ctrl-C, SIGTERM and a closed terminal, so that the folder goes.

    It is cancelled again until it ends: libraries swallow a cancellation now and then.
    """
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    if task is None or os.name != "posix":
        return

    def stop() -> None:
        if not task.done():
            task.cancel()
            loop.call_later(CANCEL_AGAIN_S, stop)

    on_signals(stop)  # even where a shell's "&" had SIGINT ignored, as `run` and `dashboard` do
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # nohup
        on_signals(stop, [signal.SIGHUP])


def demo_settings(file: Path, port: int = 0) -> Settings:
    """Return settings of their own: neither the environment nor .env is read."""
    return Settings.model_construct(
        database_url=f"sqlite:///{file.as_posix()}",
        dashboard_port=port,
        model_prices=parse_prices("gpt-4.1-mini=0.40/1.60"),
    )


async def build_community(
    settings: Settings,
    community: Community,
    now: datetime | None = None,
    progress: Progress | None = None,
) -> None:
    """Play the community into the database of ``settings``, up to ``now``.

    Without ``now``, up to ten minutes ago: what is said in the last scene takes minutes of its own.
    """
    now = now or datetime.now(UTC) - timedelta(minutes=10)
    clock = Clock()
    # A member's messages are read when their scene is over, and always in the same order.
    settings = settings.model_copy(update={"burst_quiet_s": 600.0, "extraction_workers": 1})
    model = CommunityModel(community, now)
    async with closed_after(build(settings, clock, model=model)) as app:
        await app.start()
        await CommunityBuilder(app, clock, community, now).build(progress or Progress())
        await app.sentiment.watcher.close()


class CommunityView(DiscordView):
    """One server, whose channels and members are those of the community."""

    def __init__(self, community: Community) -> None:
        super().__init__(None, [Server(GUILD_ID, community.name, len(community.members))])
        self._community = community
        self._names = {person.member.user_id: person.name for person in community.members}

    def channels(self, guild_id: int) -> Sequence[Channel]:
        """Return the community's channels."""
        return [Channel(place.id, place.name) for place in self._community.channels]

    def name_of(self, guild_id: int, user_id: int) -> str | None:
        """Return a member's name, or None."""
        return self._names.get(user_id)

    async def audience(self, guild_id: int, channel_id: int, user_id: int) -> Audience:
        """Return who reads a channel. Raises BadInput if it is unknown."""
        for place in self._community.channels:
            if place.id == channel_id and guild_id == GUILD_ID:
                return self._community.audience(place)
        raise BadInput(UNKNOWN_CHANNEL)

    async def open_sources(self, guild_id: int) -> frozenset[int]:
        """Return the channels that every member reads."""
        return self._community.open_ids
