"""Serve the dashboard over a database without a connection to Discord."""

import asyncio
import webbrowser
from collections.abc import Callable

from cogs.dashboard.discord_view import DiscordView
from cogs.dashboard.server import CannotListen, Dashboard, listen
from cogs.dashboard.web.context import DashboardContext, Server
from utils.app import App
from utils.common.config import Settings
from utils.models.memory import DIRECT_MESSAGES
from utils.runtime.stopping import on_signals

NOTICE = (
    "These pages come from the database, without a connection to Discord: servers and channels "
    "have no names here, and the recall page needs the running bot."
)
OPEN_LINK = (
    "Dashboard: {link}\nThe link logs in once, within 15 minutes. Ctrl-C ends the dashboard."
)
OPEN_LOGIN = "Dashboard: {url}\nLog in with DASHBOARD_TOKEN. Ctrl-C ends the dashboard."


async def serve_database(app: App, write: Callable[[str], None], *, opens_browser: bool) -> None:
    """Serve the configured database until Ctrl-C. Raises KithError if that is impossible.

    The bot may run at the same time: nothing is extracted, summarised or pruned here.
    """
    await app.database.open(upgrade=False)
    ids = await app.admin.statistics.servers()
    servers = [Server(id, f"Server {id}") for id in ids if id != DIRECT_MESSAGES]
    context = DashboardContext(app, DiscordView(None, servers), NOTICE)
    await serve(context, write, opens_browser=opens_browser)


def check_port(settings: Settings) -> None:
    """Raise CannotListen if the dashboard cannot listen on its port now."""
    try:
        listen(settings.dashboard_host, settings.dashboard_port).close()
    except CannotListen as error:
        raise CannotListen(
            "The dashboard cannot listen on {host}, port {port} ({reason}): name a free port with "
            "--port N, or have one chosen with --port 0; DASHBOARD_HOST must be this machine's.",
            **error.values,
        ) from None


async def serve(
    context: DashboardContext,
    write: Callable[[str], None],
    *,
    opens_browser: bool = False,
    says: str = OPEN_LINK,
) -> None:
    """Serve the dashboard until SIGINT or SIGTERM. Raises CannotListen.

    People log in with DASHBOARD_TOKEN; if it is not set, with a one-time link.

    Args:
        write: gets the text with the address or the link.
        says: that text, if there is a link.
    """
    stopping = asyncio.Event()
    on_signals(stopping.set)  # before the link is shown: Ctrl-C may follow at once
    dashboard = Dashboard(context)
    check_port(context.app.settings)
    await dashboard.listen()
    try:
        has_token = context.app.settings.dashboard_token is not None
        link = dashboard.url if has_token else dashboard.one_time_link()
        write(OPEN_LOGIN.format(url=link) if has_token else says.format(link=link))
        if opens_browser:
            await asyncio.to_thread(webbrowser.open, link)
        await stopping.wait()
    finally:
        await dashboard.cog_unload()
