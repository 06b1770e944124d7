"""Measures the cost of a message, a member and a server over a day of 1,000 servers.

    python -m benchmarks.scale [--json] [--servers 1000] [--messages 60] [--seed 1]

The bot, built as in bot.py on a SQLite file, receives a generated day of messages
(benchmarks/stage/day.py has the assumptions): 60 messages a server on average, one in ten to the
bot; half of the servers watch their channels. The messages enter below Discord: benchmarks.load
measures discord.py's costs. The model answers at once in this process, through the program's own
client code without the transport, and counts four bytes as a token. The clock advances when all
work is done, so the day's timers (quiet moments, sweeps, waiting times) are real ones.

CPU milliseconds and SQL statements are counted by cause: a message to the bot, a watched message,
or later work (extraction, scoring). The costs of an idle process are subtracted (``idle_hour``).
The daily pruning follows at midnight.
"""

import asyncio
import random
import sqlite3
import sys
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from sqlalchemy import Engine, event

from benchmarks.stage.client import settings_for
from benchmarks.stage.day import DAY_S, DayClock, Utterance, utterances
from benchmarks.stage.measuring import memory_mb
from benchmarks.stage.program import program
from benchmarks.stage.scripted_model import ANSWER, ScriptedModel
from tests.fakes.model_server import ChatRequest, _completion, text, tool, wants_arguments
from utils.app import App
from utils.build import build
from utils.database.core import queries
from utils.database.core.compiled_statements import fetch
from utils.models.conversation import Turn
from utils.models.guild import GuildSettings
from utils.models.llm import MAIN_ENDPOINT
from utils.models.memory import Audience, Event, Role
from utils.models.recall import Person

ADDRESSED, WATCHING = 0.1, 2
KITH = 1
ANSWERS_FROM = 10**15
TURNS_TO_BE_QUIET = 20


@dataclass(slots=True)
class Costs:
    """CPU time, SQL statements and model tokens, by cause."""

    cause: str = "start"
    times: Counter[str] = field(default_factory=Counter)
    cpu_s: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    statements: Counter[str] = field(default_factory=Counter)
    calls: Counter[str] = field(default_factory=Counter)
    tokens: Counter[str] = field(default_factory=Counter)

    @asynccontextmanager
    async def caused_by(self, cause: str) -> AsyncIterator[None]:
        """Count the costs of the block under a cause."""
        self.cause, began = cause, time.process_time()
        try:
            yield
        finally:
            self.times[cause] += 1
            self.cpu_s[cause] += time.process_time() - began

    def average(
        self, cause: str, of: float, *, baseline: dict[str, float] | None = None, times: float = 0.0
    ) -> dict[str, float]:
        """Return the cost of a cause divided by ``of``, less ``times`` the ``baseline``."""
        deducted = baseline or {"cpu_ms": 0.0, "statements": 0.0}
        cpu_ms = self.cpu_s[cause] * 1000 - deducted["cpu_ms"] * times
        statements = self.statements[cause] - deducted["statements"] * times
        share = max(of, 1)
        return {"cpu_ms": round(cpu_ms / share, 3), "statements": round(statements / share, 2)}


class LocalEndpoint:
    """A model endpoint in this process, which replaces the client's transport."""

    host = "here"

    def __init__(self, costs: Costs) -> None:
        self._costs = costs
        self._model = ScriptedModel()

    async def post(
        self, path: str, request: ChatRequest, timeout_s: float, wait_s: float | None = None
    ) -> object:
        """Answer a request, and count its tokens by purpose."""
        if wants_arguments(request):
            arguments = self._model.answer(request)
            purpose = "watch" if "messages" in arguments else "extraction"
            purpose = "chapter" if "summary" in arguments else purpose
            purpose = "verification" if "follows" in arguments else purpose
            body = _completion(request, tool(request["tools"][0]["function"]["name"], arguments))
        else:
            purpose, body = "answer", _completion(request, text(ANSWER))
        self._costs.calls[purpose] += 1
        for kind in ("prompt_tokens", "completion_tokens"):
            self._costs.tokens[f"{purpose} {kind}"] += body["usage"][kind]
        return body

    async def open(self) -> None:
        """Do nothing: there is nothing to load."""

    async def close(self) -> None:
        """Do nothing: nothing is open."""


