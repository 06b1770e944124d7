"""Erasure and lifetimes reach exactly what they are about: the rows beside it stay as they are."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from tests.fakes.builders import GUILD, NOON, make_answer, make_event
from tests.integration.residue import HERE, WORD
from utils.database.privacy import erasure_ledger, tombstones
from utils.database.schema.memory_tables import (
    answer_removal,
    tombstone,
    user_memory,
)
from utils.memory.privacy import erasure_ledger_file, retraction
from utils.memory.privacy import erasure_ledger_file as mirroring
from utils.memory.privacy.erasure_ledger_file import ErasureLedger
from utils.models.memory import Member, Status
from utils.models.operator import Erasure, ErasureKind
from utils.models.provenance import Provenance


async def rows_of(home, *columns):
    return await home.database.read(lambda s: s.execute(select(*columns)).all())


async def answer_to(home, event, text, *sources):
    """Let Kith give an answer that rests on these sources; returns its message id."""
    answer = replace(make_answer(event, text), provenance=Provenance(sources))
    await home.recorder.record(answer, HERE)
    return answer.message_id


async def test_who_is_known_in_one_server_is_not_known_in_another(home):
    await home.tell("likes tea", Member(GUILD + 8, 4811))
    is_known = home.retention.is_known
    assert [await is_known(4811, guild_id) for guild_id in (GUILD + 8, GUILD, None)] == [
        True,
        False,
        True,
    ]
    assert not await is_known(4812)


async def test_what_was_forgotten_does_not_come_back_when_its_successor_goes(home):
    await home.tell(f"home: lives in {WORD}")
    event = await home.tell("home: lives in Oslo")
    columns = user_memory.c
    await home.database.write(
        lambda s: s.execute(
            update(user_memory)
            .where(columns.Status == Status.SUPERSEDED)
            .values(Status=Status.FORGOTTEN, Memory="")
        )
    )
    await home.keeper.retention.retract(GUILD, [event.message_id])
    assert await home.known() == []
    assert Status.ACTIVE not in {row.Status for row in await rows_of(home, columns.Status)}


@pytest.mark.parametrize("is_deleted", [False, True])
async def test_an_edit_that_may_not_be_stored_leaves_answers_that_do_not_repeat_it(
    home, is_deleted
):
    event = make_event("likes zanzibar", created_at=home.clock.now())
    await home.recorder.record(event, HERE)
    answer_id = await answer_to(home, event, "Good to know.")
    edited = replace(event, revision=9)
    if is_deleted:
        ids = [event.message_id]
        await home.database.write(tombstones.add, GUILD, ids, now=home.clock.now())
    await home.database.write(retraction.retract_if_stale, edited, home.clock.now())
    revisions = await rows_of(home, tombstone.c.Revision)
    assert revisions == [(tombstones.FINAL_REVISION if is_deleted else 9,)]
    removed = [row.MessageId for row in await rows_of(home, answer_removal.c.MessageId)]
    assert removed == ([answer_id] if is_deleted else [])


@pytest.mark.parametrize("since_s", [0, 3600])
async def test_an_entry_from_an_hour_before_the_last_one_mirrored_may_appear_late(
    database, tmp_path, monkeypatch, since_s
):
    """Later still, an entry appears that is days newer."""
    monkeypatch.setattr(mirroring, "PAGE", 1)
    ledger, after, hidden = (
        ErasureLedger(database, tmp_path / "ledger"),
        erasure_ledger.entries_after,
        {0},
    )

    def seen(connection, *, entry_id, limit):
        rows = after(connection, entry_id=entry_id, limit=9)
        return [row for row in rows if row[1].message_id not in hidden][:limit]

    monkeypatch.setattr(erasure_ledger, "entries_after", seen)
    times = [NOON, NOON, NOON + timedelta(seconds=since_s)]
    made = [
        Erasure(at, ErasureKind.MESSAGE, GUILD, 10, None, n, 5)
        for n, at in enumerate([*times, NOON + timedelta(days=2)])
    ]
    await database.write(erasure_ledger.record, *made[:3])
    assert [await ledger.mirror(), await ledger.mirror()] == [2, 0]
    hidden.clear()
    await database.write(erasure_ledger.record, made[3])
    assert await ledger.mirror() == 2
    assert {entry for entry, _ in erasure_ledger_file.read(ledger.file)} == {*made}
