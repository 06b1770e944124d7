"""Erasures in several units of work end as one unit would, and spare what came after they began."""

from datetime import timedelta
from functools import partial

import pytest
from sqlalchemy import insert, select

from tests.fakes.builders import ADA, BOB, GUILD, NOON, make_event
from tests.fakes.clock import ManualClock
from tests.integration.memory.privacy.test_large_erasures import (
    SMALL_BATCH,
    SOME,
    erase,
    evidence,
    fill,
    interrupt,
    row_counts,
)
from tests.integration.memory.privacy.test_one_night import remember
from utils.database.admin import jobs
from utils.database.core.engine import Database
from utils.database.erasure import consent as member_consent
from utils.database.erasure.messages import MAX_MESSAGE_ID
from utils.database.memories import members
from utils.database.messages import events
from utils.database.schema.memory_tables import (
    account_link,
    memory_evidence,
    metadata,
    user_memory,
    user_state,
)
from utils.memory.privacy import large_erasures
from utils.memory.privacy.large_erasures import erase_most, finish_interrupted
from utils.memory.privacy.retention import Retention
from utils.models.memory import Consent, Member
from utils.models.operator import ErasureCounts, ErasureKind

OF_THIS_DATABASE = {"Id", "Uid", "MemoryId", "MemoryVersion"}
LINKED_LATER = Member(GUILD, 31)


def live(connection):
    """Let Ada and Bob have chosen, said and linked all sorts of things."""
    fill(connection, SOME)
    for member in (ADA, BOB):
        members.lock(connection, member)
        members.choose(connection, member, consent=Consent.LASTING)
        member_consent.set_passive(connection, member, opt_in=True)
        link(connection, member, 30, NOON)
    learn_from(connection, BOB, 10**9)
    members.update_last_seen(connection, {ADA: NOON, BOB: NOON})
    asked = make_event("so?", author_id=BOB.user_id, message_id=10**9)
    events.insert(connection, asked, NOON + timedelta(days=9))


def link(connection, member, other_id, at):
    row = {"GuildId": GUILD, "UserId": member.user_id, "OtherId": other_id, "At": at}
    connection.execute(insert(account_link).values(row))


def all_rows(connection):
    """Every row of every table, without what numbers a database's own rows."""
    tables = {}
    for table in metadata.sorted_tables:
        columns = [column for column in table.c if column.name not in OF_THIS_DATABASE]
        rows = connection.execute(select(*columns)) if columns else []
        tables[table.name] = sorted(repr(dict(row._mapping)) for row in rows)
    return tables


async def test_a_finished_erasure_leaves_what_one_without_a_break_leaves(
    database, tmp_path, monkeypatch
):
    monkeypatch.setattr(large_erasures, "BATCH", SMALL_BATCH)
    clock = ManualClock()
    other = Database(f"sqlite:///{tmp_path / 'other.db'}", pool_size=2, clock=clock)
    await other.open()
    for each in (database, other):
        await each.write(live)
    await erase(other, clock)
    await interrupt(database, monkeypatch, clock, "erase")
    await finish_interrupted(database, clock)
    rows, expected = await database.read(all_rows), await other.read(all_rows)
    await other.close()
    assert {name for name in rows if rows[name] != expected[name]} == set()


SINCE = {
    "nothing": lambda connection: members.update_last_seen(connection, {ADA: NOON}),
    "seen": lambda connection: members.update_last_seen(
        connection, {ADA: NOON + timedelta(microseconds=1)}
    ),
    "a message": lambda connection: events.insert(
        connection, make_event("I have a cat", message_id=10**10), NOON + timedelta(days=9)
    ),
    "a memory": lambda connection: learn_from(connection, ADA, 10**10),
}


def learn_from(connection, member, message_id):
    """Store a memory of a message, which need not be stored itself."""
    memory_id = remember(connection, member, "has a cat", supported=False)
    connection.execute(insert(memory_evidence), [evidence(memory_id, message_id)])


@pytest.mark.parametrize("since", SINCE)
async def test_a_sign_of_life_since_it_began_spares_what_is_newer(database, monkeypatch, since):
    monkeypatch.setattr(large_erasures, "BATCH", SMALL_BATCH)
    clock = ManualClock()
    await database.write(live)
    await interrupt(database, monkeypatch, clock, "erase")
    clock.advance(minutes=1)
    await database.write(partial(link, member=LINKED_LATER, other_id=ADA.user_id, at=clock.now()))
    await database.write(SINCE[since])
    await finish_interrupted(database, clock)
    is_back = since != "nothing"

    def kept(connection):
        links = select(account_link.c.UserId).where(account_link.c.UserId != BOB.user_id)
        memories = select(user_memory.c.Memory).where(user_memory.c.UserId == ADA.user_id)
        state = select(user_state.c.Consent).where(user_state.c.UserId == ADA.user_id)
        return (
            list(connection.scalars(links)),
            list(connection.scalars(memories)),
            connection.scalar(state),
            events.author_of(connection, GUILD, 10**10),
        )

    assert await database.read(kept) == (
        [LINKED_LATER.user_id] if is_back else [],
        ["has a cat"] if since == "a memory" else [],
        Consent.LASTING if is_back else None,
        ADA.user_id if since == "a message" else None,
    )


def say(connection, messages, memories):
    """Store so many messages and memories of Ada's, and nothing else of hers."""
    members.lock(connection, ADA)
    for number in range(messages):
        event = make_event(f"I own {number} boats", message_id=number + 1)
        events.insert(connection, event, NOON + timedelta(days=9))
    for number in range(memories):
        remember(connection, ADA, f"owns {number} boats")


@pytest.mark.parametrize(("messages", "memories"), [(9, 1), (3, 9)])
async def test_no_unit_of_work_takes_more_than_a_batch(database, monkeypatch, messages, memories):
    batch = 3
    monkeypatch.setattr(large_erasures, "BATCH", batch)
    clock = ManualClock()
    await database.write(say, messages, memories)
    with row_counts(database) as counts:
        erased = await erase_most(database, clock, ADA, ErasureKind.MEMBER)
        rest = await Retention(database, clock).erase_member(ADA.user_id, GUILD)
    assert max(counts) <= batch
    assert (rest.memories, rest.messages) == (
        memories - erased.memories,
        messages - erased.messages,
    )
    assert max(rest.memories, rest.messages) < batch
    assert erased == ErasureCounts(messages=erased.messages, memories=erased.memories)


async def test_what_was_left_unfinished_is_finished_in_batches(database, monkeypatch):
    batch = 3
    monkeypatch.setattr(large_erasures, "BATCH", batch)
    await database.write(say, 9, 9)
    await database.write(jobs.begin_erasure, ErasureKind.MEMBER, ADA, NOON, MAX_MESSAGE_ID)
    with row_counts(database) as counts:
        await finish_interrupted(database, ManualClock())
    assert max(counts) <= batch
    assert await database.read(jobs.unfinished_erasures) == []
    left = select(user_memory.c.Id)
    assert await database.read(lambda s: s.execute(left).all()) == []