class SimulatedDay:
    """The bot, and a simulated day of messages."""

    def __init__(self, file: Path) -> None:
        self.costs = Costs()
        self._under_way = 0
        self.clock = DayClock(self.wait_until_idle)
        settings = settings_for({"model": "http://127.0.0.1:1/v1"}, f"sqlite:///{file}")
        self.app: App = build(settings, self.clock)
        assert self.app.model is not None
        endpoints: dict[str, object] = self.app.model._routes.endpoints  # type: ignore[assignment]
        endpoints[MAIN_ENDPOINT] = LocalEndpoint(self.costs)
        run = self.app.database._run

        async def counted(*arguments: Any, **options: Any) -> Any:
            self._under_way += 1
            try:
                return await run(*arguments, **options)
            finally:
                self._under_way -= 1

        self.app.database._run = counted  # type: ignore[method-assign]

        @event.listens_for(Engine, "before_cursor_execute")
        def count_statement(*_: Any) -> None:
            self.costs.statements[self.costs.cause] += 1

        def counted_fetch(*arguments: Any) -> list[Any]:
            count_statement()
            return fetch(*arguments)

        queries.fetch = counted_fetch  # type: ignore[assignment, attr-defined]

    async def wait_until_idle(self) -> None:
        """Wait until all tasks sleep."""
        turns = 0
        while turns < TURNS_TO_BE_QUIET:
            turns = 0 if self._under_way else turns + 1
            await asyncio.sleep(0.0002 if self._under_way else 0)

    async def run(self, messages: Sequence[Utterance]) -> None:
        """Send the day's messages one by one, and prune at its end."""
        for message in messages:
            async with self.costs.caused_by("later"):
                await self.clock.move_to(message.at_s)
            async with self.costs.caused_by("question" if message.is_addressed else "overheard"):
                if is_watched(message):
                    self._overhear(message)
                if message.is_addressed:
                    await self._answer(message)
                await self.wait_until_idle()
        async with self.costs.caused_by("later"):
            await self.clock.move_to(DAY_S)
            await self.clock.during(self.app.sentiment.watcher.settle())
            await self.clock.during(self.app.memory.recorder.settle())
        async with self.costs.caused_by("pruning"):
            await self.clock.during(self.app.admin.job_runs.prune())

    async def start(self) -> None:
        """Start the bot."""
        await self.app.start()
        await self.app.sentiment.watcher.start(lambda _: True)

    async def close(self) -> None:
        """Close the bot."""
        await self.clock.during(self.app.sentiment.watcher.close())
        await self.clock.during(self.app.close())

    def _overhear(self, message: Utterance) -> None:
        audience = Audience(message.guild_id, message.channel_id, frozenset({message.channel_id}))
        self.app.sentiment.watcher.record(
            Event(
                message.guild_id,
                message.channel_id,
                message.channel_id,
                message.message_id,
                message.user_id,
                f"Member {message.user_id}",
                Role.MEMBER,
                message.text,
                self.clock.now(),
            ),
            audience,
        )

    async def _answer(self, message: Utterance) -> None:
        settings = await self.app.guilds.settings.get(message.guild_id)
        name, place = f"Member {message.user_id}", (message.guild_id, message.channel_id)
        audience = Audience(*place, frozenset({message.channel_id}))
        turn = Turn(
            event=self._event(message, message.message_id, message.user_id, name, message.text),
            audience=audience,
            people=(Person(message.user_id, name),),
            settings=settings if isinstance(settings, GuildSettings) else GuildSettings(place[0]),
            channel_topics=(),
        )
        answer = await self.app.conversation.answer(turn)
        if answer is not None:
            reply = self._event(
                message, ANSWERS_FROM + message.message_id, KITH, "Kith", answer.text
            )
            await self.app.memory.recorder.record(reply, audience)

    def _event(self, message: Utterance, id: int, author_id: int, name: str, text: str) -> Event:
        is_kith = author_id == KITH
        return Event(
            guild_id=message.guild_id,
            channel_id=message.channel_id,
            source_id=message.channel_id,
            message_id=id,
            author_id=author_id,
            author_name=name,
            text=text,
            created_at=self.clock.now(),
            role=Role.KITH if is_kith else Role.MEMBER,
            reply_to_id=message.message_id if is_kith else None,
        )


