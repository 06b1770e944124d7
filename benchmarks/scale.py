"""What a message, a member and a server cost: a day of 1,000 servers on an accelerated clock.

    python -m benchmarks.scale [--json] [--servers 1000] [--messages 60] [--seed 1]

The bot's own composition (bot.py) on a SQLite file hears a made-up day (benchmarks/day.py says what
is assumed): 60 messages a server on average, one in ten to the bot, half the servers watch their
channels. It is driven below Discord: what discord.py costs is benchmarks.load's to measure. The
model answers at once in this process, through the program's own client code but for the transport,
and counts four bytes as a token. Time passes as soon as everything is done, so the day's timers
(quiet moments, sweeps, patience) are real ones. CPU milliseconds and SQL statements are counted
where they are caused: by a message to the bot, by an overheard one, or later, by what waits
(reading for memories, examining), less what an idle process does all day (``idle_hour``). At
midnight comes the daily pruning.
"""

import argparse
import asyncio
import random
import sqlite3
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event

import bot
from benchmarks.day import DAY_S, DayClock, Utterance, utterances
from benchmarks.measuring import memory_mb, tell
from benchmarks.stage import ANSWER, Reader
from benchmarks.stage_door import settings_for
from tests.fakes.model_server import ChatRequest, _completion, text, tool, wants_arguments
from utils.core import Core
from utils.model.conversation import Turn
from utils.model.guild import GuildSettings
from utils.model.memory import Audience, Event, Role
from utils.model.recall import Person
from utils.model.watch import WatchedMessage

SERVERS, MESSAGES, ADDRESSED, WATCHING = 1_000, 60.0, 0.1, 2
KITH = 1
ANSWERS_FROM = 10**15
TURNS_TO_BE_QUIET = 20


@dataclass(slots=True)
class Costs:
    """What was worked, and how often the database was asked, by cause."""

    cause: str = "start"
    times: Counter[str] = field(default_factory=Counter)
    cpu_s: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    statements: Counter[str] = field(default_factory=Counter)
    calls: Counter[str] = field(default_factory=Counter)
    tokens: Counter[str] = field(default_factory=Counter)

    @asynccontextmanager
    async def caused_by(self, cause: str) -> AsyncIterator[None]:
        """Charge what happens in the block to a cause."""
        self.cause, began = cause, time.process_time()
        try:
            yield
        finally:
            self.times[cause] += 1
            self.cpu_s[cause] += time.process_time() - began

    def each(
        self, cause: str, of: float, *, but: dict[str, float] | None = None, times: float = 0.0
    ) -> dict[str, float]:
        """Return what a cause cost for each of so many; ``but`` so many times something else."""
        less = but or {"cpu_ms": 0.0, "statements": 0.0}
        cpu_ms = self.cpu_s[cause] * 1000 - less["cpu_ms"] * times
        statements = self.statements[cause] - less["statements"] * times
        share = max(of, 1)
        return {"cpu_ms": round(cpu_ms / share, 3), "statements": round(statements / share, 2)}


class LocalEndpoint:
    """A model endpoint in this process, in the place of the client's transport."""

    host = "here"

    def __init__(self, costs: Costs) -> None:
        self._costs = costs
        self._reader = Reader()

    async def chat(
        self, request: ChatRequest, timeout_s: float, wait_s: float | None = None
    ) -> object:
        """Answer a request, and count its tokens by purpose."""
        if wants_arguments(request):
            found = self._reader.answer(request)
            purpose = "watch" if "messages" in found else "extraction"
            purpose = "chapter" if "summary" in found else purpose
            body = _completion(request, tool(request["tools"][0]["function"]["name"], found))
        else:
            purpose, body = "answer", _completion(request, text(ANSWER))
        self._costs.calls[purpose] += 1
        for kind in ("prompt_tokens", "completion_tokens"):
            self._costs.tokens[f"{purpose} {kind}"] += body["usage"][kind]
        return body

    async def open(self) -> None:
        """Nothing has to be loaded."""

    async def close(self) -> None:
        """Nothing is open."""


