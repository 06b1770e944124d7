"""Process one batch of a watched channel: model call, notes, scores and tension levels.

Everything happens under the channel's lease. Notes are stored first, member by member. Then one
unit of work removes the messages from the queue and stores their scores and levels. After a crash
in between, the batch is processed again; a message that is already evidence for a note then adds
nothing. Messages deleted in the meantime are neither scored nor noted.
"""

import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

from utils.common.errors import ModelMalformed, ModelUnusable, RequestRefused
from utils.common.visible_text import own_words_of
from utils.database.core.engine import Connection
from utils.database.messages import events
from utils.database.sentiment import tension, waiting_messages
from utils.guilds.settings import GuildSettingsService
from utils.memory.extraction.passive_notes import Overheard
from utils.memory.ingestion.passive_queue import PassiveNotes
from utils.models.memory import Audience, Event
from utils.models.sentiment import (
    NO_USER,
    Prefilter,
    ScoredBatch,
    ScoredMessage,
    ThresholdCrossing,
    WatchSettings,
)
from utils.runtime.worker import InfrastructureService
from utils.sentiment.batch_schedule import BATCH_SIZE, ChannelKey
from utils.sentiment.llm_analysis import Analysis
from utils.sentiment.prefilter import deserves_call
from utils.sentiment.tension_tracker import TensionTracker
from utils.sentiment.watched_channels import WatchedChannelService

MAX_BATCH_CHARACTERS = 12_000
MAX_BATCHES_IN_CALL = 2  # if more messages wait than one batch
MAX_REFUSALS = 3

ScoredListener = Callable[[ScoredBatch], Awaitable[None]]

_log = logging.getLogger(__name__)


@dataclass(eq=False, repr=False)
class BatchProcessor(InfrastructureService):
    """Processes batches; ``counts`` counts messages by what happened to them.

    ``notes`` gets what members said about themselves.
    """

    _watched: WatchedChannelService
    _guild_settings: GuildSettingsService
    _tension: TensionTracker
    notes: PassiveNotes
    _ask_model: Callable[[Sequence[Event], str], Awaitable[Analysis]]
    _prefilter: Prefilter
    _counts: Counter[str]
    _refusals: Counter[ChannelKey] = field(default_factory=Counter, init=False)
    listeners: list[ScoredListener] = field(default_factory=list, init=False)

    async def process(self, channel: ChannelKey, audience: Audience) -> int | None:
        """Process a channel's oldest messages; returns how many still wait.

        Returns None if another process holds the lease. Raises ModelError or BudgetSpent if the
        messages have to wait, and DatabaseError if nothing could be stored.
        """
        async with self._leases.hold(channel.lease) as fence:
            if fence is None:
                return None
            oldest = await self._database.read(
                waiting_messages.oldest,
                guild_id=channel.guild_id,
                place_id=channel.channel_id,
                limit=BATCH_SIZE * MAX_BATCHES_IN_CALL,
            )
            messages = events.within(oldest, MAX_BATCH_CHARACTERS)
            watched = self._watched.watched(channel.guild_id, channel.channel_id)
            if messages and watched is not None:
                await self._process(channel, fence, messages, audience)
            return await self._database.read(
                waiting_messages.count, guild_id=channel.guild_id, place_id=channel.channel_id
            )

    async def _process(
        self,
        channel: ChannelKey,
        fence: int,
        messages: Sequence[Event],
        audience: Audience,
    ) -> None:
        settings = await self._watched.settings(channel.guild_id)
        is_filtered = (settings.prefilter or self._prefilter) is Prefilter.HEATED
        if is_filtered and not deserves_call(messages):
            unscored = await self._database.read(tension.without_scores, messages=messages)
            if len(unscored) == len(messages):  # else notes are still to be made of the others
                await self._discard(channel, fence, messages, "calm")
                return
        analysis = await self._analyse(channel, fence, messages)
        if analysis is None:
            return
        self._counts.update(analysis.refused)
        by_id = {message.message_id: message for message in messages}
        for member in sorted({by_id[note.message_id].member for note in analysis.notes}):
            notes = tuple(note for note in analysis.notes if note.subject_id == member.user_id)
            noted_ids = {note.message_id for note in notes}
            await self.notes.add(
                Overheard(
                    member=member,
                    messages=tuple(
                        message for message in messages if message.message_id in noted_ids
                    ),
                    notes=notes,
                    audience=audience,
                    around=tuple(messages),
                    model=analysis.model,
                    prompt_hash=analysis.prompt_hash,
                )
            )
        scored, crossings = await self._store_scores(channel, fence, messages, analysis, settings)
        self._counts["scored"] += len(scored)
        batch = ScoredBatch(
            guild_id=channel.guild_id,
            place_id=channel.channel_id,
            at=self._clock.now(),
            messages=scored,
            crossings=crossings,
            settings=settings,
        )
        for listener in self.listeners:
            try:
                await listener(batch)
            except Exception:  # in one of them loses nothing here
                _log.exception("a listener for scored batches failed")

    async def _analyse(
        self, channel: ChannelKey, fence: int, messages: Sequence[Event]
    ) -> Analysis | None:
        """Return the model's analysis; None if the batch was discarded for lack of a usable one."""
        time_zone = (await self._guild_settings.get(channel.guild_id)).time_zone
        self._counts["calls"] += 1
        try:
            analysis = await self._ask_model(messages, time_zone)
            if not analysis.scores:
                raise ModelMalformed
        except ModelUnusable:  # another model may be configured before the messages expire
            raise
        except (ModelMalformed, RequestRefused) as error:
            self._refusals[channel] += 1
            if self._refusals[channel] < MAX_REFUSALS:
                raise
            del self._refusals[channel]
            reason = "refused" if isinstance(error, RequestRefused) else "malformed"
            await self._discard(channel, fence, messages, reason)
            return None
        self._refusals.pop(channel, None)
        return analysis

    async def _store_scores(
        self,
        channel: ChannelKey,
        fence: int,
        messages: Sequence[Event],
        analysis: Analysis,
        settings: WatchSettings,
    ) -> tuple[tuple[ScoredMessage, ...], tuple[ThresholdCrossing, ...]]:
        """Store scores and levels and remove the messages from the queue, in one unit of work."""

        def unit(
            connection: Connection,
        ) -> tuple[tuple[ScoredMessage, ...], tuple[ThresholdCrossing, ...]]:
            finished_ids = waiting_messages.finish(connection, messages)
            scored_ids = finished_ids & analysis.scores.keys()
            finished = [message for message in messages if message.message_id in scored_ids]
            scored = []
            # Others were only read again for their notes.
            for message in tension.without_scores(connection, finished):
                score = analysis.scores[message.message_id]
                if not own_words_of(message.text):  # a forward, a card or a poll
                    message = replace(message, author_id=NO_USER)
                scored.append(ScoredMessage(message, score))
            tension.save_scores(connection, scored)
            return tuple(scored), self._tension.store(connection, scored, settings)

        return await self._leases.write(channel.lease, fence, unit)

    async def _discard(
        self, channel: ChannelKey, fence: int, messages: Sequence[Event], reason: str
    ) -> None:
        """Remove messages from the queue without scoring them, and count them."""
        await self._leases.write(channel.lease, fence, waiting_messages.finish, messages=messages)
        self._counts[reason] += len(messages)
        level = logging.INFO if reason == "calm" else logging.WARNING
        _log.log(level, "%d watched messages are discarded: %s", len(messages), reason)
