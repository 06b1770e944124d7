"""What would be recalled for a message, and why, for the operator."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from utils.common.clock import Clock
from utils.common.errors import BadInput
from utils.common.text import clean
from utils.guilds.settings import GuildSettingsService
from utils.memory.recall.explain import RecallTrace
from utils.memory.recall.reader import Reader
from utils.models.admin import TEXT_LIMIT, RecallExplanation
from utils.models.memory import Audience
from utils.models.recall import Person


@dataclass(eq=False, repr=False)
class RecallExplainer:
    """Recalls as for an answer, and says of each candidate why it is in the prompt or not."""

    _clock: Clock
    _guilds: GuildSettingsService
    _reader: Reader

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
            raise BadInput(
                "Write the member's message, in 1 to {limit} characters.", limit=TEXT_LIMIT
            )
        settings = await self._guilds.latest(guild_id)
        topics = settings.topics_of(channel_id, channel_name)

        async def trace(people: Sequence[Person]) -> RecallExplanation:
            traced = RecallTrace(self._clock.monotonic())
            await self._reader.recall_with_turns(
                audience,
                people,
                text,
                settings=settings,
                channel_topics=topics,
                trace=traced,
            )
            return await asyncio.to_thread(traced.explanation, self._clock.monotonic())

        explanation = await trace([Person(user_id, name or str(user_id)), *mentioned])
        if settings.recall:
            return explanation
        without = await trace([])  # what an answer gets even with recall off
        block, now, tokens = without.block, without.now, without.tokens
        return replace(explanation, block=block, now=now, tokens=tokens, is_off=True)
