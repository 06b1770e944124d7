"""``/ask`` and *Ask about this*: questions by command, where Kith is a member and elsewhere."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cogs.bot.client import KithClient


async def setup(bot: "KithClient") -> None:
    """Load the cog of this feature."""
    from cogs.ask.ask import AskCommands

    await bot.add_cog(AskCommands(bot))
