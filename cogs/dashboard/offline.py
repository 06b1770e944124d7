"""Serve the dashboard over a database without a connection to Discord."""

import asyncio
import webbrowser
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from cogs.dashboard.server import CannotListen, Dashboard
from cogs.dashboard.web.context import Channel, DashboardContext, Server
from cogs.maintenance.scheduler import DAY, JobScheduler, JobSpec, add_counting_jobs
from utils.admin.job_runs import PRUNE
from utils.app import App
from utils.common.errors import BadInput
from utils.models.memory import DIRECT_MESSAGES, Audience
from utils.runtime.stopping import on_signals

NOTICE = (
    "These pages come from the database, without a connection to Discord: servers and channels "
    "have no names here, and the recall page needs the running bot."
)
NO_AUDIENCE = (
    "Who reads a channel is known only while the bot is connected to Discord. Open the dashboard "
    "of the running bot to see what would be recalled."
)
OPEN_LINK = (
    "Dashboard: {link}\nThe link logs in once, within 15 minutes. Ctrl-C ends the dashboard."
)
PORT_TAKEN = (
    "The dashboard cannot listen on {host}, port {port} ({reason}): name a free port with --port "
    "N, or have one chosen with --port 0."
)
OPEN_LOGIN = "Dashboard: {url}\nLog in with DASHBOARD_TOKEN. Ctrl-C ends the dashboard."


class OfflineView:
    """What the database says of Discord: the servers' ids. Who reads a channel is unknown."""

    def __init__(self, members_by_server: Mapping[int, int]) -> None:
        self._servers = [
            Server(guild_id, f"Server {guild_id}")
            for guild_id in sorted(members_by_server)
            if guild_id != DIRECT_MESSAGES
        ]

    def servers(self) -> Sequence[Server]:
        """Return the servers that something is stored of."""
        return self._servers

    def channels(self, guild_id: int) -> Sequence[Channel]:
        """Return nothing: the database has no names of channels."""
        return ()

    def name_of(self, guild_id: int, user_id: int) -> str | None:
        """Return None: members are called by the name under their last stored message."""
        return None

    def role_name(self, guild_id: int, role_id: int) -> str | None:
        """Return None: the database has no names of roles."""
        return None

    async def audience(self, guild_id: int, channel_id: int, user_id: int) -> Audience:
        """Raise BadInput, which says what is missing."""
        raise BadInput(NO_AUDIENCE)

    async def open_sources(self, guild_id: int) -> frozenset[int]:
        """Return nothing: a fact that is approved here enters the profile later."""
        return frozenset()

    async def member_sources(self, guild_id: int, user_id: int) -> frozenset[int] | None:
        """Return None: no member gets a link here."""
        return None


async def serve_database(
    app: App, write: Callable[[str], None], *, opens_browser: bool = False
) -> None:
    """Serve the configured database until Ctrl-C. Raises KithError if that is impossible.

    The bot may run at the same time: nothing is extracted, summarised or pruned here.
    """
    await app.database.open(upgrade=False)
    view = OfflineView(await app.admin.statistics.members_by_server())
    context = DashboardContext(app, view, jobs_without_discord(app), NOTICE)
    await serve(context, write, opens_browser=opens_browser)


def jobs_without_discord(app: App) -> JobScheduler:
    """Return the jobs that need nothing but the database; they only run on request."""
    jobs = JobScheduler(app.clock, app.admin.job_runs, app.runtime.metrics)

    async def prune(due_at: datetime | None) -> str | None:
        report = await app.admin.job_runs.prune(due_at)
        return None if report is None else str(report)

    jobs.add(JobSpec(PRUNE, DAY, prune, is_shared=True, hour=app.settings.prune_hour_utc))
    add_counting_jobs(jobs, app)
    return jobs


async def serve(
    context: DashboardContext,
    write: Callable[[str], None],
    *,
    opens_browser: bool = False,
    says: str = OPEN_LINK,
) -> None:
    """Serve the dashboard until SIGINT or SIGTERM. Raises CannotListen.

    Where DASHBOARD_TOKEN is set, it logs in; otherwise a one-time link does, which is written.
    """
    stopping = _stop_on_signals()  # before the link is shown: Ctrl-C may follow at once
    dashboard = Dashboard(context)
    try:
        await dashboard.listen()
    except CannotListen as error:
        raise CannotListen(PORT_TAKEN, **error.values) from None
    try:
        has_token = context.app.settings.dashboard_token is not None
        link = dashboard.url if has_token else dashboard.one_time_link()
        write(OPEN_LOGIN.format(url=link) if has_token else says.format(link=link))
        if opens_browser:
            await asyncio.to_thread(webbrowser.open, link)
        await stopping.wait()
    finally:
        await dashboard.cog_unload()


def _stop_on_signals() -> asyncio.Event:
    """Return an event that SIGINT and SIGTERM set; on Windows, Ctrl-C cancels the task instead."""
    stopping = asyncio.Event()
    on_signals(stopping.set)
    return stopping
