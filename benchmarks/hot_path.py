"""Measures what Kith adds before the model call: recall, working memory and prompt, in ms.

    python -m benchmarks.hot_path [--json] [--sizes 1000,100000] [--rounds 100] [--database URL]

It makes SQLite files of generated rows in a temporary directory, and opens each with
``utils.build.build``. It times ``Conversation.prepare``:

chat    the question was recorded before, as every message is; apart from it, ``after`` is what
        then runs in the background
learned a memory of the member was written before as well
warm    nothing has changed since the last recall of the member
cold    the member is not prepared
waited  how long the answer to a warm recall took by the clock

All but the last are the processor time of the process: by the clock, a recall on a busy machine
also waits for other programs.

Every round measures every cell once, in random order, so that other load on the machine
affects all cells alike.

The memories of a measured member are scattered among those of other members, as if written over a
year. If a table is too small for a member's rows, they are added to it (``total_rows``).

``--database`` measures an empty database on a server instead, with one table, and how long a round
trip to it takes (``SELECT 1``): the p50 of ``waited`` divided by that is what a recall costs in
round trips.
"""

import gc
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from sqlalchemy import literal, select

from benchmarks.generated.rows import DIFFERENT_ROWS, different_rows, insert_rows, memory_row
from benchmarks.generated.server import (
    CHANNEL_NAMES,
    CHANNELS,
    EVENTS,
    FIRST_MEASURED,
    GUILD,
    READABLE,
    TablePlan,
    event_row,
    fill,
    owned_by,
    plan_tables,
)
from benchmarks.generated.words import Words
from benchmarks.stage.measuring import goal, percentile_ms
from benchmarks.stage.program import program
from tests.fakes.builders import make_budget, make_conversation, make_reader
from utils.app import App
from utils.build import build
from utils.common.clock import Clock
from utils.common.config import load_settings
from utils.conversation.conversation import Conversation
from utils.database.core.engine import Connection
from utils.database.memories import members
from utils.database.schema.memory_tables import memory_event, user_memory
from utils.models.conversation import Turn
from utils.models.guild import GuildSettings
from utils.models.memory import Audience, Consent, Event, Kind, Member, Role
from utils.models.recall import Person

SIZES = (1_000, 100_000, 1_000_000)
MEMBER_ROWS = (50, 500, 5_000)
ROUNDS = 100
STATES = ("chat", "learned", "warm", "cold")

GOAL_ROWS = 500
CHAT_P95_MS = {"chat": {500: 5.0, 5_000: 15.0}, "learned": {500: 5.0, 5_000: 15.0}}
AFTER_P95_MS = 5.0
WARM_P95_MS = 3.0
COLD_P95_MS = {500: 15.0, 5_000: 60.0}
MAX_RATIO = 1.5

WARM_UP = 5


@dataclass(slots=True)
class Cell:
    """One member size in one table: where to ask, and what was measured (seconds)."""

    app: App
    plan: TablePlan
    member_rows: int
    people: list[Member]
    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    recorded: int = 0

    async def ask(self, words: Words, number: int, state: str) -> None:
        """Ask once and record the seconds, as the module's docstring says for each state."""
        turn = self._turn(words, number)
        if state in CHAT_P95_MS:
            turn = await self._record(words, turn, with_memory=state == "learned")
            started_at = time.process_time()
            await self.app.conversation.prepare(turn)
            answered_at = time.process_time()
            await self.app.memory.reader.write_uses()  # waits for the indexes that are being built
            took, after = answered_at - started_at, time.process_time() - answered_at
            self.times["after"].append(after)
        elif state == "warm":
            took, waited = await _timed(self.app.conversation, turn)
            self.times["waited"].append(waited)
        else:
            took = await _timed_cold(self.app, turn)
        self.times[state].append(took)

    async def warm_up(self, words: Words) -> None:
        """Prepare and index every member, and compile every statement."""
        for number in range(WARM_UP * len(self.people)):
            await self.ask(words, number, "warm")
        await self.app.memory.reader.write_uses()
        self.times.clear()

    def results(self) -> list[dict[str, Any]]:
        """Return the printed figures."""
        return [
            {
                "table_rows": self.plan.table_rows,
                "total_rows": self.plan.total_rows,
                "member_rows": self.member_rows,
                "state": state,
                "p50_ms": percentile_ms(times, 50),
                "p95_ms": percentile_ms(times, 95),
                "n": len(times),
            }
            for state, times in self.times.items()
        ]

    async def _record(self, words: Words, turn: Turn, *, with_memory: bool) -> Turn:
        """Store the question, and a memory if wanted; return the turn with the stored question."""
        self.recorded += 1
        question = turn.event
        message_id = question.author_id * FIRST_MEASURED + self.recorded
        row = event_row(
            message_id=message_id,
            channel_id=question.channel_id,
            author_id=question.author_id,
            role=Role.MEMBER,
            text=question.text,
            created_at=question.created_at,
        )

        def unit(connection: Connection) -> None:
            insert_rows(connection, memory_event, [row])
            if with_memory:
                members.lock(connection, question.member)
                memory = memory_row(words, Kind.FACT)
                owned = owned_by(memory, question.member, question.created_at, words.dice)
                insert_rows(connection, user_memory, [owned])
                members.note_addition(connection, question.member)

        await self.app.database.write(unit)
        return replace(turn, event=replace(question, message_id=message_id))

    def _turn(self, words: Words, number: int) -> Turn:
        member = self.people[number % len(self.people)]
        channel = words.dice.choice(sorted(READABLE))
        event = Event(
            guild_id=GUILD,
            channel_id=channel,
            source_id=channel,
            message_id=EVENTS + 1,
            author_id=member.user_id,
            author_name="Ada",
            role=Role.MEMBER,
            text=words.question(),
            created_at=self.app.clock.now(),
        )
        return Turn(
            event=event,
            audience=Audience(GUILD, channel, READABLE),
            people=(Person(member.user_id, "Ada"),),
            settings=GuildSettings(GUILD, consent_default=Consent.LASTING),
            channel_topics=(CHANNEL_NAMES[channel - CHANNELS[0]],),
        )


