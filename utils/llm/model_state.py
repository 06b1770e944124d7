"""What calls to one model have shown, for its later calls, until the process ends."""

import logging
from collections.abc import Set
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from utils.common.errors import ModelUnreachable
from utils.llm.capabilities import Feature

THOUGHT_TOKENS, MAX_THOUGHT_TOKENS = 4096, 16384
"""The room for thoughts, on top of an answer's, of a model that thinks."""
ROOM_FACTOR = 4
MAX_USELESS_CALLS = 3  # of a model that never wrote a call or JSON
USELESS_FOR = timedelta(days=1)
MAX_LOST = 2  # calls or ends of streams in a row: once, it may be a model's whim

_log = logging.getLogger(__name__)


@dataclass(eq=False, repr=False, slots=True)
class ModelState:
    """What is known of the model ``name``.

    Attributes:
        refused: the features that its endpoint refuses, which requests omit.
        thought_tokens: the room for its thoughts; 0 as long as it does not think.
        writes_calls: it wrote a call or JSON once.
        useless_until: until when it is asked for no call, because it never wrote one.
        lost_calls, lost_ends: of streams, in a row.
        rests_until: when its endpoint may be asked again, by the monotonic clock;
            ``rest_sentence`` is the sentence for people until then.
    """

    name: str
    refused: set[Feature] = field(default_factory=set)
    thought_tokens: int = 0
    writes_calls: bool = False
    useless_calls: int = 0
    useless_until: datetime | None = None
    lost_calls: int = 0
    lost_ends: int = 0
    rests_until: float = 0.0
    rest_sentence: str = ""

    def require_rested(self, monotonic_s: float) -> None:
        """Raise ModelUnreachable before the time that its endpoint named."""
        if monotonic_s < self.rests_until:
            error = ModelUnreachable(self.rest_sentence)
            error.status = 429
            raise error

    def refuse(self, features: Set[Feature]) -> None:
        """Omit features from later requests."""
        for feature in sorted(features - self.refused):
            self.refused.add(feature)
            _log.info("The model %s refuses %s; later requests omit it.", self.name, feature)

    def end_lossy_streams(self) -> None:
        """Ask for no streams if they lose calls or ends: each answer would cost two requests."""
        if max(self.lost_calls, self.lost_ends) >= MAX_LOST:
            self.refuse({Feature.STREAM})

    def note_useless_call(self, now: datetime) -> bool:
        """Count a call that was answered in words; returns whether it is asked for none for now."""
        self.useless_calls += not self.writes_calls
        if self.useless_calls < MAX_USELESS_CALLS:
            return False
        self.useless_calls = 0
        self.useless_until = now + USELESS_FOR
        return True

    def widen(self, *, had_room: bool) -> None:
        """Give it more room for thoughts; ``had_room``: it had some, and it was too little."""
        room = max(THOUGHT_TOKENS, self.thought_tokens * (ROOM_FACTOR if had_room else 1))
        self.thought_tokens = min(room, MAX_THOUGHT_TOKENS)
        _log.info("The model %s thinks; it gets %d tokens more.", self.name, self.thought_tokens)

    def narrow(self) -> None:
        """Give it less room for thoughts: its context holds no more."""
        room = self.thought_tokens // ROOM_FACTOR
        self.thought_tokens = room if room * ROOM_FACTOR >= THOUGHT_TOKENS else 0