class Day:
    """The bot, and the day it goes through."""

    def __init__(self, file: Path) -> None:
        self.costs = Costs()
        self._under_way = 0
        self.clock = DayClock(self.quiet)
        settings = settings_for({"model": "http://127.0.0.1:1/v1"}, f"sqlite:///{file}")
        self.core: Core = bot.build(settings, self.clock)
        assert self.core.model is not None
        self.core.model._endpoint = LocalEndpoint(self.costs)  # type: ignore[assignment]
        self._count_units()

    def _count_units(self) -> None:
        """Know how many units of work are under way, and count every statement."""
        run = self.core.database._run

        async def counted(*arguments: Any) -> Any:
            self._under_way += 1
            try:
                return await run(*arguments)
            finally:
                self._under_way -= 1

        self.core.database._run = counted  # type: ignore[method-assign, assignment]

        @event.listens_for(Engine, "before_cursor_execute")
        def asked(*_: Any) -> None:
            self.costs.statements[self.costs.cause] += 1

    async def quiet(self) -> None:
        """Wait until nothing is under way any more but sleeping."""
        turns = 0
        while turns < TURNS_TO_BE_QUIET:
            turns = 0 if self._under_way else turns + 1
            await asyncio.sleep(0.0002 if self._under_way else 0)

    async def live(self, said: Sequence[Utterance]) -> None:
        """Go through the day, message by message, and prune at its end."""
        for one in said:
            async with self.costs.caused_by("later"):
                await self.clock.move_to(one.at_s)
            async with self.costs.caused_by("question" if one.is_addressed else "overheard"):
                if is_watched(one):
                    self._overhear(one)
                if one.is_addressed:
                    await self._answer(one)
                await self.quiet()
        async with self.costs.caused_by("later"):
            await self.clock.move_to(DAY_S)
            await self.clock.during(self.core.watcher.settle())
            await self.clock.during(self.core.recorder.settle())
        async with self.costs.caused_by("pruning"):
            await self.clock.during(self.core.upkeep.prune())

    async def start(self) -> None:
        """Begin to work."""
        await self.core.start()
        await self.core.watcher.start(lambda _: True)

    async def close(self) -> None:
        """Let everything go."""
        await self.clock.during(self.core.watcher.close())
        await self.clock.during(self.core.close())

    def _overhear(self, one: Utterance) -> None:
        audience = Audience(one.guild_id, one.channel_id, None, frozenset({one.channel_id}))
        self.core.watcher.hear(
            WatchedMessage(
                one.guild_id,
                one.channel_id,
                one.channel_id,
                one.message_id,
                one.user_id,
                f"Member {one.user_id}",
                one.text,
                self.clock.now(),
            ),
            audience,
        )

    async def _answer(self, one: Utterance) -> None:
        settings = await self.core.guilds.get(one.guild_id)
        name, here = f"Member {one.user_id}", (one.guild_id, one.channel_id)
        audience = Audience(*here, None, frozenset({one.channel_id}))
        turn = Turn(
            event=self._event(one, one.message_id, one.user_id, name, one.text),
            audience=audience,
            people=(Person(one.user_id, name),),
            settings=settings if isinstance(settings, GuildSettings) else GuildSettings(here[0]),
            channel_topics=(),
        )
        answer = await self.core.conversation.answer(turn)
        if answer is not None:
            reply = self._event(one, ANSWERS_FROM + one.message_id, KITH, "Kith", answer.text)
            await self.core.conversation.said(reply, audience)

    def _event(self, one: Utterance, id: int, author_id: int, name: str, text: str) -> Event:
        is_kith = author_id == KITH
        return Event(
            guild_id=one.guild_id,
            channel_id=one.channel_id,
            source_id=one.channel_id,
            message_id=id,
            author_id=author_id,
            author_name=name,
            text=text,
            created_at=self.clock.now(),
            role=Role.KITH if is_kith else Role.MEMBER,
            reply_to_id=one.message_id if is_kith else None,
        )


def is_watched(one: Utterance) -> bool:
    """Whether the server watches its channels: every second one does."""
    return one.guild_id % WATCHING == 0


