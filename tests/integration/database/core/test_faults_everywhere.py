"""Every passing fault at every statement of real units of work: as if it had never happened."""

import asyncio
import logging
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, timedelta
from inspect import iscoroutinefunction

import pytest

from tests.fakes.builders import (
    ADA,
    BOB,
    FakeExtractor,
    audience,
    make_answer,
    make_event,
    make_memory_service,
    make_recorder,
    make_rules,
)
from tests.fakes.clock import NOON, ManualClock
from tests.fakes.faulty import (
    COMMIT,
    Faulty,
    Step,
    every_fault,
    faulty,
    lost_connection,
    server_fault,
)
from tests.integration.small_units import file_of, open_later
from utils.common.errors import BadInput, DatabaseUnavailable
from utils.database.core import error_codes, server_errors
from utils.database.core.engine import Database
from utils.database.core.server_errors import ErrorKind
from utils.database.schema.memory_tables import (
    memory_event,
    memory_evidence,
    metadata,
    open_loop,
    user_memory,
    user_state,
)
from utils.memory.extraction.extraction_workers import BurstKey, PendingBurst
from utils.memory.ingestion.recorder import Recorder
from utils.memory.member_data.editor import MemoryEditor
from utils.memory.member_data.open_loops import OpenLoops
from utils.memory.privacy.pruning import prune
from utils.models.memory import Consent
from utils.models.policy import WritePolicy
from utils.runtime.leases import Leases

HERE = audience()
SAID = make_event("I live in Oslo", message_id=501)
WAITING = make_event("I have a dog named Rex", message_id=502, author_id=BOB.user_id)
ASKED = make_event("Remember that I play the oboe", message_id=503)
CHANCE = {"Uid", "Owner"}
COLUMNS = {
    table.name: [column.name for column in table.c if column.name not in CHANCE]
    for table in metadata.sorted_tables
}
QUERIES = {
    table: 'SELECT {} FROM "{}"'.format(", ".join(f'"{name}"' for name in names), table)
    for table, names in COLUMNS.items()
}
UNDONE = [error.number for error in server_errors.TABLE if error.kind is ErrorKind.UNDONE]
LEASE = timedelta(seconds=31)
DAY_AFTER = (NOON + timedelta(days=1)).date()
NOTICED = {
    memory_event: ("MessageId", "Revision", "State", "Text"),
    user_memory: ("UserId", "Memory", "Status", "EvidenceCount"),
    memory_evidence: ("MessageId", "Quote"),
    user_state: ("UserId", "UserNotes", "Consent"),
    open_loop: ("MessageId", "Text", "State", "DueAt"),
}
Rows = dict[str, list[dict[str, object]]]


@pytest.fixture(autouse=True)
def statements_suit_sql_server() -> None:
    """Spare the time: other tests run the same statements, and far less often."""


class HastyClock(ManualClock):
    """Short waits take no time; a long one never ends."""

    def set_back(self) -> None:
        """Let it be noon again."""
        self._now = NOON

    async def sleep(self, seconds: float) -> None:
        if seconds > error_codes.MAX_WAIT_S:
            await asyncio.Event().wait()


