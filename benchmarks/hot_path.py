"""What Kith adds before the model call: recall, working memory and prompt, in milliseconds.

    python -m benchmarks.hot_path [--json] [--quick] [--sizes 1000,100000] [--rounds 100]

It makes SQLite files of made-up rows in a temporary directory, opens each with ``bot.build`` and
times ``Conversation.prepare``: warm, then cold (the member not among the prepared ones). Every
round asks every cell once, in random order, so that what else the machine does falls on all alike;
the yardstick, a fixed piece of arithmetic timed each round, tells how busy the machine was.
``stall`` is the longest time that one warm recall kept the event loop from anything else.

The memories of a measured member lie scattered among those of others, as if written over a year.
Where a table of that size could not hold a member at all, they come on top of it (``total_rows``).
"""

import argparse
import asyncio
import json
import os
import platform
import random
import sqlite3
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from itertools import accumulate
from pathlib import Path
from statistics import quantiles
from typing import Any

from sqlalchemy import Table, insert

import bot
from utils.budget import TokenBudget
from utils.clock import SystemClock
from utils.config import load_settings
from utils.conversation import Conversation
from utils.core import Core
from utils.database import members, memories
from utils.database.engine import Session
from utils.database.tables import memory_event, user_memory, user_state
from utils.memory import profile
from utils.memory.decide import search_stems
from utils.memory.reader import Reader
from utils.memory.stems import stems
from utils.model.conversation import Turn
from utils.model.guild import GuildSettings
from utils.model.memory import (
    Audience,
    Consent,
    Event,
    EventState,
    Importance,
    Kind,
    Member,
    Role,
    Source,
    Status,
)
from utils.model.recall import Person

SIZES = (1_000, 100_000, 1_000_000)
MEMBER_ROWS = (50, 500, 5_000)
ROUNDS = 100
STATES = ("warm", "cold", "stall")
QUICK_SIZES = (1_000, 3_000)
QUICK_MEMBER_ROWS = (50, 500)
QUICK_ROUNDS = 3

GOAL_ROWS = 500
WARM_P95_MS = 3.0
COLD_P95_MS = 15.0
MOST_RATIO = 1.5

MOST_MEMBERS = 4  # measured of each size, in turn
WARM_UP = 5
BATCH = 20_000
RARE_WORDS = 2_000
DIFFERENT_ROWS = 20_000
ROWS_PER_OTHER = 200
EVENTS = 5_000
GUILD = 4_000
CHANNELS = range(9_001, 9_009)
CHANNEL_NAMES = ("general", "introductions", "gaming", "memes", "music", "help")
READABLE = frozenset(CHANNELS[: len(CHANNEL_NAMES)])
FIRST_MEASURED = 1_000_000
YEAR = timedelta(days=365)


# --- made-up words ---------------------------------------------------------------------------

NOUNS = """
dog game brother server match guitar stream exam bike coffee sister update keyboard boss camera
garden train cat map recipe raid laptop book concert band thesis pizza driver holiday clan cup
mother team kitchen monitor flat song weapon car ticket bread character puzzle neighbour roof
microphone tournament cousin mountain controller doctor garage knee phone piano ramen soup lake
headset build quest class lecture paper office shift salary contract landlord balcony tomato chess
opening endgame skin patch loot boss dungeon healer tank mouse pad chair desk lamp curtain window
ferry airport passport visa beach tent stove boots jacket scarf glasses haircut dentist vaccine
"""
VERBS = """
play fix finish buy lose find learn cook paint watch sell build break clean move write practise
carry record plan miss win borrow repair explain organise order return paint join quit test
"""
QUALITIES = """
new old broken favourite cheap loud tiny second spicy quiet weird red blue wooden cursed expensive
ranked early late heavy slow legendary rusty warm lucky frozen bright empty
"""
TIMES = "today yesterday tonight lately again soon tomorrow before twice daily weekly"
TOPICS = """
gaming food pets music work family travel health school sport films books home money cars
"""
SYLLABLES = "ka ro mi tel van dor sha lin por ge bru ost wen fa zil nor qua ti ber un alo sto"

