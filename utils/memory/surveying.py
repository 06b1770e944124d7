"""What importing an export would cost, counted a message at a time. Pure.

Tokens are estimated by the very prompts that would be sent (utils/memory/extraction.py), with the
tool, with all the room that known memories may take, and with an answer of ANSWER_TOKENS.
"""

import json
from collections import deque

from utils.memory.bursts import BEFORE_TURNS
from utils.memory.extraction import KNOWN_TOKENS, TOOL, request
from utils.memory.past import Joined
from utils.model.history import Survey, Unread
from utils.model.memory import Burst, Event, Reading
from utils.text import estimate_tokens

ANSWER_TOKENS = 200
TOOL_TOKENS = estimate_tokens(json.dumps([TOOL.description, TOOL.parameters]))


class Surveyor:
    """Counts messages, members, bursts and tokens as an import would make them."""

    def __init__(self, time_zone: str, *, asks_model: bool) -> None:
        """``asks_model``: a language model would read them, which costs tokens."""
        self._survey = Survey()
        self._time_zone = time_zone
        self._asks_model = asks_model
        self._bursts: dict[int, tuple[Joined, tuple[Event, ...]]] = {}
        self._before: deque[Event] = deque(maxlen=BEFORE_TURNS)
        self._has_leave: dict[int, bool] = {}

    def leave_out(self, why: Unread) -> None:
        """Count a message that is not looked at any further."""
        self._survey.messages += 1
        self._survey.left_out[why] += 1

    def count(self, event: Event, why: Unread | None) -> None:
        """Count a member's message; ``why`` it is left out, None: it would be read."""
        self._has_leave[event.author_id] = why is not Unread.NO_LEAVE or self._has_leave.get(
            event.author_id, False
        )
        if why is not None:
            self.leave_out(why)
            return
        self._survey.messages += 1
        self._survey.taken += 1
        burst, _ = self._bursts.get(event.author_id, (None, ()))
        if burst is None or not burst.take(event):
            self._close(event.author_id)
            burst = Joined()
            burst.take(event)
            self._bursts[event.author_id] = burst, tuple(self._before)
        self._before.append(event)

    def result(self, damage: str = "") -> Survey:
        """Return the sums, everything counted; ``damage`` says where that had to end."""
        self._survey.damage = damage
        for author_id in list(self._bursts):
            self._close(author_id)
        self._survey.with_leave = sum(self._has_leave.values())
        self._survey.without_leave = len(self._has_leave) - self._survey.with_leave
        return self._survey

    def _close(self, author_id: int) -> None:
        burst, before = self._bursts.pop(author_id, (None, ()))
        if burst is None:
            return
        self._survey.bursts += 1
        if self._asks_model:
            last = burst.events[-1]
            of_one = Burst(last.member, last.channel_id, tuple(burst.events))
            reading = Reading(of_one, before, (), "", self._time_zone)
            prompt = sum(estimate_tokens(message.text) for message in request(reading, {}))
            self._survey.tokens += prompt + TOOL_TOKENS + KNOWN_TOKENS + ANSWER_TOKENS
