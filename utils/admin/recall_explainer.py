"""What would be recalled for a message, and why, for the operator."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from utils.common.clock import Clock
from utils.common.errors import BadInput
from utils.common.text import clean
from utils.guilds.settings import GuildSettingsService
from utils.memory.recall.explain import RecallTrace
from utils.memory.recall.reader import Reader
from utils.models.admin import TEXT_LIMIT, RecallExplanation
from utils.models.guild import GuildSettings
from utils.models.memory import Audience
from utils.models.recall import Person

NO_MESSAGE = "Write the member's message, in 1 to {limit} characters."


class RecallExplainer:
    """Recalls as for an answer, and says of each candidate why it is in the prompt or not."""

    def __init__(self, clock: Clock, guilds: GuildSettingsService, reader: Reader) -> None:
        self._clock = clock
        self._guilds = guilds
        self._reader = reader

    async def explain(
        self,
        guild_id: int,
        channel_id: int,
        user_id: int,
        text: str,
        audience: Audience,
        *,
        name: str = "",
        mentioned: Sequence[Person] = (),
        channel_name: str = "",
    ) -> RecallExplanation:
        """Return what would be recalled, and why, if that member wrote this text there now.

        ``name`` and ``channel_name`` are the current names; ``mentioned`` are further people the
        message is about. Does not count as a use of the memories. Raises BadInput for an empty or
        too long text.
        """
        text = clean(text)
        if not text or len(text) > TEXT_LIMIT:
            raise BadInput(NO_MESSAGE, limit=TEXT_LIMIT)
        settings = await self._guilds.latest(guild_id)
        topics = settings.topics_of(channel_id, channel_name)
        trace = partial(self._trace, audience, text=text, settings=settings, channel_topics=topics)
        explanation = await trace([Person(user_id, name or str(user_id)), *mentioned])
        if settings.recall:
            return explanation
        without = await trace([])  # what an answer gets even with recall off
        block, now, tokens = without.block, without.now, without.tokens
        return replace(explanation, block=block, now=now, tokens=tokens, is_off=True)

    async def _trace(
        self,
        audience: Audience,
        people: Sequence[Person],
        *,
        text: str,
        settings: GuildSettings,
        channel_topics: Sequence[str],
    ) -> RecallExplanation:
        trace = RecallTrace(self._clock.monotonic())
        await self._reader.recall_with_turns(
            audience,
            people,
            text,
            settings=settings,
            channel_topics=channel_topics,
            trace=trace,
        )
        return await asyncio.to_thread(trace.explanation, self._clock.monotonic())
