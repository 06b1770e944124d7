"""Estimate what importing an export would cost, message by message. Pure.

Tokens are estimated with the prompts that would be sent (utils/memory/extraction/llm_extractor.py):
with the tool, the full budget for known memories, and an answer of ANSWER_TOKENS.
"""

import json
from collections import deque
from dataclasses import dataclass, field

from utils.common.text import estimate_tokens
from utils.database.messages.events import PREVIOUS_TURNS
from utils.memory.extraction.llm_extractor import KNOWN_TOKENS, TOOL, build_messages
from utils.memory.history.batches import BurstBuilder
from utils.models.extraction import Burst, ExtractionInput
from utils.models.history import ImportEstimate, SkipReason
from utils.models.memory import Event

ANSWER_TOKENS = 200
TOOL_TOKENS = estimate_tokens(json.dumps([TOOL.description, TOOL.parameters]))


@dataclass(eq=False, repr=False)
class CostEstimator:
    """Counts the messages, members, bursts and tokens of an import.

    ``asks_model``: a language model would extract, which costs tokens.
    """

    time_zone: str
    asks_model: bool
    _estimate: ImportEstimate = field(default_factory=ImportEstimate)
    _bursts: dict[int, tuple[BurstBuilder, tuple[Event, ...]]] = field(default_factory=dict)
    _previous: deque[Event] = field(default_factory=lambda: deque(maxlen=PREVIOUS_TURNS))
    _has_consent: dict[int, bool] = field(default_factory=dict)

    def skip(self, reason: SkipReason) -> None:
        """Count a skipped message."""
        self._estimate.messages += 1
        self._estimate.skipped[reason] += 1

    def count(self, event: Event, reason: SkipReason | None) -> None:
        """Count a member's message; ``reason`` None: it would be imported."""
        self._has_consent[event.author_id] = (
            reason is not SkipReason.NO_CONSENT or self._has_consent.get(event.author_id, False)
        )
        if reason is not None:
            self.skip(reason)
            return
        self._estimate.messages += 1
        self._estimate.accepted += 1
        burst, _ = self._bursts.get(event.author_id, (None, ()))
        if burst is None or not burst.add(event):
            self._close(event.author_id)
            burst = BurstBuilder()
            burst.add(event)
            self._bursts[event.author_id] = burst, tuple(self._previous)
        self._previous.append(event)

    def result(self, damage: str = "") -> ImportEstimate:
        """Return the totals; ``damage`` says where the file is cut off."""
        self._estimate.damage = damage
        for author_id in list(self._bursts):
            self._close(author_id)
        self._estimate.with_consent = sum(self._has_consent.values())
        self._estimate.without_consent = len(self._has_consent) - self._estimate.with_consent
        return self._estimate

    def _close(self, author_id: int) -> None:
        builder, previous = self._bursts.pop(author_id, (None, ()))
        if builder is None:
            return
        self._estimate.bursts += 1
        if self.asks_model:
            last = builder.events[-1]
            reading = ExtractionInput(
                Burst(last.member, last.channel_id, tuple(builder.events)),
                self.time_zone,
                previous,
            )
            prompt = sum(estimate_tokens(message.text) for message in build_messages(reading, {}))
            self._estimate.tokens += prompt + TOOL_TOKENS + KNOWN_TOKENS + ANSWER_TOKENS
