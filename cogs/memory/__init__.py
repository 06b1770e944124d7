"""What a member sees and decides about their memory: commands, menus and the consent notice."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cogs.bot.client import KithClient


async def setup(bot: "KithClient") -> None:
    """Load the cogs of this feature."""
    from cogs.memory.consent import ConsentNotices
    from cogs.memory.context_menus import MemoryMenus
    from cogs.memory.memory import MemoryCommands
    from cogs.memory.preferences import KithCommands

    bot.consent_notices = ConsentNotices(bot)
    await bot.add_cogs(
        bot.consent_notices, MemoryCommands(bot), MemoryMenus(bot), KithCommands(bot)
    )
