"""Delete on Discord the answers of Kith's that were erased because of what they rested on."""

import logging
from functools import partial

import discord
from discord.ext import commands

from cogs.bot.interactions import CONNECTION_ERRORS
from cogs.bot.login import is_connected_for
from cogs.chat.answering import PrivateAnswers
from utils.app import App
from utils.memory.privacy.answer_removals import AnswerRemoval

SWEEP_EVERY_S = 30.0
MAX_AT_ONCE = 20
NEXT_S = 1.0

_log = logging.getLogger(__name__)


class AnswerRemovalWorker(commands.Cog):
    """Deletes queued answers, also those that another process or an earlier run queued."""

    def __init__(self, bot: commands.AutoShardedBot, app: App, private: PrivateAnswers) -> None:
        self._bot = bot
        self._private = private
        self._removals = app.memory.removals
        self._signal = app.memory.signals.removals
        self._worker = app.runtime.infrastructure.worker(
            "answer removals", self.remove_due, interval_s=SWEEP_EVERY_S
        )

    async def cog_load(self) -> None:
        """Start deleting."""
        self._signal.connect(self._worker.wake)
        self._worker.start()

    async def cog_unload(self) -> None:
        """Stop; what is queued stays queued."""
        self._signal.disconnect(self._worker.wake)
        await self._worker.close()

    async def remove_due(self) -> float | None:
        """Delete some of what is due; returns after how many seconds to go on, None: later."""
        await self._bot.wait_until_ready()
        removals = await self._removals.due(partial(is_connected_for, self._bot), MAX_AT_ONCE)
        for removal in removals:
            await self._remove(removal)
        return NEXT_S if len(removals) == MAX_AT_ONCE else None

    async def _remove(self, removal: AnswerRemoval) -> None:
        channel = self._bot.get_partial_messageable(removal.channel_id)
        private = self._private.find(removal.message_id)
        try:
            await (private or channel.get_partial_message(removal.message_id)).delete()
        except discord.NotFound:
            _log.debug("an erased answer was deleted before")
        except (discord.HTTPException, *CONNECTION_ERRORS) as error:
            _log.info("an erased answer could not be deleted yet: %s", type(error).__name__)
            await self._removals.postpone(removal)
            return
        await self._removals.finish(removal)
