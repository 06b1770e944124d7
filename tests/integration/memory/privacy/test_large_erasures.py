"""Erasing members and servers with thousands of rows: short statements, and others in between."""

import asyncio
import shutil
import sys
from contextlib import contextmanager
from datetime import timedelta
from functools import partial

import pytest
from sqlalchemy import event, func, insert, select

from tests.e2e.den import ROOT
from tests.fakes import preloaded
from tests.fakes.builders import (
    ADA,
    CHANNEL,
    GUILD,
    NOON,
    make_event,
    make_infrastructure,
    make_memory_service,
)
from tests.fakes.clock import ManualClock
from tests.fakes.faulty import engines
from tests.integration.stored_rows import in_order
from utils.build import build
from utils.common.config import Settings
from utils.common.errors import DatabaseUnavailable
from utils.database.admin import jobs
from utils.database.core import drivers, queries, scrubber
from utils.database.core.engine import Connection
from utils.database.erasure import retention
from utils.database.memories import audit, members
from utils.database.messages import events
from utils.database.privacy import erasure_ledger
from utils.database.schema.memory_tables import (
    guild_settings,
    memory_audit,
    memory_event,
    memory_evidence,
    message_score,
    tombstone,
    user_memory,
    user_state,
    waiting_message,
)
from utils.memory.privacy import large_erasures, pruning, retraction
from utils.memory.privacy.large_erasures import (
    LOOK_EVERY_S,
    finish_interrupted,
    finish_old,
    interrupted_erasures,
)
from utils.memory.privacy.retention import KEEP_REMOVED_GUILD, Retention
from utils.models.memory import (
    SERVER_USER_ID,
    Consent,
    EventState,
    Form,
    Importance,
    Kind,
    Member,
    Method,
    Profile,
    Role,
    Source,
    Status,
)
from utils.models.operator import ErasureKind
from utils.models.policy import WritePolicy
from utils.runtime.leases import Leases

SCALE = 10  # batches, and what they are taken from, are so much smaller than in Kith
MANY = 4_200 // SCALE
SOME, SMALL_BATCH = 45, 10
# SQL Server locks a whole table from 5,000 locks of a statement on.
MOST_ROWS = 4_000 // SCALE


def fill(connection: Connection, many: int) -> None:
    """Store a member with that many messages, memories and rows of other kinds."""
    members.lock(connection, ADA)
    owner = {"GuildId": GUILD, "UserId": ADA.user_id}
    later = NOON + timedelta(days=365)
    connection.execute(
        insert(memory_event),
        [
            {
                "GuildId": GUILD, "ChannelId": CHANNEL, "SourceId": CHANNEL, "MessageId": n + 1,
                "Revision": 0, "AuthorId": ADA.user_id, "AuthorName": "Ada",
                "Role": Role.MEMBER, "Text": f"I own {n} boats", "Stems": "boat",
                "State": EventState.DONE, "Attempts": 0, "AboutIds": "",
                "CreatedAt": NOON, "ExpiresAt": later,
            }
            for n in range(many)
        ],
    )  # fmt: skip
    connection.execute(
        insert(user_memory),
        [
            {
                **owner, "Uid": f"{n:032x}", "ChannelId": CHANNEL, "Memory": f"owns {n} boats",
                "Topics": "", "Importance": int(Importance.LOW), "Kind": Kind.EPISODE,
                "FactKey": "", "Source": Source.CHAT, "Status": Status.ACTIVE, "Confidence": 0.9,
                "EvidenceCount": 1, "SearchStems": "boat", "CreatedAt": NOON,
                "LastConfirmedAt": NOON, "UseCount": 0, "Form": Form.NOTE,
            }
            for n in range(many)
        ],
    )  # fmt: skip
    first = connection.scalar(select(func.min(user_memory.c.Id)))
    entry = audit.audit_row(ADA, first, "confirmed", NOON, 0, after="owns a boat")
    connection.execute(insert(memory_audit), [entry] * many)
    connection.execute(
        insert(tombstone),
        [{**owner, "MessageId": 10**9 + n, "Revision": 1} for n in range(many)],
    )
    place = {"PlaceId": CHANNEL, "ChannelId": CHANNEL}
    connection.execute(
        insert(waiting_message),
        [
            {
                **owner, **place, "MessageId": n + 1, "AuthorName": "Ada", "Text": "boats",
                "CreatedAt": NOON, "Revision": 0,
            }
            for n in range(many)
        ],
    )  # fmt: skip
    connection.execute(
        insert(message_score),
        [
            {
                **owner, **place, "MessageId": n + 1, "SaidAt": NOON, "Sentiment": 0.0,
                "Toxicity": 0.0, "Tension": 0.0, "Reason": "",
            }
            for n in range(many)
        ],
    )  # fmt: skip


