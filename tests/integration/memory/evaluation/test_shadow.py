"""A policy in the shadow: compared after the reply, in ids, without effect."""

import logging
from datetime import timedelta

import pytest
from sqlalchemy import func, select

from tests.fakes.builders import (
    ADA,
    CHANNEL,
    GUILD,
    NOON,
    audience,
    make_candidate,
    make_event,
    make_reader,
)
from tests.integration.memory.recall.test_reader import ADA_HERE, learn
from tests.integration.stored_rows import in_order
from utils.database.messages import events
from utils.database.schema.memory_tables import shadow_recall, user_memory
from utils.memory.evaluation.shadow import ShadowEvaluator
from utils.memory.policy.recall_policy import RecallPolicy
from utils.memory.policy.storable_events import storable
from utils.memory.recall.explain import RecallTrace
from utils.models.guild import GuildSettings
from utils.models.memory import Consent, Kind

WHO = {"actor": "command line", "reason": "a test"}
QUESTION = 5_000
SMALL = RecallPolicy(most_items=1, most_recent=0)


@pytest.fixture
def room(database, clock):
    return ShadowEvaluator(database, clock, False)


@pytest.fixture
async def reader(database, clock, keeper, room):
    for text in ("loves green tea", "loves strong coffee"):
        await learn(database, make_candidate(text, kind=Kind.PREFERENCE))
    return make_reader(database, clock, shadow=room.expect)


async def ask(reader, message_id=QUESTION, trace=None):
    event = make_event("tea or coffee?", message_id=message_id, author_id=ADA.user_id)
    await reader._database.write(events.insert, storable(event), NOON + timedelta(days=30))
    recall, _ = await reader.recall_with_turns(
        audience(CHANNEL),
        [ADA_HERE],
        "tea or coffee?",
        settings=GuildSettings(GUILD),
        exclude_id=message_id,
        trace=trace,
    )
    return recall


def stored(connection):
    return connection.execute(select(func.count()).select_from(shadow_recall)).scalar_one()


async def test_after_the_reply_both_are_noted_and_nothing_else_changes(
    database, reader, room, policies
):
    version = (await policies.start_shadow(SMALL, 3, **WHO)).version
    assert len((await ask(reader)).rows) == 2  # what is in the shadow decides nothing
    await room.write()
    assert await database.read(stored) == 0  # no reply was sent yet
    room.replied(QUESTION)
    await room.write()
    report = await policies.shadow_report()
    assert (report.version, report.recalls, report.members) == (version, 1, 1)
    means = report.values
    assert (means["items, active"], means["items, shadow"]) == (2, 1)
    assert (means["overlap"], means["differs"]) == (0.5, 1.0)
    assert means["tokens, shadow"] < means["tokens, active"]


async def test_without_a_shadow_or_once_it_is_over_nothing_is_held(
    database, reader, room, policies, clock
):
    await ask(reader)
    room.replied(QUESTION)
    await policies.start_shadow(SMALL, 1, **WHO)
    clock.advance(days=1)
    await ask(reader, QUESTION + 1)
    room.replied(QUESTION + 1)
    room.replied(QUESTION + 2)  # nobody asked that
    await room.write()
    assert await database.read(stored) == 0


async def test_what_waits_for_a_reply_is_bounded(reader, room, policies, database, monkeypatch):
    monkeypatch.setattr(room._expected, "_limit", 3)
    await policies.start_shadow(SMALL, 1, **WHO)
    for number in range(8):
        await ask(reader, QUESTION + number)
    room.replied(QUESTION)  # let go of
    room.replied(QUESTION + 5)
    await room.write()
    assert await database.read(stored) == 1


async def test_of_a_member_who_goes_nothing_stays_noted_and_nothing_comes_later(
    database, reader, room, policies, keeper
):
    await policies.start_shadow(SMALL, 1, **WHO)
    await ask(reader)
    room.replied(QUESTION)
    await room.write()
    await ask(reader, QUESTION + 1)
    assert await database.read(stored) == 1
    await keeper.set_consent(ADA, Consent.OFF)
    assert await database.read(stored) == 0
    room.replied(QUESTION + 1)
    await room.write()
    assert await database.read(stored) == 0


async def test_a_comparison_that_fails_is_no_reply_that_does(
    reader, room, policies, caplog, monkeypatch, database
):
    def fail(*_):
        raise ZeroDivisionError

    await policies.start_shadow(SMALL, 1, **WHO)
    await ask(reader)
    monkeypatch.setattr("utils.memory.evaluation.shadow.compose", fail)
    with caplog.at_level(logging.ERROR):
        room.replied(QUESTION)
        await room.write()
    assert "the shadow policy failed: ZeroDivisionError" in caplog.text
    assert await database.read(stored) == 0


async def test_what_is_only_looked_at_is_neither_compared_nor_a_use(
    database, reader, room, policies
):
    await policies.start_shadow(SMALL, 3, **WHO)
    for trace, compared in ((RecallTrace(0.0), 0), (None, 1)):
        assert (await ask(reader, QUESTION + compared, trace)).rows
        room.replied(QUESTION + compared)
        await room.write()
        await reader.write_uses()
        assert await database.read(stored) == compared
        used = await database.read(in_order, user_memory.c.UseCount)
        assert (max(used) > 0) is bool(compared)
