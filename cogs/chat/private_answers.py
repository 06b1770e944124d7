"""The answers that only one person sees: a bot can delete them for fifteen minutes only."""

from collections import OrderedDict

import discord

from utils.common.clock import Clock

DELETABLE_S = 840.0  # an interaction's token lasts 15 minutes, from before the answer
MAX_KEPT = 10_000


class PrivateAnswers:
    """Ephemeral answers by their ids, as long as Discord lets Kith delete them."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._sent: OrderedDict[int, tuple[float, discord.Message]] = OrderedDict()

    def keep(self, message: discord.Message) -> None:
        """Remember an answer that was just sent."""
        now = self._clock.monotonic()
        self._sent[message.id] = (now + DELETABLE_S, message)
        while len(self._sent) > MAX_KEPT or next(iter(self._sent.values()))[0] <= now:
            self._sent.popitem(last=False)

    def find(self, message_id: int) -> discord.Message | None:
        """Return an answer that can still be deleted; None for any other message."""
        until_s, message = self._sent.get(message_id, (0.0, None))
        return message if until_s > self._clock.monotonic() else None