@pytest.fixture(scope="module")
def filled_file(sqlite_template, tmp_path_factory):
    """A SQLite file with a member of more rows than a statement may take, filled once."""
    file = tmp_path_factory.mktemp("crowded") / "kith.db"
    shutil.copyfile(sqlite_template, file)
    engine = drivers.make_engine(drivers.parse_url(f"sqlite:///{file}"), 1, 1.0)
    with engine.connect() as connection:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        fill(connection, MANY)
        connection.commit()
    engine.dispose()
    return file


@pytest.fixture
def is_filled(request, sql_server, database_url):
    """Whether the database is a copy of the filled file; a server's has to be filled."""
    if sql_server is None:
        copy = drivers.sqlite_file(drivers.parse_url(database_url))
        shutil.copyfile(request.getfixturevalue("filled_file"), copy)
    return sql_server is None


@pytest.fixture
async def crowded(is_filled, database, monkeypatch):
    """A database with a member of more rows than a statement may take."""
    for module in (large_erasures, pruning, retraction):
        monkeypatch.setattr(module, "BATCH", module.BATCH // SCALE)
    for name in ("ROWS_PER_STATEMENT", "IDS_PER_STATEMENT"):
        monkeypatch.setattr(queries, name, getattr(queries, name) // SCALE)
    if not is_filled:
        await database.write(fill, many=MANY)
    return database


@pytest.fixture
async def busy(database, monkeypatch):
    """A database with a member of a few batches."""
    monkeypatch.setattr(large_erasures, "BATCH", SMALL_BATCH)
    await database.write(fill, many=SOME)
    return database


@contextmanager
def row_counts(database):
    """Count the rows that each statement deletes or changes."""
    counts = []

    def note(_connection, _cursor, _sql, _values, context, is_many):
        if (context.isdelete or context.isupdate) and not is_many:
            counts.append(context.cursor.rowcount)

    for engine in engines(database):
        event.listen(engine, "after_cursor_execute", note)
    yield counts
    for engine in engines(database):
        event.remove(engine, "after_cursor_execute", note)


class RestlessClock(ManualClock):
    """A clock on which a pause takes no time."""

    async def sleep(self, seconds: float) -> None:
        await super().sleep(0)


def left_of_ada(connection):
    """The tables that still hold rows of the member with a text or a number of theirs."""
    own = {
        memory_event: memory_event.c.AuthorId == ADA.user_id,
        memory_evidence: memory_evidence.c.GuildId == GUILD,
        memory_audit: memory_audit.c.After.is_not(None),
    }
    own |= {
        table: table.c.UserId == ADA.user_id
        for table in (user_memory, waiting_message, message_score)
    }
    return [
        table.name
        for table, condition in own.items()
        if connection.scalar(select(func.count()).select_from(table).where(condition))
    ]


async def forget(database, clock):
    return await make_memory_service(database, clock).forget_all(ADA)


async def turn_off(database, clock):
    await make_memory_service(database, clock).set_consent(ADA, Consent.OFF)


async def erase(database, clock):
    return await Retention(database, clock).erase_member(ADA.user_id, GUILD)


WAYS = {"forget": forget, "off": turn_off, "erase": erase}


async def test_a_statement_takes_no_more_rows_than_leave_the_table_to_others(crowded):
    with row_counts(crowded) as counts:
        await erase(crowded, ManualClock())
    assert max(counts) < MOST_ROWS
    assert sum(counts) > 4 * MANY
    assert await crowded.read(left_of_ada) == []
    assert await crowded.read(jobs.unfinished_erasures) == []


# --- interruptions ----------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
async def test_an_interrupted_erasure_is_recorded_at_once_and_finished_later(
    busy, monkeypatch, way
):
    kind = {"forget": ErasureKind.SAID, "off": ErasureKind.OFF, "erase": ErasureKind.MEMBER}[way]
    clock = ManualClock()
    await interrupt(busy, monkeypatch, clock, way)
    assert "MemoryEvent" in await busy.read(left_of_ada)
    server = await busy.read(members.load_header, Member(GUILD, SERVER_USER_ID))
    assert server.version == 2, "no process recalls what it has cached"
    assert await busy.read(jobs.unfinished_erasures) == [(kind, ADA)]
    entries = await busy.read(
        lambda connection: erasure_ledger.entries_of(connection, ADA.guild_id, ADA.user_id)
    )
    assert [entry.kind for entry in entries] == [kind]  # a backup made now is erased as well
    assert (await busy.read(consent_of_ada) is Consent.OFF) == (way == "off")
    await finish_interrupted(busy, clock)
    assert await busy.read(left_of_ada) == []
    assert await busy.read(jobs.unfinished_erasures) == []
    await finish_interrupted(busy, clock)


async def interrupt(busy, monkeypatch, clock, way):
    """Begin to erase everything; the third batch fails."""
    calls = []
    erase_batch = large_erasures._erase_batch

    def killed_in_the_third(connection, **given):
        calls.append(given)
        if len(calls) == 3:
            raise DatabaseUnavailable("gone")
        return erase_batch(connection, **given)

    with monkeypatch.context() as patched:
        patched.setattr(large_erasures, "_erase_batch", killed_in_the_third)
        with pytest.raises(DatabaseUnavailable):
            await WAYS[way](busy, clock)


ERASES_AND_STOPS_IN_THE_MIDDLE = """
import asyncio, sys
from tests.fakes.builders import ADA, make_memory_service
from tests.fakes.clock import ManualClock
from utils.database.core.engine import Database
from utils.memory.privacy import large_erasures

_, url, batch = sys.argv
large_erasures.BATCH = int(batch)
erase_batch, calls = large_erasures._erase_batch, []

def stops_in_the_third(connection, **given):
    calls.append(given)
    if len(calls) == 3:
        print("two batches are gone", flush=True)
        sys.stdin.readline()
    return erase_batch(connection, **given)

async def main():
    clock = ManualClock()
    database = Database(url, pool_size=1, clock=clock)
    await database.open()
    large_erasures._erase_batch = stops_in_the_third
    await make_memory_service(database, clock).forget_all(ADA)

asyncio.run(main())
"""


def is_scrub_owed(connection):
    return connection.dialect.name == "sqlite" and scrubber.owed(connection) > 0


async def test_an_erasure_of_a_killed_process_is_finished_by_one_that_lives(busy, database_url):
    killed = await preloaded.start(
        *(sys.executable, "-c", ERASES_AND_STOPS_IN_THE_MIDDLE, database_url, str(SMALL_BATCH)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        cwd=ROOT,
        env={},
    )
    clock = ManualClock()
    living = interrupted_erasures(make_infrastructure(busy, clock))
    assert await killed.stdout.readline() == b"two batches are gone\n"
    killed.kill()
    await killed.wait()
    assert await busy.read(jobs.unfinished_erasures) == [(ErasureKind.SAID, ADA)]
    living.start()
    await clock.until_asleep(LOOK_EVERY_S)
    assert "MemoryEvent" in await busy.read(left_of_ada)  # its process may be at it still
    clock.advance(seconds=2 * LOOK_EVERY_S + 1)
    await clock.until_asleep(LOOK_EVERY_S)
    assert await busy.read(left_of_ada) == []
    assert await busy.read(jobs.unfinished_erasures) == []
    await living.close()
    await busy.finish_scrubbing()
    assert not await busy.read(is_scrub_owed)


async def test_an_erasure_that_began_under_a_clock_that_was_ahead_is_finished(busy, monkeypatch):
    clock = ManualClock()
    clock.jump(timedelta(days=1))
    await interrupt(busy, monkeypatch, clock, "forget")
    clock.jump(-timedelta(days=1))
    await finish_old(make_infrastructure(busy, clock))
    assert await busy.read(left_of_ada) == []


async def test_one_process_at_a_time_finishes_the_erasures_of_others(busy, monkeypatch):
    clock = ManualClock()
    await interrupt(busy, monkeypatch, clock, "forget")
    clock.advance(minutes=3)
    async with Leases(busy, clock).hold(large_erasures.LEASE):
        await finish_old(make_infrastructure(busy, clock))
        assert "MemoryEvent" in await busy.read(left_of_ada)
    await finish_old(make_infrastructure(busy, clock))
    assert await busy.read(left_of_ada) == []


async def test_what_was_said_after_an_interrupted_erasure_stays(busy, monkeypatch):
    clock, later = ManualClock(), range(10**10, 10**10 + 2 * SMALL_BATCH)
    ids = await busy.read(in_order, user_memory.c.Id)
    await busy.write(members.save_profile, ADA, Profile("Owns boats.", tuple(ids[-2:])))
    await interrupt(busy, monkeypatch, clock, "erase")
    clock.advance(minutes=1)
    await busy.write(partial(say, ids=later))
    await make_memory_service(busy, clock).set_consent(ADA, Consent.LASTING)
    await finish_interrupted(busy, clock)
    said, remembered = await busy.read(messages_and_memories_of_ada)
    assert said == list(later)
    assert remembered == [f"has cat {n}" for n in said]
    header = await busy.read(members.load_header, ADA)
    assert (header.consent, header.profile) == (Consent.LASTING, Profile())
    for table in (waiting_message, message_score):
        condition = (table.c.UserId == ADA.user_id) & (table.c.MessageId < 10**9)
        count = select(func.count()).select_from(table).where(condition)
        assert await busy.read(lambda connection, query=count: connection.scalar(query)) == 0
    assert await busy.read(jobs.unfinished_erasures) == []


async def test_a_single_memory_that_the_batches_leave_goes_too(busy, monkeypatch):
    clock = ManualClock()
    await interrupt(busy, monkeypatch, clock, "forget")
    left = await busy.read(messages_and_memories_of_ada)
    monkeypatch.setattr(large_erasures, "BATCH", len(left[1]) - 1)
    await busy.write(partial(say, ids=[10**10]))
    await finish_interrupted(busy, clock)
    assert (await busy.read(members.load_header, Member(GUILD, SERVER_USER_ID))).version == 4
    assert await busy.read(messages_and_memories_of_ada) == ([10**10], [f"has cat {10**10}"])


async def test_a_start_finishes_it_before_anything_else_runs(busy, database_url, monkeypatch):
    await interrupt(busy, monkeypatch, ManualClock(), "forget")
    app = build(Settings(_env_file=None, database_url=database_url), ManualClock())
    left = []

    async def then_look():
        left.append(await busy.read(left_of_ada))

    monkeypatch.setattr(app.memory.recorder, "start", then_look)
    await app.start()
    await app.close()
    assert left == [[]]


def say(connection, ids):
    """Store later messages, and a memory of each."""
    members.lock(connection, ADA)
    for message_id in ids:
        message = make_event("I have a cat", message_id=message_id)
        events.insert(connection, message, NOON + timedelta(days=30))
        memory_id = connection.execute(
            insert(user_memory).values(
                GuildId=GUILD, UserId=ADA.user_id, Uid=f"{message_id:032x}", ChannelId=CHANNEL,
                Memory=f"has cat {message_id}", Topics="", Importance=int(Importance.LOW),
                Kind=Kind.EPISODE, FactKey="", Source=Source.CHAT, Status=Status.ACTIVE,
                Confidence=0.9, EvidenceCount=1, SearchStems="cat", CreatedAt=NOON,
                LastConfirmedAt=NOON, UseCount=0, Form=Form.NOTE,
            )
        ).inserted_primary_key[0]  # fmt: skip
        connection.execute(insert(memory_evidence), [evidence(memory_id, message_id)])


def evidence(memory_id, message_id):
    return {
        "GuildId": GUILD, "MemoryId": memory_id, "MessageId": message_id, "ChannelId": CHANNEL,
        "Quote": "", "Method": Method.MODEL, "Model": "", "PromptHash": "", "SaidAt": NOON,
    }  # fmt: skip


def messages_and_memories_of_ada(connection):
    ids = select(memory_event.c.MessageId).where(memory_event.c.AuthorId == ADA.user_id)
    texts = select(user_memory.c.Memory).where(user_memory.c.UserId == ADA.user_id)
    return sorted(connection.scalars(ids)), sorted(connection.scalars(texts))


def consent_of_ada(connection):
    return members.load_header(connection, ADA).consent


async def test_a_choice_after_an_interrupted_erasure_ends_it_and_holds(busy, monkeypatch):
    clock = ManualClock()
    await interrupt(busy, monkeypatch, clock, "off")
    await make_memory_service(busy, clock).set_consent(ADA, Consent.LASTING)
    assert await busy.read(left_of_ada) == []
    await busy.write(partial(fill, many=1))
    await finish_interrupted(busy, clock)
    assert await busy.read(consent_of_ada) is Consent.LASTING
    assert "MemoryEvent" in await busy.read(left_of_ada)


async def test_a_choice_that_overtakes_the_end_of_an_erasure_holds(busy, monkeypatch):
    clock = ManualClock()
    await interrupt(busy, monkeypatch, clock, "off")
    erase_most = large_erasures.erase_most

    async def overtaken(*given, **options):
        await make_memory_service(busy, clock).set_consent(ADA, Consent.LASTING)
        await busy.write(partial(fill, many=SOME))
        return await erase_most(*given, **options)

    monkeypatch.setattr(large_erasures, "erase_most", overtaken)
    await finish_interrupted(busy, clock)
    assert await busy.read(consent_of_ada) is Consent.LASTING
    assert "MemoryEvent" in await busy.read(left_of_ada)


async def test_words_that_answers_repeat_go_with_the_batch_that_holds_them(busy):
    """The answer rests on the newest message, and stands in the first batch."""
    clock = ManualClock()

    def answered(connection):
        answer = make_event("So you own 44 boats", message_id=10**10, role=Role.KITH)
        events.insert(connection, answer, NOON + timedelta(days=30))
        connection.execute(
            memory_event.update()
            .where(memory_event.c.MessageId == 10**10)
            .values(ReplyToId=SOME, AboutIds=f" {ADA.user_id} ")
        )

    await busy.write(answered)
    await forget(busy, clock)
    texts = await busy.read(
        lambda connection: connection.scalars(select(memory_event.c.Text)).all()
    )
    assert set(texts) <= {""}


# --- servers and pruning -------------------------------------------------------------------------


async def test_a_server_is_erased_in_batches(crowded):
    removed = NOON - KEEP_REMOVED_GUILD - timedelta(days=1)

    def remove(connection):
        connection.execute(
            insert(user_state),
            [
                {
                    "GuildId": GUILD, "UserId": 10**6 + n, "UserNotes": "", "NotesRowIds": "",
                    "PassiveOptIn": False, "Ignored": False, "MemoryVersion": 1,
                    "LastSeenAt": NOON, "Consent": Consent.LASTING,
                }
                for n in range(MANY)
            ],
        )  # fmt: skip
        retention.set_removed(connection, [GUILD], removed)

    await crowded.write(remove)
    with row_counts(crowded) as counts:
        await pruning.prune(crowded, RestlessClock(), WritePolicy())
    assert max(counts) < MOST_ROWS
    assert await crowded.read(left_of_ada) == []

    def rest(connection):
        columns = user_state.c
        return (
            connection.scalars(select(guild_settings.c.GuildId)).all(),
            connection.scalar(select(func.count()).where(columns.LastSeenAt.is_not(None))),
            connection.scalar(select(func.count()).where(columns.Consent.is_not(None))),
        )

    assert await crowded.read(rest) == ([], 0, 0)