@dataclass
class World:
    """A database with something in it, and everything that works on it."""

    database: Database
    clock: ManualClock
    recorder: Recorder
    keeper: MemoryEditor
    leases: Leases
    memory_id: int

    async def record(self) -> None:
        await self.recorder._store(SAID, HERE)

    async def record_answer(self) -> None:
        await self.recorder._store(
            make_answer(WAITING, message_id=504, about_ids=(ADA.user_id, BOB.user_id)), HERE
        )

    async def extract(self) -> None:
        key = BurstKey(BOB, WAITING.channel_id)
        await self.recorder.extraction._process(
            key, PendingBurst(0.0, 0.0, replace(HERE, is_open=True))
        )

    async def remember(self) -> None:
        await self.keeper.remember(ADA, ASKED, "plays the oboe", HERE)

    async def ask_later(self) -> None:
        loops = OpenLoops(self.database, self.clock, make_rules())
        await loops.ask_later(WAITING, "how the dog is", DAY_AFTER, UTC)

    async def note_tool(self) -> None:
        await OpenLoops(self.database, self.clock, make_rules()).note_tool(BOB, "recall")

    async def forget(self) -> None:
        await self.keeper.forget(ADA, self.memory_id)

    async def choose_lasting(self) -> None:
        await self.keeper.set_consent(ADA, Consent.LASTING)

    async def choose_off(self) -> None:
        await self.keeper.set_consent(ADA, Consent.OFF)

    async def claim(self) -> None:
        await self.leases._claim_or_release("work", lambda connection: None)

    async def prune(self) -> None:
        self.clock.jump(timedelta(days=31))
        await prune(self.database, self.clock, WritePolicy())


def make_world(database: Database, clock: ManualClock, memory_id: int) -> World:
    recorder = make_recorder(database, clock, FakeExtractor())
    keeper = make_memory_service(database, clock)
    return World(database, clock, recorder, keeper, Leases(database, clock), memory_id)


@pytest.fixture
async def database(sqlite_url, monkeypatch, caplog):
    caplog.set_level(logging.CRITICAL, "sqlalchemy.pool")  # a cursor outlives its lost connection

    opened = open_later(sqlite_url)
    opened._clock = HastyClock()
    monkeypatch.setattr(opened, "scrub_soon", lambda: None)
    await opened.open()
    world = make_world(opened, ManualClock(), memory_id=0)
    await world.keeper.remember(ADA, make_event("I have a cat", message_id=1), "has a cat", HERE)
    await world.recorder._store(WAITING, HERE)
    yield opened
    await opened.close()


