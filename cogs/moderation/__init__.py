"""What moderators decide about memory: the write policy, the review queue, ignored members."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cogs.bot.client import KithClient


async def setup(bot: "KithClient") -> None:
    """Load the cogs of this feature, and add its commands to ``/mod``."""
    from cogs.moderation.moderation import ModerationCommands
    from cogs.moderation.review import Reviews
    from cogs.moderation.tool_commands import ToolCommands

    reviews = Reviews(bot)
    await bot.add_cog(reviews)
    bot.mod_group.add_commands_of(ModerationCommands(bot.app, reviews))
    bot.mod_group.add_commands_of(ToolCommands(bot))


async def teardown(bot: "KithClient") -> None:
    """Remove the commands of this feature from ``/mod``."""
    bot.mod_group.remove_commands_of(__name__)
