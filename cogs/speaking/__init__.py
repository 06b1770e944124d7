"""Speaking first: `/speak` for moderators, the worker that looks for silence, and the button."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cogs.bot.client import KithClient


async def setup(bot: "KithClient") -> None:
    """Load the cogs of this feature."""
    from cogs.speaking.commands import SpeakCommands
    from cogs.speaking.speaking_worker import SpeakingWorker

    await bot.add_cogs(SpeakCommands(bot), SpeakingWorker(bot))
