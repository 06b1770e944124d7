"""Watched channels on Discord: reading them, alerts with their buttons, charts and reports."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cogs.bot.client import KithClient


async def setup(bot: "KithClient") -> None:
    """Load the cogs of this feature, and add its commands to ``/mod``."""
    from cogs.sentiment.alerts import Alerts
    from cogs.sentiment.reports import ReportCommands
    from cogs.sentiment.tension import TensionCommands
    from cogs.sentiment.tension_picture import Charts
    from cogs.sentiment.watch import Watching
    from cogs.sentiment.watch_commands import WatchCommands, WatchSetup

    app, hears_everything = bot.app, bot.has_message_content
    watching, charts = Watching(bot, app, bot.audiences), Charts()
    bot.watch_setup = WatchSetup(app, watching, hears_everything=hears_everything)
    await bot.add_cog(watching)
    await bot.add_cog(Alerts(bot, app, bot.audiences, charts))
    bot.mod_group.add_command(
        WatchCommands(app, bot.watch_setup, hears_everything=hears_everything)
    )
    bot.mod_group.add_command(TensionCommands(app, charts))
    bot.mod_group.add_commands_of(ReportCommands(app, hears_everything=hears_everything))


async def teardown(bot: "KithClient") -> None:
    """Remove the commands of this feature from ``/mod``."""
    bot.mod_group.remove_commands_of(__name__)
