"""What a server chooses: settings, modes, models, and the guided ``/setup``; also ``/help``."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cogs.bot.client import KithClient


async def setup(bot: "KithClient") -> None:
    """Load the cogs of this feature."""
    from cogs.settings.models import ModelCommands
    from cogs.settings.modes import ModeCommands
    from cogs.settings.settings import ConfigCommands, General
    from cogs.settings.setup import Setup

    await bot.add_cogs(
        ModeCommands(bot), ModelCommands(bot), ConfigCommands(bot), Setup(bot), General(bot)
    )