def is_watched(message: Utterance) -> bool:
    """Whether the server watches its channels: every second server does."""
    return message.guild_id % WATCHING == 0


async def measure(
    folder: Path,
    servers: int = 1_000,
    messages: Annotated[float, "of a server, on average"] = 60.0,
    seed: int = 1,
) -> dict[str, Any]:
    """Simulate a day, and return the figures."""
    day_messages = utterances(random.Random(seed), servers, messages, ADDRESSED)
    idle = await idle_hour(folder / "idle.db")
    day, began = SimulatedDay(folder / "scale.db"), time.monotonic()
    await day.start()
    for guild_id, channel_id in sorted(
        {(s.guild_id, s.channel_id) for s in day_messages if is_watched(s)}
    ):
        await day.app.sentiment.channels.add(guild_id, channel_id)
    first_mb = memory_mb()
    await day.run(day_messages)
    grown_mb = memory_mb() - first_mb
    await day.close()
    sizes = table_sizes(folder / "scale.db")
    return {
        "servers": servers,
        "took_s": round(time.monotonic() - began),
        "memory_mb": round(first_mb + grown_mb),
        "memory_grown_mb": round(grown_mb, 1),
        **message_counts(day_messages),
        "idle_hour": idle,
        **cost_figures(day.costs, day_messages, idle),
        "tables": sizes,
        "database_mb": round(sum(size["bytes"] for size in sizes.values()) / 2**20, 1),
    }


async def idle_hour(file: Path) -> dict[str, float]:
    """Return the cost of an hour without messages: the sweeps."""
    day = SimulatedDay(file)
    await day.start()
    await day.wait_until_idle()
    async with day.costs.caused_by("idle"):
        await day.clock.move_to(3600.0)
    await day.close()
    return day.costs.average("idle", 1)


def message_counts(messages: Sequence[Utterance]) -> dict[str, Any]:
    """Return the number of messages and their distribution."""
    by_server = sorted(Counter(message.guild_id for message in messages).values())
    by_minute = Counter(int(message.at_s // 60) for message in messages)
    return {
        "messages": len(messages),
        "questions": sum(message.is_addressed for message in messages),
        "watched": sum(is_watched(message) for message in messages),
        "members_heard": len({message.user_id for message in messages}),
        "members_answered": len({message.user_id for message in messages if message.is_addressed}),
        "busiest_server": by_server[-1] if by_server else 0,
        "median_server": by_server[len(by_server) // 2] if by_server else 0,
        "busiest_minute": max(by_minute.values(), default=0),
    }


def cost_figures(
    costs: Costs, messages: Sequence[Utterance], idle: dict[str, float]
) -> dict[str, Any]:
    """Return the costs by cause, and the model's tokens for each 1,000 messages.

    The costs of an idle process are subtracted.
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
        "question": costs.average("question", questions),
        "overheard": costs.average("overheard", costs.times["overheard"]),
        "later_for_each_message": costs.average("later", len(messages), baseline=idle, times=24),
        "pruning": costs.average("pruning", 1),
        "cpu_s": round(sum(costs.cpu_s.values()), 1),
        "model": tokens,
        "tokens_per_1000_messages": round(spent / max(len(messages), 1) * 1000),
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


main = program("scale", __doc__, measure)  # there are figures here, and no goals


if __name__ == "__main__":
    sys.exit(main())