MEMORIES = {
    Kind.FACT: (
        "has a {q} {n} named {x}",
        "works with {x} on the {n}",
        "lives near {x} with a {n}",
    ),
    Kind.PREFERENCE: ("loves the {q} {n} of {x}", "would rather {v} the {n} than the {n}"),
    Kind.CONSTRAINT: ("do not mention the {n} of {x}",),
    Kind.PATTERN: ("{v}s the {n} {t}", "talks about {x} when the {n} is {q}"),
    Kind.TASK: ("wants to {v} the {q} {n} for {x} this week",),
    Kind.EPISODE: ("tried to {v} the {n} with {x} and it was {q}", "lost the {q} {n} in {x}"),
    Kind.LORE: ("the great {n} of {x}",),
}
KIND_WEIGHTS = (40, 20, 2, 10, 8, 17, 3)
CLAUSES = (
    "so I will {v} the {n} {t}",
    "my {q} {n} is from {x}",
    "we had to {v} a {n} because the {n} was {q}",
    "have you ever seen {x}",
    "honestly the {n} in {x} is {q}",
    "{x} said that they {v} it {t}",
    "that {n} was not {q} at all",
)
QUESTIONS = (
    "what was the {n} called?",
    "do you remember my {q} {n}",
    "when did I {v} the {n} with {x}?",
    "hey, I need to {v} something for {x}, what do you think of a {q} {n}?",
    "which {n} should I {v} {t}, the {q} one or the one that {x} told me about last week?",
    "I am back from {x} and the {n} is {q} again, can you help me to {v} it before the {n}?",
)


