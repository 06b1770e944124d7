"""The operator's web pages and JSON API, served by the bot's own process."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cogs.bot.client import KithClient


async def setup(bot: "KithClient") -> None:
    """Serve the dashboard if DASHBOARD_TOKEN is set; what it needs is imported only then."""
    if bot.app.settings.dashboard_token is None:
        return
    from cogs.dashboard.discord_view import DiscordView
    from cogs.dashboard.server import Dashboard
    from cogs.dashboard.web.context import DashboardContext

    await bot.add_cog(Dashboard(DashboardContext(bot.app, DiscordView(bot))))
