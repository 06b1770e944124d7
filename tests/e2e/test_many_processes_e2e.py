"""Four real processes on one database, each with a shard of the loopback Discord's: killed at
random, started again, and replaced while they talk."""

import asyncio
import os
import random
import signal
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from itertools import cycle, product

import pytest
from sqlalchemy import func, select

from tests.e2e.den import Den, Process, open_den
from tests.fakes.discord import Guild, Member, Message
from tests.fakes.model_server import ChatRequest
from utils.build import build
from utils.database.admin import jobs
from utils.database.schema.memory_tables import (
    job_run,
    memory_event,
    memory_evidence,
    user_memory,
)
from utils.memory.privacy.pruning import PRUNE_JOB
from utils.models.memory import EventState, Role

SHARDS = 4
KILLS = 4
PAUSE_S = 0.8
MAX_UNANSWERED = 4  # in a town whose people then wait, be the machine ever so slow
PATIENCE_S = 120
BROKEN_OFF = "an answer was broken off"
GIVEN = {
    "BURST_QUIET_S": "0.3",
    "CHANNEL_QUEUE": "100",
    "SHARD_COUNT": str(SHARDS),
    "DATABASE_POOL_SIZE": "2",
}
COLOURS = ("azure", "beige", "cyan", "drab", "ecru", "fawn", "green", "hazel", "ivory", "khaki")
THINGS = ("boat", "cello", "drone", "easel", "fiddle", "globe", "harp", "igloo", "jukebox", "kite")
MADE_OF = ("amber", "bronze", "cedar", "denim", "ebony", "felt", "glass", "horn", "iron", "jade")


@dataclass(slots=True)
class Fleet:
    """Processes by shard, and all that they wrote to their logs before they ended."""

    den: Den
    stack: AsyncExitStack
    running: dict[int, Process] = field(default_factory=dict)
    logs: list[str] = field(default_factory=list)

    async def start(self, shard: int) -> Process:
        """Start a process for a shard, and wait until Discord tells it of its servers."""
        before = {id(one) for one in self._sessions(shard)}
        process = await self.stack.enter_async_context(
            self.den.process(SHARD_IDS=str(shard), **GIVEN)
        )
        await self.den.fake.wait_until(
            lambda: any(id(one) not in before for one in self._sessions(shard)),
            f"a process with shard {shard}",
            timeout=PATIENCE_S,
        )
        self.running[shard] = process
        return process

    async def end(self, process: Process, how: signal.Signals) -> None:
        process.tell(how)
        await process.ends(within_s=40)
        self.logs.append(process.err)

    def _sessions(self, shard: int) -> list[object]:
        sessions = self.den.fake.gateway.connected()
        return [one for one in sessions if one.shard == (shard, SHARDS)]


class Town:
    """A server on each shard, whose people tell Kith of what they own, each thing once."""

    def __init__(self, den: Den, chance: random.Random) -> None:
        self._den = den
        self._chance = chance
        self._things = map(" ".join, product(COLOURS, MADE_OF, THINGS))
        guilds = [den.fake.add_guild(f"Town {n}", shard=(n, SHARDS)) for n in range(SHARDS)]
        self.places = [guild.add_text_channel("square") for guild in guilds]
        self.people = [self._settle(guild) for guild in guilds]
        self.asked: list[Message] = []
        self.excused: set[int] = set()

    @staticmethod
    def _settle(guild: Guild) -> Iterator[Member]:
        """People who speak in turns: so much of one at once would not be kept (session limit)."""
        return cycle([guild.add_member(f"{one}{two}") for one in "ABCDEF" for two in "aeiouy"])

    async def say(self, shard: int) -> None:
        """Let somebody there tell of something that nobody has told of yet."""
        what, who = next(self._things), next(self.people[shard])
        self.asked.append(await self._den.say(who, f"I own a {what}", self.places[shard]))

    @asynccontextmanager
    async def talking(self) -> AsyncIterator[None]:
        """Let people on all shards talk until the block ends."""

        async def talk() -> None:
            while True:
                for shard in range(SHARDS):
                    if len(self.unanswered(shard)) < MAX_UNANSWERED:
                        await self.say(shard)
                    await asyncio.sleep(self._chance.uniform(0, PAUSE_S))

        talk_of_the_town = asyncio.create_task(talk())
        yield
        talk_of_the_town.cancel()
        await asyncio.gather(talk_of_the_town, return_exceptions=True)

    def answers(self, shards: Iterable[int]) -> Counter[int]:
        """How often each message was answered."""
        said = [one for shard in shards for one in self._den.fake.messages(self.places[shard])]
        return Counter(one.reply_to.id for one in said if one.reply_to is not None)

    def unanswered(self, *shards: int) -> list[Message]:
        """What waits for an answer on these shards, or on all."""
        answered = self.answers(shards or range(SHARDS))
        here = [self.places[shard] for shard in shards] or self.places
        return [
            one
            for one in self.asked
            if one.channel in here and one.id not in answered and one.id not in self.excused
        ]

    def excuse(self, shard: int) -> None:
        """Take it that a process was killed with the answers that its shard still owed."""
        self.excused.update(one.id for one in self.unanswered(shard))


