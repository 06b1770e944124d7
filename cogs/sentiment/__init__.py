"""Watched channels on Discord: reading them, alerts with their buttons, charts and reports."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cogs.bot.client import KithClient


async def setup(bot: "KithClient") -> None:
    """Load the cogs of this feature, and add its commands to ``/mod``."""
    from cogs.sentiment.alerts import Alerts
    from cogs.sentiment.reports import ReportCommands
    from cogs.sentiment.tension import TensionCommands
    from cogs.sentiment.watch import Watching
    from cogs.sentiment.watch_commands import WatchCommands, WatchSetup

    watching = Watching(bot)
    bot.watch_setup = WatchSetup(bot, watching)
    await bot.add_cogs(watching, Alerts(bot))
    bot.mod_group.add_command(WatchCommands(bot, bot.watch_setup))
    bot.mod_group.add_command(TensionCommands(bot.app))
    bot.mod_group.add_commands_of(ReportCommands(bot))


async def teardown(bot: "KithClient") -> None:
    """Remove the commands of this feature from ``/mod``."""
    bot.mod_group.remove_commands_of(__name__)
