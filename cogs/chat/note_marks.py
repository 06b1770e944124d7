"""Show on Discord what was noted of a message: one line below the answer, or a reaction.

A line is a copy of notes, and is edited away with them. It therefore stands in no thread: Discord
lets nobody edit a message in an archived one. Nobody is pinged, and nothing else is sent.
"""

import asyncio
import logging
from functools import partial

import discord

from cogs.bot.client import KithClient
from cogs.bot.feature_cog import FeatureCog
from cogs.bot.interactions import EDIT_TIMEOUT_S, NO_PINGS, REQUEST_ERRORS, is_refused
from cogs.bot.login import is_connected_for
from cogs.bot.messages import NOTED, NOTED_LINE, without_lines
from cogs.chat.chat import Chat
from cogs.chat.reply_sender import EDIT_EVERY_S, MAX_MESSAGE_LENGTH
from utils.common.text import clip, defuse_mentions, escape_markdown, one_line, utf16_length
from utils.memory.member_data.note_marks import NotedMessage
from utils.models.memory import DIRECT_MESSAGES, NotedMark

SWEEP_EVERY_S = 30.0
MAX_AT_ONCE = 20
SOON_S = 5.0
MAX_NOTE = 100
MAX_NOTES = 5

_log = logging.getLogger(__name__)


class NoteMarkWorker(FeatureCog):
    """Shows and removes what is due, also what another process or an earlier run left."""

    def __init__(self, bot: KithClient, chat: Chat) -> None:
        super().__init__(bot)
        self._private, self._rate = chat.delivery.private, chat.edit_rate
        self._marks = self._app.memory.note_marks
        self._worker = self._new_worker("note marks", self.show_due, interval_s=SWEEP_EVERY_S)
        self._is_woken = False
        self.workers = (self._worker,)
        signals = self._app.memory.signals
        self.listeners = ((signals.noted, self._wake), (signals.removals, self._wake))

    def _wake(self) -> None:
        self._is_woken = True
        self._worker.wake()

    async def show_due(self) -> float | None:
        """Show what is due; returns after how many seconds to go on, None: later."""
        await self._bot.wait_until_ready()
        is_woken, self._is_woken = self._is_woken, False
        if not (is_woken or await self._marks.is_any_due()):  # taking one locks SQLite's file
            return None
        is_waiting = False
        while due := await self._marks.due(partial(is_connected_for, self._bot), MAX_AT_ONCE):
            for message in due:
                is_waiting |= not await self._show(message)
            are_reactions = all(message.mark is NotedMark.REACTION for message in due)
            if are_reactions and len(due) < MAX_AT_ONCE:
                break  # a line may be due again at once: at its answer, or as a reaction
        return SOON_S if is_waiting else None

    async def _show(self, message: NotedMessage) -> bool:
        """Show a message's notes, or what is left of them; returns False if its answer is awaited.

        A reaction that Discord refuses is given up, as it holds no words. A line is tried again.
        """
        if message.mark is NotedMark.WAITING and message.texts:
            if isinstance(self._bot.get_channel(message.channel_id), discord.Thread):
                await self._marks.make_reaction(message)
                return True
            return await self._marks.move_to_answer(message)
        try:
            is_shown = message.mark is not NotedMark.WAITING and await self._change(message)
        except discord.NotFound:
            is_shown = False
        except REQUEST_ERRORS as error:
            _log.info("what was noted could not be shown yet: %s", type(error).__name__)
            if not (is_refused(error) and message.mark is NotedMark.REACTION):
                if not await self._marks.postpone(message):
                    _log.warning("a line with notes was given up: Discord refuses to edit it")
                    self._app.memory.signals.removals.emit()
                return True
            is_shown = False
        await (self._marks.settle if is_shown else self._marks.remove)(message)
        return True

    async def _change(self, message: NotedMessage) -> bool:
        """Change a message on Discord; returns whether it shows notes then."""
        private = self._private.get(message.message_id)
        if private is not None and message.guild_id == DIRECT_MESSAGES:
            return False  # in others' direct messages
        channel = self._bot.get_channel(message.channel_id)
        is_archived = channel is None or (isinstance(channel, discord.Thread) and channel.archived)
        if is_archived and private is None and message.guild_id != DIRECT_MESSAGES:
            return False
        place = self._bot.get_partial_messageable(message.channel_id)
        await self._rate.wait(message.channel_id)
        async with asyncio.timeout(EDIT_TIMEOUT_S):  # Discord lets edits of old messages wait
            if message.mark is NotedMark.REACTION:
                target = place.get_partial_message(message.message_id)
                user = self._bot.user
                if message.texts:
                    await target.add_reaction(NOTED)
                elif user is not None:
                    await target.remove_reaction(NOTED, user)
            elif private is not None:
                await self._edit(*private, message)
            else:
                sent = await place.fetch_message(message.message_id)
                await self._edit(sent, sent.content, message)
        self._rate.begin(message.channel_id, EDIT_EVERY_S)
        return bool(message.texts)

    async def _edit(self, sent: discord.Message, content: str, message: NotedMessage) -> None:
        """Give an answer its line, in place of an earlier one; a reaction if there is no room."""
        text = answer = without_lines(content, NOTED_LINE)
        if message.texts:
            text = f"{answer}\n{noted_line(message.texts)}".lstrip("\n")
        if utf16_length(text) > MAX_MESSAGE_LENGTH:
            text = answer
            await self._marks.make_reaction(message)
        if text != content or sent.flags.ephemeral:
            await sent.edit(content=text, allowed_mentions=NO_PINGS)


def noted_line(texts: list[str]) -> str:
    """Return the line that shows notes, clipped; of many, the last ones and how many more."""
    notes = [
        escape_markdown(defuse_mentions(clip(one_line(text), MAX_NOTE, at_word=True)))
        for text in texts[-MAX_NOTES:]
    ]
    more = [f"+{len(texts) - MAX_NOTES}"] if len(texts) > MAX_NOTES else []
    return NOTED_LINE + " · ".join([*notes, *more])
