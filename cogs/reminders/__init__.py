"""Reminders: `/remind`, and their delivery when they are due."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cogs.bot.client import KithClient


async def setup(bot: "KithClient") -> None:
    """Load the cogs of this feature."""
    from cogs.reminders.commands import ReminderCommands
    from cogs.reminders.delivery import ReminderDelivery

    await bot.add_cogs(ReminderCommands(bot), ReminderDelivery(bot))
