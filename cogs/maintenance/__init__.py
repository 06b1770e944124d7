"""Scheduled jobs: daily pruning, the heartbeat, and writing counts to the database."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cogs.bot.client import KithClient


async def setup(bot: "KithClient") -> None:
    """Load the cogs of this feature."""
    from cogs.maintenance.maintenance import Maintenance

    await bot.add_cog(Maintenance(bot))