@pytest.fixture
async def den(database_url: str) -> AsyncIterator[Den]:
    """A den whose model takes a moment, so that processes are killed in the middle of things."""
    async with open_den(database_url, advised_shards=SHARDS) as opened:

        async def reply(request: ChatRequest) -> str:
            await asyncio.sleep(0.2)
            return "Noted."

        opened.model.reply_with(reply)
        yield opened


@asynccontextmanager
async def fleet_of(den: Den) -> AsyncIterator[Fleet]:
    async with AsyncExitStack() as stack:
        yield Fleet(den, stack)


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> random.Random:
    """Chance that can be repeated: the seed is in the report of a failure."""
    seed = int(os.environ.get("KITH_SEED") or random.randrange(2**32))
    print(f"KITH_SEED={seed}")
    return random.Random(seed)


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_killed_at_random_and_replaced_they_answer_read_and_tidy_once(
    den: Den, chance: random.Random
) -> None:
    await make_jobs_due(den)
    town = Town(den, chance)
    async with fleet_of(den) as fleet:
        await asyncio.gather(*(fleet.start(shard) for shard in range(SHARDS)))
        for shard in range(SHARDS):
            await town.say(shard)  # so that each channel is one that Kith listens in
        await den.fake.wait_until(lambda: not town.unanswered(), "first answers", PATIENCE_S)

        async with town.talking():
            for _ in range(KILLS):
                await asyncio.sleep(chance.uniform(0.2, 1.0))
                shard = chance.randrange(SHARDS)
                await fleet.end(fleet.running[shard], signal.SIGKILL)
                town.excuse(shard)
                await fleet.start(shard)
        await den.fake.wait_until(lambda: not town.unanswered(), "late answers", PATIENCE_S)

        async with town.talking():
            for shard in (0, chance.randrange(1, SHARDS)):  # a rolling deploy
                old = fleet.running[shard]
                await fleet.start(shard)
                await asyncio.sleep(1)  # while which two of them have it
                await fleet.end(old, signal.SIGTERM)
                if BROKEN_OFF in old.err:  # after its ten seconds, on a machine that is too slow
                    town.excuse(shard)
        await den.fake.wait_until(lambda: not town.unanswered(), "answers", PATIENCE_S)
        last = fleet.running.values()
        await asyncio.gather(*(fleet.end(process, signal.SIGTERM) for process in last))
        logs = fleet.logs

    assert max(town.answers(range(SHARDS)).values()) == 1
    assert len(town.excused) <= (KILLS + 2) * MAX_UNANSWERED
    tracebacks = [log[log.index("Traceback") :] for log in logs if "Traceback" in log]
    assert not tracebacks, "\n".join(tracebacks)
    pruned = sum(log.count("INFO utils.admin.job_runs: pruned: ") for log in logs)
    assert pruned <= 1
    await everything_was_read_once(den, town, is_pruned=pruned == 1)


async def make_jobs_due(den: Den) -> None:
    """Let no job have run yet."""
    app = build(den.settings(), den.clock)
    await app.database.open()
    try:
        await app.database.write(lambda connection: connection.execute(job_run.delete()))
    finally:
        await app.close()


async def everything_was_read_once(den: Den, town: Town, *, is_pruned: bool) -> None:
    """Read what is left, as the next start would, and look at every message.

    Whoever had begun to prune may have been killed: then the next start prunes.
    """
    den.clock.pass_time(60)  # the leases of those who were killed are over
    app = build(den.settings(), den.clock)
    await app.start()
    try:
        await app.memory.recorder.settle()
        if not is_pruned:
            assert await app.admin.job_runs.prune() is not None
        assert await app.database.read(jobs.last_success, name=PRUNE_JOB) is not None
        heard, evidence, doubled = await app.database.read(_read)
    finally:
        await app.close()
    asked = {one.id for one in town.asked}
    assert set(heard) <= asked
    assert asked - set(heard) <= town.excused
    assert set(heard.values()) == {EventState.DONE}
    assert evidence == dict.fromkeys(heard, 1)
    assert doubled == []


def _read(connection):
    """Every message heard with its state, how often each became evidence, and doubled memories."""
    said, ground, row = memory_event.c, memory_evidence.c, user_memory.c
    heard = connection.execute(
        select(said.MessageId, said.State).where(said.Role == Role.MEMBER)
    ).all()
    evidence = connection.execute(
        select(ground.MessageId, func.count()).group_by(ground.MessageId)
    ).all()
    memories = Counter(connection.execute(select(row.GuildId, row.UserId, row.Memory)).all())
    doubled = [memory for memory, count in memories.items() if count > 1]
    return dict(map(tuple, heard)), dict(map(tuple, evidence)), doubled
