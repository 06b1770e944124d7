"""A generated day of many Discord servers, and a clock that runs as fast as the bot works.

The assumptions, none of them measured by Kith: server sizes are log-normal (most are quiet, a few
are not); people talk in conversations, more of them in the evening; a conversation is a geometric
number of messages with exponential gaps. Their means were read off public group chats.
"""

import asyncio
import heapq
import itertools
import math
import random
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from benchmarks.generated.words import NOUNS, VERBS
from utils.common.clock import Clock

MIDNIGHT = datetime(2026, 11, 2, tzinfo=UTC)
DAY_S = 86_400.0
SPREAD = 1.5  # of the log-normal: the busiest in a hundred servers has about ten times the mean
CONVERSATION = 20.0  # messages, on average
GAP_S = 13.0  # between two of them, on average
EVENING_H, EVENING_SHARE = 20.0, 0.8  # how much livelier the evening is than the mean
CHANNELS = 4
FIRST_GUILD, FIRST_CHANNEL, FIRST_MEMBER, FIRST_MESSAGE = 1_000, 1_000_000, 10_000_000, 10**12
TICK_S = 0.001  # a sleep shorter than a float's precision would never end
WORDS = tuple({*NOUNS.split(), *VERBS.split()})

T = TypeVar("T")


@dataclass(frozen=True, slots=True, order=True)
class Utterance:
    """One message of a member, ``at_s`` seconds after midnight."""

    at_s: float
    message_id: int
    guild_id: int
    channel_id: int
    user_id: int
    text: str
    is_addressed: bool


def utterances(
    chance: random.Random, servers: int, per_server: float, addressed: float
) -> list[Utterance]:
    """Return a day's messages of that many servers, in order; ``per_server`` is the mean."""
    ids = itertools.count(FIRST_MESSAGE)
    messages_of_day: list[Utterance] = []
    for number in range(servers):
        messages = per_server * chance.lognormvariate(-SPREAD * SPREAD / 2, SPREAD)
        members = max(3, round(messages / 8))
        for at_s in conversations(chance, messages / CONVERSATION):
            channel_id = FIRST_CHANNEL + number * CHANNELS + chance.randrange(CHANNELS)
            people = [chance.randrange(members) for _ in range(chance.randint(2, 5))]
            for moment in moments(chance, at_s):
                is_addressed = chance.random() < addressed
                messages_of_day.append(
                    Utterance(
                        moment,
                        next(ids),
                        FIRST_GUILD + number,
                        channel_id,
                        FIRST_MEMBER + number * 10_000 + chance.choice(people),
                        sentence(chance, is_addressed),
                        is_addressed,
                    )
                )
    return sorted(messages_of_day)


def conversations(chance: random.Random, count: float) -> Iterator[float]:
    """Yield when a server's conversations begin: a Poisson process, busier in the evening."""
    peak = count / DAY_S * (1 + EVENING_SHARE)
    at_s = 0.0
    while peak and (at_s := at_s + chance.expovariate(peak)) < DAY_S:
        turn = math.cos((at_s / 3600 - EVENING_H) / 24 * 2 * math.pi)
        if chance.random() < (1 + EVENING_SHARE * turn) / (1 + EVENING_SHARE):
            yield at_s


def moments(chance: random.Random, at_s: float) -> Iterator[float]:
    """Yield when a conversation's messages are said."""
    while at_s < DAY_S:
        yield at_s
        if chance.random() < 1 / CONVERSATION:
            return
        at_s += chance.expovariate(1 / GAP_S)


def sentence(chance: random.Random, is_addressed: bool) -> str:
    """Return random words; one message to the bot in three has a fact to remember."""
    words = " ".join(chance.choices(WORDS, k=chance.randint(4, 14)))
    if is_addressed and chance.random() < 1 / 3:
        return f"I own a {chance.choice(WORDS)} named {chance.getrandbits(40):x}. {words}?"
    return words


class DayClock(Clock):
    """A clock that stands still until moved; ``quiet`` waits until all work is done."""

    def __init__(self, quiet: Callable[[], Awaitable[None]]) -> None:
        super().__init__()
        self._at_s = 0.0
        self._quiet = quiet
        self._numbers = itertools.count()
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []

    def now(self) -> datetime:
        """Return the day's time."""
        return MIDNIGHT + timedelta(seconds=self._at_s)

    def monotonic(self) -> float:
        """Return seconds since midnight."""
        return self._at_s

    async def sleep(self, seconds: float) -> None:
        """Wait until the clock was moved that far."""
        wakes: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        wakes_at_s = self._at_s + max(seconds, TICK_S)
        heapq.heappush(self._sleepers, (wakes_at_s, next(self._numbers), wakes))
        await wakes

    async def move_to(self, at_s: float) -> None:
        """Advance the time, and wake each sleeper at its own time."""
        while self._sleepers and self._sleepers[0][0] <= at_s:
            wakes_at_s, _, sleeper = heapq.heappop(self._sleepers)
            if not sleeper.done():
                self._at_s = max(self._at_s, wakes_at_s)
                sleeper.set_result(None)
                await self._quiet()
        self._at_s = max(self._at_s, at_s)

    async def during(self, work: Coroutine[Any, Any, T]) -> T:
        """Advance the time until some work is done, and return its result."""
        task = asyncio.ensure_future(work)
        await self._quiet()
        while not task.done():
            await self.move_to(self._at_s + 1.0)
            await self._quiet()
        return await task