class Words:
    """Makes up what people say, its words drawn by Zipf's law."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        syllables = SYLLABLES.split()
        made_up = ["".join(self.dice.choices(syllables, k=n)) for n in (2, 3) * RARE_WORDS]
        self._lists = {
            "n": [*NOUNS.split(), *made_up[:RARE_WORDS]],
            "v": VERBS.split(),
            "q": QUALITIES.split(),
            "t": TIMES.split(),
            "x": [word.title() for word in made_up[RARE_WORDS // 2 :]],
        }
        self._weights = {
            slot: list(accumulate(1 / (rank + 2.7) for rank in range(len(words))))
            for slot, words in self._lists.items()
        }

    def __getitem__(self, slot: str) -> str:
        """Return a word for a slot of a pattern."""
        return self.dice.choices(self._lists[slot], cum_weights=self._weights[slot])[0]

    def memory(self, kind: Kind) -> str:
        """Return what might be remembered."""
        return self._fill(self.dice.choice(MEMORIES[kind]))

    def message(self) -> str:
        """Return something said in passing: one to three clauses."""
        return self._fill(", ".join(self.dice.sample(CLAUSES, self.dice.randint(1, 3))))

    def question(self) -> str:
        """Return something said to Kith: 5 to 25 words."""
        return self._fill(self.dice.choice(QUESTIONS))

    def _fill(self, pattern: str) -> str:
        return pattern.format_map(self)


# --- made-up rows ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Plan:
    """A file to make: ``table_rows`` rows of memory, or more where ``measured`` need them."""

    table_rows: int
    total_rows: int
    measured: dict[Member, int]  # member -> rows


def plans(table_rows: int, member_rows: Sequence[int]) -> list[Plan]:
    """Share a table out: measured members take at most half of it for each of their sizes."""
    inside: dict[Member, int] = {}
    found = []
    user_id = FIRST_MEASURED
    for rows in member_rows:
        count = min(MOST_MEMBERS, table_rows // 2 // rows)
        inside |= {Member(GUILD, user_id + i): rows for i in range(count)}
        user_id += max(1, count)
        if not count:
            alone = {Member(GUILD, user_id): rows}
            user_id += 1
            found.append(Plan(table_rows, table_rows + rows, alone))
    return [Plan(table_rows, table_rows, inside), *found] if inside else found


def different_rows(words: Words, count: int) -> list[dict[str, Any]]:
    """Return what rows are made from, all but their owner, channel and times."""
    kinds = words.dice.choices(list(MEMORIES), weights=KIND_WEIGHTS, k=count)
    return [_row(words, kind) for kind in kinds]


def _row(words: Words, kind: Kind) -> dict[str, Any]:
    text = words.memory(kind)
    statuses = (Status.ACTIVE, Status.PROPOSED, Status.SHADOW)
    return {
        "Memory": text,
        "Topics": ",".join(words.dice.sample(TOPICS.split(), words.dice.randint(1, 3))),
        "Importance": int(words.dice.choices(list(Importance), weights=(5, 4, 1))[0]),
        "Kind": kind,
        "Source": Source.CHAT,
        "Status": words.dice.choices(statuses, weights=(95, 3, 2))[0],
        "Confidence": words.dice.uniform(0.8, 1.0),
        "SearchStems": search_stems(text, f"{words.message()}, {text}", words.message()),
    }


def owners(plan: Plan, dice: random.Random) -> list[Member]:
    """Return whose each row is, in the order of writing: everybody's are scattered."""
    found = [member for member, rows in plan.measured.items() for _ in range(rows)]
    others = plan.total_rows - len(found)
    people = max(1, others // ROWS_PER_OTHER)
    found += [Member(GUILD + i % 20, 1 + int(people * dice.random() ** 2)) for i in range(others)]
    dice.shuffle(found)
    return found


def memory_rows(
    plan: Plan, pool: Sequence[dict[str, Any]], now: datetime, dice: random.Random
) -> list[Any]:
    """Return one function for each batch, that makes its rows."""
    owned = owners(plan, dice)
    start = dice.randrange(len(pool))

    def batch(first: int) -> list[dict[str, Any]]:
        rows = []
        for i, member in enumerate(owned[first : first + BATCH], first):
            said = now - YEAR * (1 - i / len(owned))
            rows.append(
                {
                    **pool[(start + i) % len(pool)],
                    "Uid": f"{dice.getrandbits(128):032x}",
                    "GuildId": member.guild_id,
                    "UserId": member.user_id,
                    "ChannelId": dice.choice(CHANNELS),
                    "CreatedAt": said,
                    "LastConfirmedAt": said,
                    "ExpiresAt": now + YEAR if i % 3 == 0 else None,
                }
            )
        return rows

    return [partial(batch, first) for first in range(0, len(owned), BATCH)]


def event_rows(words: Words, people: Sequence[Member], now: datetime) -> list[dict[str, Any]]:
    """Return what was said in the channels of the server, all of it read already."""
    rows = []
    for i in range(EVENTS):
        text = words.message()
        rows.append(
            {
                "GuildId": GUILD,
                "ChannelId": words.dice.choice(CHANNELS),
                "SourceId": CHANNELS[0],
                "MessageId": i + 1,
                "AuthorId": words.dice.choice(people).user_id,
                "AuthorName": "Ada",
                "Role": Role.KITH if i % 2 else Role.MEMBER,
                "Text": text,
                "Stems": " ".join(stems(text)),
                "State": EventState.DONE,
                "CreatedAt": now - timedelta(minutes=EVENTS - i),
                "ExpiresAt": now + YEAR,
            }
        )
    return rows


def member_rows_of(owned: set[Member]) -> list[dict[str, Any]]:
    """Return the members' own rows, still without a profile."""
    return [
        {
            "GuildId": member.guild_id,
            "UserId": member.user_id,
            "Consent": Consent.LASTING,
            "Ignored": False,
            "MemoryVersion": 1,
        }
        for member in sorted(owned)
    ]


def blank(table: Table, given: dict[str, Any]) -> dict[str, Any]:
    """Return "", 0 or False for what a row must have and is of no matter here."""
    return {
        column.name: getattr(column.type, "impl_instance", column.type).python_type()
        for column in table.c
        if not (column.nullable or column.primary_key or column.name in given)
    }


def _write_profiles(session: Session, measured: Sequence[Member], now: datetime) -> None:
    """Give the measured a profile made from what everybody may read, as Kith does."""
    for member in measured:
        rows = memories.load_current(session, member, now)
        readable = [row for row in rows if row.channel_id in READABLE]
        members.save_profile(session, member, profile.render(readable))


async def fill(core: Core, plan: Plan, words: Words, pool: Sequence[dict[str, Any]]) -> None:
    """Write a file's rows, in batches."""
    now = core.clock.now()

    def write(session: Session, table: Table, rows: list[dict[str, Any]]) -> None:
        session.exec_driver_sql("PRAGMA cache_size=-400000")
        blanks = blank(table, given=rows[0])
        session.execute(insert(table), [blanks | row for row in rows])

    seen: set[Member] = set()
    for batch in memory_rows(plan, pool, now, words.dice):
        rows = batch()
        seen |= {Member(row["GuildId"], row["UserId"]) for row in rows}
        await core.database.write(partial(write, table=user_memory, rows=rows))
    people = list(plan.measured)
    await core.database.write(partial(write, table=user_state, rows=member_rows_of(seen)))
    said = event_rows(words, people, now)
    await core.database.write(partial(write, table=memory_event, rows=said))
    await core.database.write(partial(_write_profiles, measured=people, now=now))
    await core.database.compact(rebuild=False)


# --- measuring -------------------------------------------------------------------------------


@dataclass(slots=True)
class Cell:
    """One member size in one table: where to ask, and what was measured (seconds)."""

    core: Core
    plan: Plan
    member_rows: int
    people: list[Member]
    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    async def ask(self, words: Words, number: int, state: str) -> None:
        """Ask once and note the time: warm, cold, or how long the loop stood still when warm."""
        turn = self._turn(words, number)
        if state == "warm":
            took = await _timed(self.core.conversation, turn)
        elif state == "cold":
            took = await _timed_cold(self.core, turn)
        else:
            took = await _stalled(self.core.conversation, turn)
        self.times[state].append(took)

    async def warm_up(self, words: Words) -> None:
        """Let every member be prepared and indexed, and every statement be compiled."""
        for number in range(WARM_UP * len(self.people)):
            await self.ask(words, number, "warm")
        await self.core.reader.write_uses()
        self.times.clear()

    def results(self) -> list[dict[str, Any]]:
        """Return what was measured, as it is printed."""
        return [
            {
                "table_rows": self.plan.table_rows,
                "total_rows": self.plan.total_rows,
                "member_rows": self.member_rows,
                "state": state,
                "p50_ms": _percentile_ms(times, 50),
                "p95_ms": _percentile_ms(times, 95),
                "n": len(times),
            }
            for state, times in self.times.items()
        ]

    def _turn(self, words: Words, number: int) -> Turn:
        member = self.people[number % len(self.people)]
        channel = words.dice.choice(sorted(READABLE))
        said = Event(
            guild_id=GUILD,
            channel_id=channel,
            source_id=channel,
            message_id=EVENTS + 1,
            author_id=member.user_id,
            author_name="Ada",
            role=Role.MEMBER,
            text=words.question(),
            created_at=self.core.clock.now(),
        )
        return Turn(
            event=said,
            audience=Audience(GUILD, channel, None, READABLE),
            people=(Person(member.user_id, "Ada"),),
            settings=GuildSettings(GUILD, consent_default=Consent.LASTING),
            channel_topics=(CHANNEL_NAMES[channel - CHANNELS[0]],),
        )


async def _timed_cold(core: Core, turn: Turn) -> float:
    """Ask a conversation for which no member is prepared yet.

    The index that it begins to make meanwhile is waited for: on a server, the model's answer takes
    longer than that.
    """
    reader = Reader(core.database, core.clock)
    budget = TokenBudget(core.database, core.clock, 0)
    took = await _timed(Conversation(core.recorder, reader, budget, core.clock, None), turn)
    await reader.write_uses()
    return took


async def _timed(conversation: Conversation, turn: Turn) -> float:
    begun = time.perf_counter()
    prepared = await conversation.prepare(turn)
    took = time.perf_counter() - begun
    found = prepared.recall.rows or prepared.recall.said
    assert found, "nothing was recalled: the rows do not fit the questions"
    return took


async def _stalled(conversation: Conversation, turn: Turn) -> float:
    """Return the longest time between two turns of the loop while a prompt is prepared."""
    longest = 0.0

    async def listen() -> None:
        nonlocal longest
        last = time.perf_counter()
        while True:
            await asyncio.sleep(0)
            longest = max(longest, (now := time.perf_counter()) - last)
            last = now

    listening = asyncio.create_task(listen())
    await conversation.prepare(turn)
    await asyncio.sleep(0)  # what was done last counts too
    listening.cancel()
    with suppress(asyncio.CancelledError):
        await listening
    return longest


def _yardstick() -> float:
    """Return how long a fixed piece of arithmetic takes: it tells how busy the machine is."""
    begun = time.perf_counter()
    total = 0
    for number in range(100_000):
        total += number
    return time.perf_counter() - begun


def _percentile_ms(times: Sequence[float], percent: int) -> float:
    return round(quantiles(times, n=100, method="inclusive")[percent - 1] * 1000, 3)


async def measure(
    sizes: Sequence[int], member_rows: Sequence[int], rounds: int, folder: Path
) -> dict[str, Any]:
    """Make the files, ask every cell once a round, and report."""
    words = Words(seed=2)
    pool = different_rows(words, min(DIFFERENT_ROWS, max(sizes)))
    cells: list[Cell] = []
    for plan in [plan for size in sizes for plan in plans(size, member_rows)]:
        begun = time.perf_counter()
        file = folder / f"{plan.table_rows}-{plan.total_rows}.db"
        settings = load_settings(env_file=None, database_url=f"sqlite:///{file}")
        core = bot.build(settings, SystemClock())
        await core.start()
        await fill(core, plan, words, pool)
        for rows in sorted(set(plan.measured.values())):
            people = [member for member, count in plan.measured.items() if count == rows]
            cells.append(Cell(core, plan, rows, people))
        _tell(f"{plan.total_rows:,} rows made in {time.perf_counter() - begun:.1f} s")
    del pool  # the garbage collector would look through it while others are measured
    for cell in cells:
        await cell.warm_up(words)
    yardstick: dict[str, list[float]] = {state: [] for state in STATES}
    for state in STATES:
        for number in range(rounds):
            yardstick[state].append(_yardstick())
            for cell in words.dice.sample(cells, len(cells)):
                await cell.ask(words, number, state)
    for core in {id(cell.core): cell.core for cell in cells}.values():
        await core.close()
    return report([result for cell in cells for result in cell.results()], yardstick)


# --- telling ---------------------------------------------------------------------------------


def report(cells: list[dict[str, Any]], yardstick: dict[str, list[float]]) -> dict[str, Any]:
    """Return everything that is printed: the machine, the cells, and what they mean."""
    rows = GOAL_ROWS if any(cell["member_rows"] == GOAL_ROWS for cell in cells) else 0
    warm = _of(cells, rows, "warm")
    cold = _of(cells, rows, "cold")
    ratio = round(warm[-1]["p50_ms"] / warm[0]["p50_ms"], 3)
    goals = [
        _goal("warm p95, 500 rows (ms)", max(cell["p95_ms"] for cell in warm), WARM_P95_MS),
        _goal("cold p95, 500 rows (ms)", max(cell["p95_ms"] for cell in cold), COLD_P95_MS),
        _goal("warm p50, 500 rows, largest table / smallest", ratio, MOST_RATIO),
    ]
    return {
        "benchmark": "hot_path",
        "environment": {
            "python": platform.python_version(),
            "sqlite": sqlite3.sqlite_version,
            "cpus": os.cpu_count(),
            "load_average": round(os.getloadavg()[0], 2),
            "yardstick_p50_ms": {
                state: _percentile_ms(times, 50) for state, times in yardstick.items()
            },
        },
        "cells": cells,
        "warm_p50_ratio": ratio,
        "goals": goals,
    }


def _of(cells: list[dict[str, Any]], rows: int, state: str) -> list[dict[str, Any]]:
    found = [cell for cell in cells if cell["member_rows"] == rows and cell["state"] == state]
    return sorted(found, key=lambda cell: int(cell["table_rows"]))


def _goal(name: str, value: float, limit: float) -> dict[str, Any]:
    return {"goal": name, "value": value, "limit": limit, "met": value <= limit}


def table(result: dict[str, Any]) -> str:
    """Return the report for people."""
    lines = [f"{'table':>10} {'member':>7}  {'state':<6} {'p50 ms':>8} {'p95 ms':>8} {'n':>5}"]
    lines += [
        f"{cell['table_rows']:>10,} {cell['member_rows']:>7,}  {cell['state']:<6}"
        f" {cell['p50_ms']:>8.2f} {cell['p95_ms']:>8.2f} {cell['n']:>5}"
        for cell in result["cells"]
    ]
    lines += [
        f"{'met' if goal['met'] else 'NOT MET':>8}: {goal['goal']}: {goal['value']:.2f}"
        f" (at most {goal['limit']:g})"
        for goal in result["goals"]
    ]
    return "\n".join([*lines, str(result["environment"])])


def _tell(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(sorted(int(number) for number in text.split(",")))


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; goals are reported, never a reason to fail."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hot_path", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--quick", action="store_true", help="small tables and few rounds")
    parser.add_argument("--sizes", type=_numbers, help="rows of the tables, such as 1000,100000")
    parser.add_argument("--rounds", type=int, help="how often every cell is asked")
    options = parser.parse_args(arguments)
    sizes = options.sizes or (QUICK_SIZES if options.quick else SIZES)
    member_rows = QUICK_MEMBER_ROWS if options.quick else MEMBER_ROWS
    rounds = options.rounds or (QUICK_ROUNDS if options.quick else ROUNDS)
    with tempfile.TemporaryDirectory(prefix="kith-hot-path-") as folder:
        result = asyncio.run(measure(sizes, member_rows, rounds, Path(folder)))
    print(json.dumps(result, indent=2) if options.json else table(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