class Rewound:
    """The database as it was, as often as wanted; row ids begin anew as well."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._clock = HastyClock()  # one, since each has its own metrics, made in milliseconds
        self._file = file_of(database._url.render_as_string(hide_password=False))
        self._as_it_was = sqlite3.connect(":memory:")
        with closing(sqlite3.connect(self._file)) as opened:
            opened.backup(self._as_it_was)
            ((self._memory_id,),) = opened.execute('SELECT "Id" FROM "UserMemory"')

    def rows(self) -> Rows:
        """Everything that is stored, but for what chance made."""
        with closing(sqlite3.connect(self._file)) as opened:
            return {
                table: sorted(
                    (dict(zip(COLUMNS[table], row, strict=True)) for row in opened.execute(query)),
                    key=repr,
                )
                for table, query in QUERIES.items()
            }

    def world(self) -> World:
        with closing(sqlite3.connect(self._file)) as opened:
            self._as_it_was.backup(opened)
        self._clock.set_back()
        return make_world(self._database, self._clock, self._memory_id)


ACTS = [name for name, value in vars(World).items() if iscoroutinefunction(value)]
# The quick run takes the acts that store the most and erase the most; the slow one takes all.
QUICK_ACTS, QUICK_STRIDE = ("extract", "forget"), 12
EVERY_ACT = pytest.mark.parametrize(
    "act",
    [pytest.param(act, marks=[] if act in QUICK_ACTS else [pytest.mark.slow]) for act in ACTS],
)
MIN_SHARE = 26  # of the faults: two or three strike each statement of an act that has few


async def clean_run(made: Faulty, rewound: Rewound, act: str):
    """Return the steps of an act that nothing disturbs, and what is stored afterwards."""
    world = rewound.world()
    before = rewound.rows()
    made.begin()
    await getattr(world, act)()
    steps, after = [*made.steps], rewound.rows()
    assert after != before, "an act that changes nothing proves nothing"
    if act == "forget":
        ((before_row,), (after_row,)) = before["UserMemory"], after["UserMemory"]
        assert (before_row["Memory"], after_row["Memory"]) == ("has a cat", "")
    return steps, after


def commits(steps: list[Step]) -> list[Step]:
    return [step for step in steps if step[1] == COMMIT]


@pytest.mark.timeout(600)  # every statement is struck in turn
@pytest.mark.parametrize(
    ("act", "stride"),
    [(act, QUICK_STRIDE) for act in QUICK_ACTS]
    + [pytest.param(act, 1, marks=pytest.mark.slow) for act in ACTS],
)
async def test_any_passing_fault_at_any_statement_changes_nothing(database, act, stride):
    """One fault after the other strikes a statement, and the next ones strike the next statement;
    in the quick run, each twelfth statement. Where statements are many, each meets fewer faults,
    but at least one, and each fault strikes at least one of them."""
    rewound = Rewound(database)
    with faulty(database) as made:
        steps, expected = await clean_run(made, rewound, act)
        struck = [step for step in steps if step[1] != COMMIT][::stride]
        share = min(max(MIN_SHARE, len(struck)), len(every_fault()))
        for number, step in enumerate(struck):
            given = every_fault()[number % share :: share]
            world = rewound.world()
            made.begin(step, given)
            await getattr(world, act)()
            assert made.faults == [], f"not every fault was met at {step}"
            assert rewound.rows() == expected, f"after faults at {step}"


@EVERY_ACT
async def test_a_commit_that_was_undone_is_tried_again(database, act):
    rewound = Rewound(database)
    with faulty(database) as made:
        steps, expected = await clean_run(made, rewound, act)
        for step in commits(steps):
            world = rewound.world()
            made.begin(step, [server_fault(number) for number in UNDONE])
            await getattr(world, act)()
            assert made.faults == []
            assert rewound.rows() == expected


def essence(rows: Rows) -> Rows:
    """What people would notice: neither how often something was looked at, nor when."""
    return {
        table.name: sorted(tuple(row[name] for name in names) for row in rows[table.name])
        for table, names in NOTICED.items()
    }


NOT_KNOWN = [lost_connection(), server_fault(10054), server_fault(40197), server_fault(-2)]


@EVERY_ACT
@pytest.mark.parametrize("went_through", [True, False])
async def test_after_a_commit_of_unknown_outcome_doing_it_again_comes_to_the_same(
    database, act, went_through
):
    """It is not tried again by itself; whoever asked is told, and asks again."""
    rewound = Rewound(database)
    with faulty(database) as made:
        steps, expected = await clean_run(made, rewound, act)
        for number, step in enumerate(commits(steps)):
            world = rewound.world()
            fault = NOT_KNOWN[number % len(NOT_KNOWN)]
            made.begin(step, [fault], commits_first=went_through)
            with suppress(DatabaseUnavailable):  # what ends by itself, as a lease, tells nobody
                await getattr(world, act)()
            assert made.faults == []
            made.begin()
            world.clock.jump(LEASE)
            with suppress(BadInput):  # "I remember that already."
                await getattr(world, act)()
            assert essence(rewound.rows()) == essence(expected)


@EVERY_ACT
async def test_a_cancelled_await_leaves_its_unit_whole_and_doing_it_again_comes_to_the_same(
    database, act
):
    """The caller is gone while its commit goes through: what was done is there, and only once."""
    rewound = Rewound(database)
    with faulty(database) as made:
        steps, expected = await clean_run(made, rewound, act)
        for step in commits(steps):
            world = rewound.world()
            committing, released = made.hold(step)
            doing = asyncio.create_task(getattr(world, act)())
            await asyncio.to_thread(committing.wait)
            doing.cancel()
            released.set()
            with suppress(asyncio.CancelledError):
                await doing
            await database.write(lambda connection: None)  # after the unit whose commit was held
            made.begin()
            world.clock.jump(LEASE)
            with suppress(BadInput):  # "I remember that already."
                await getattr(world, act)()
            assert essence(rewound.rows()) == essence(expected)
