"""Delete on Discord the answers of Kith's that were erased because of what they rested on."""

import logging
from contextlib import suppress
from functools import partial
from typing import cast

import discord

from cogs.bot.client import KithClient
from cogs.bot.feature_cog import FeatureCog
from cogs.bot.interactions import REQUEST_ERRORS
from cogs.bot.login import is_connected_for
from cogs.chat.answer_delivery import PrivateAnswers
from utils.memory.privacy.answer_removals import AnswerRemoval

SWEEP_EVERY_S = 30.0
MAX_AT_ONCE = 20
NEXT_S = 1.0
THREAD_IS_ARCHIVED = 50083  # Discord's code of the error

_log = logging.getLogger(__name__)


class AnswerRemovalWorker(FeatureCog):
    """Deletes queued answers, also those that another process or an earlier run queued."""

    def __init__(self, bot: KithClient, private: PrivateAnswers) -> None:
        super().__init__(bot)
        self._private = private
        self._removals = self._app.memory.removals
        worker = self._new_worker("answer removals", self.remove_due, interval_s=SWEEP_EVERY_S)
        self.workers = (worker,)
        self.listeners = ((self._app.memory.signals.removals, worker.wake),)

    async def remove_due(self) -> float | None:
        """Delete some of what is due; returns after how many seconds to go on, None: later."""
        await self._bot.wait_until_ready()
        removals = await self._removals.due(partial(is_connected_for, self._bot), MAX_AT_ONCE)
        for removal in removals:
            await self._remove(removal)
        return NEXT_S if len(removals) == MAX_AT_ONCE else None

    async def _remove(self, removal: AnswerRemoval) -> None:
        channel = self._bot.get_partial_messageable(removal.channel_id)
        private = self._private.get(removal.message_id)
        message = private[0] if private else channel.get_partial_message(removal.message_id)
        try:
            await self._delete(message)
        except discord.NotFound:
            _log.debug("an erased answer was deleted before")
        except REQUEST_ERRORS as error:
            _log.info("an erased answer could not be deleted yet: %s", type(error).__name__)
            await self._removals.postpone(removal)
            return
        await self._removals.finish(removal)

    async def _delete(self, message: discord.Message | discord.PartialMessage) -> None:
        """Delete a message; an archived thread, in which nothing can be, is opened for it."""
        try:
            await message.delete()
        except discord.HTTPException as error:
            if error.code != THREAD_IS_ARCHIVED:
                raise
            thread = cast("discord.Thread", await self._bot.fetch_channel(message.channel.id))
            await thread.edit(archived=False)
            await message.delete()
            with suppress(discord.Forbidden):  # then it is archived in its own time
                await thread.edit(archived=True)
