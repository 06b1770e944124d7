"""Where a server's default of consent may be changed: members must be able to read of it."""

from typing import Any

from cogs.bot.audience import Audiences
from utils.common.errors import BadInput
from utils.models.guild import GuildSettings
from utils.models.memory import Consent


async def check_is_announced(
    channel: Any,
    choice: Consent,
    settings: GuildSettings,
    audiences: Audiences,
) -> None:
    """Raise BadInput if a longer default would be announced where not all members can read."""
    if choice is not Consent.LASTING:
        return
    await audiences.learn_members(channel, settings)
    if not audiences.of(channel, settings).is_open:
        raise BadInput(
            "Choose that in a channel that everyone can read, so that members learn of it; "
            "`/config baserole` tells me which role everyone has."
        )