async def _timed_cold(app: App, turn: Turn) -> float:
    """Return the processor seconds of a prompt when no member is prepared yet.

    Waits for the index that this starts to build: on a server, the model's answer takes longer.
    """
    reader = make_reader(app.database, app.clock)
    budget = make_budget(app.database, app.clock, 0)
    conversation = make_conversation(app.memory.recorder, reader, budget, app.clock, None)
    took, _ = await _timed(conversation, turn)
    await reader.write_uses()
    return took


async def _timed(conversation: Conversation, turn: Turn) -> tuple[float, float]:
    """Return the processor seconds of a prompt, and the seconds by the clock."""
    asked_at, started_at = time.perf_counter(), time.process_time()
    prepared = await conversation.prepare(turn)
    took, waited = time.process_time() - started_at, time.perf_counter() - asked_at
    matches = prepared.recall.rows or prepared.recall.quotes
    assert matches, "nothing was recalled: the rows do not fit the questions"
    return took, waited


async def measure(
    folder: Path,
    *,
    sizes: Annotated[
        tuple[int, ...],
        "rows of the tables, such as 1000,100000",
        {"type": lambda text: tuple(sorted(map(int, text.split(",")))), "nargs": None},
    ] = SIZES,
    rounds: Annotated[int, "how often every cell is asked"] = ROUNDS,
    database: Annotated[str, "the URL of an empty database on a server"] = "",
) -> dict[str, Any]:
    """Make the files, or fill the database, ask every cell once a round, and report."""
    words = Words(seed=2)
    pool = different_rows(words, min(DIFFERENT_ROWS, max(sizes)))
    cells: list[Cell] = []
    plans = [plan for size in sizes for plan in plan_tables(size, MEMBER_ROWS)]
    for plan in plans[:1] if database else plans:
        started_at = time.perf_counter()
        file = folder / f"{plan.table_rows}-{plan.total_rows}.db"
        url = database or f"sqlite:///{file}"
        settings = load_settings(env_file=None, database_url=url)
        app = build(settings, Clock())
        await app.start()
        await app.warm_up()  # as bot.py does: it also makes collections of garbage rarer
        await fill(app, plan, words, pool)
        for rows in sorted(set(plan.measured.values())):
            people = [member for member, count in plan.measured.items() if count == rows]
            cells.append(Cell(app, plan, rows, people))
        took_s = time.perf_counter() - started_at
        print(f"{plan.total_rows:,} rows made in {took_s:.1f} s", file=sys.stderr, flush=True)
    del pool  # the garbage collector would look through it while others are measured
    for cell in cells:
        await cell.warm_up(words)
    for state in STATES:
        for number in range(rounds):
            for cell in words.dice.sample(cells, len(cells)):
                await cell.ask(words, number, state)
    trips = []  # of one statement, the thread and the connection included
    for _ in range(rounds):
        started_at = time.perf_counter()
        await cells[0].app.database.read(lambda it: it.execute(select(literal(1))).all())
        trips.append(time.perf_counter() - started_at)
    for app in {id(cell.app): cell.app for cell in cells}.values():
        await app.close()
    results = [result for cell in cells for result in cell.results()]
    return report(results) | {"round_trip_p50_ms": percentile_ms(trips, 50)}


# --- report ----------------------------------------------------------------------------------


def report(cells: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the report: the cells and the goals."""
    rows = GOAL_ROWS if any(cell["member_rows"] == GOAL_ROWS for cell in cells) else 0
    warm = _select(cells, rows, "warm")
    after = _highest_p95([cell for cell in cells if cell["state"] == "after"])
    ratio = round(warm[-1]["p50_ms"] / warm[0]["p50_ms"], 3)
    goals = [
        *(
            goal(f"{state} p95, {count:,} rows (ms of CPU)", _highest_p95(matching), limit)
            for state, limits in CHAT_P95_MS.items()
            for count, limit in limits.items()
            if (matching := _select(cells, count, state))
        ),
        goal("after a reply, p95 (ms of CPU)", after, AFTER_P95_MS),
        goal("warm p95, 500 rows (ms of CPU)", _highest_p95(warm), WARM_P95_MS),
        *(
            goal(f"cold p95, {count:,} rows (ms of CPU)", _highest_p95(matching), limit)
            for count, limit in COLD_P95_MS.items()
            if (matching := _select(cells, count, "cold"))
        ),
        goal("warm p50, 500 rows, largest table / smallest", ratio, MAX_RATIO),
    ]
    return {
        "cells": cells,
        "warm_p50_ratio": ratio,
        "goals": goals,
    }


def _highest_p95(cells: list[dict[str, Any]]) -> float:
    return max(float(cell["p95_ms"]) for cell in cells)


def _select(cells: list[dict[str, Any]], rows: int, state: str) -> list[dict[str, Any]]:
    matching = [cell for cell in cells if cell["member_rows"] == rows and cell["state"] == state]
    return sorted(matching, key=lambda cell: int(cell["table_rows"]))


main = program("hot_path", __doc__, measure)


if __name__ == "__main__":
    gc.freeze()  # as bot.py does: a full collection would look through all that was imported
    sys.exit(main())