async def measure(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Go through a day, and return the figures."""
    said = utterances(random.Random(options.seed), options.servers, options.messages, ADDRESSED)
    idle = await idle_hour(folder / "idle.db")
    day, began = Day(folder / "scale.db"), time.monotonic()
    await day.start()
    for guild_id, channel_id in sorted({(s.guild_id, s.channel_id) for s in said if is_watched(s)}):
        await day.core.watch.add(guild_id, channel_id)
    first_mb = memory_mb()
    await day.live(said)
    grown_mb = memory_mb() - first_mb
    await day.close()
    sizes = table_sizes(folder / "scale.db")
    return {
        "servers": options.servers,
        "took_s": round(time.monotonic() - began),
        "memory_mb": round(first_mb + grown_mb),
        "memory_grown_mb": round(grown_mb, 1),
        **said_in(said),
        "idle_hour": idle,
        **costs_of(day.costs, said, idle),
        "tables": sizes,
        "database_mb": round(sum(one["bytes"] for one in sizes.values()) / 2**20, 1),
    }


async def idle_hour(file: Path) -> dict[str, float]:
    """Return what an hour costs in which nothing is said: the sweeps."""
    day = Day(file)
    await day.start()
    await day.quiet()
    async with day.costs.caused_by("idle"):
        await day.clock.move_to(3600.0)
    await day.close()
    return day.costs.each("idle", 1)


def said_in(said: Sequence[Utterance]) -> dict[str, Any]:
    """Return how much was said, and how it was spread."""
    by_server = sorted(Counter(one.guild_id for one in said).values())
    by_minute = Counter(int(one.at_s // 60) for one in said)
    return {
        "messages": len(said),
        "questions": sum(one.is_addressed for one in said),
        "watched": sum(is_watched(one) for one in said),
        "members_heard": len({one.user_id for one in said}),
        "members_answered": len({one.user_id for one in said if one.is_addressed}),
        "busiest_server": by_server[-1] if by_server else 0,
        "median_server": by_server[len(by_server) // 2] if by_server else 0,
        "busiest_minute": max(by_minute.values(), default=0),
    }


def costs_of(costs: Costs, said: Sequence[Utterance], idle: dict[str, float]) -> dict[str, Any]:
    """Return the costs by cause, and the model's tokens for each 1,000 messages.

    What an idle process does all day is not the messages' doing.
    """
    questions = costs.times["question"]
    tokens = {
        purpose: {
            "calls": calls,
            "prompt_tokens_each": round(costs.tokens[f"{purpose} prompt_tokens"] / calls),
            "completion_tokens_each": round(costs.tokens[f"{purpose} completion_tokens"] / calls),
        }
        for purpose, calls in costs.calls.items()
    }
    spent = sum(costs.tokens.values())
    return {
        "question": costs.each("question", questions),
        "overheard": costs.each("overheard", costs.times["overheard"]),
        "later_for_each_message": costs.each("later", len(said), but=idle, times=24),
        "pruning": costs.each("pruning", 1),
        "cpu_s": round(sum(costs.cpu_s.values()), 1),
        "model": tokens,
        "tokens_per_1000_messages": round(spent / max(len(said), 1) * 1000),
    }


def table_sizes(file: Path) -> dict[str, dict[str, float]]:
    """Return rows, bytes and bytes a row, with indexes, of every table that has rows."""
    sizes: dict[str, dict[str, float]] = {}
    with closing(sqlite3.connect(file)) as connection:
        used: Counter[str] = Counter()
        for table, size in connection.execute(
            "SELECT m.tbl_name, sum(d.pgsize) FROM dbstat d JOIN sqlite_master m ON m.name = d.name"
            " GROUP BY m.tbl_name"
        ):
            used[table] += size
        for table, size in used.most_common():
            rows = connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]  # noqa: S608
            if rows and size > 4096:
                sizes[table] = {"rows": rows, "bytes": size, "bytes_a_row": round(size / rows)}
    return sizes


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; there are figures here, and no goals."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--servers", type=int, default=SERVERS)
    parser.add_argument("--messages", type=float, default=MESSAGES, help="of a server, on average")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="kith-scale-") as folder:
        tell(asyncio.run(measure(options, Path(folder))), as_json=options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
