"""A policy in the shadow: compared after the reply, in ids, without effect."""

import logging
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace

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
from utils.database.messages import events
from utils.database.schema.memory_tables import shadow_recall, user_memory
from utils.llm.token_calibration import TokenCalibration
from utils.memory.evaluation.policy_versions import RecallPolicyVersions
from utils.memory.evaluation.shadow import MAX_EXPECTED, ShadowEvaluator, as_of_now
from utils.memory.policy.recall_policy import RecallPolicy
from utils.memory.policy.storable_events import storable
from utils.memory.privacy.retention import Retention
from utils.memory.recall.explain import RecallTrace
from utils.memory.recall.pipeline import Rules
from utils.models.episode import LoopKind, OpenLoop
from utils.models.guild import GuildSettings
from utils.models.memory import Consent, Kind

WHO = {"actor": "command line", "reason": "a test"}
QUESTION = 5_000
SMALL = RecallPolicy(most_items=1, most_recent=0)


@pytest.fixture
def room(database, clock):
    return ShadowEvaluator(database, clock, read_only=False)


@pytest.fixture
async def reader(database, clock, keeper, room):
    for text in ("loves green tea", "loves strong coffee"):
        await learn(database, make_candidate(text, kind=Kind.PREFERENCE))
    return make_reader(database, clock, shadow=room)


@pytest.fixture
def policies(database, clock):
    return RecallPolicyVersions(database, clock)


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


def use_counts(connection):
    return connection.scalars(select(user_memory.c.UseCount)).all()


def stored(connection):
    return connection.execute(select(func.count()).select_from(shadow_recall)).scalar_one()


async def test_after_the_reply_both_are_noted_and_nothing_else_changes(
    database, reader, room, policies
):
    version = (await policies.start_shadow(SMALL, 3, **WHO)).version
    recall = await ask(reader)
    assert len(recall.rows) == 2  # what is in the shadow decides nothing
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


async def test_what_waits_for_a_reply_is_bounded(reader, room, policies, database):
    await policies.start_shadow(SMALL, 1, **WHO)
    for number in range(MAX_EXPECTED + 5):
        await ask(reader, QUESTION + number)
    room.replied(QUESTION)  # let go of
    room.replied(QUESTION + MAX_EXPECTED)
    await room.write()
    assert await database.read(stored) == 1


async def test_what_was_recalled_is_let_go_of_when_no_reply_comes(reader, room, policies, clock):
    await policies.start_shadow(SMALL, 1, **WHO)
    await ask(reader)
    clock.advance(minutes=9)
    await ask(reader, QUESTION + 1)
    clock.advance(minutes=1)
    await room.write()
    assert list(room._expected) == [QUESTION + 1]


@pytest.mark.parametrize("goes", ["consent off", "erased"])
async def test_of_a_member_who_goes_nothing_stays_noted_and_nothing_comes_later(
    database, clock, reader, room, policies, keeper, goes
):
    await policies.start_shadow(SMALL, 1, **WHO)
    await ask(reader)
    room.replied(QUESTION)
    await room.write()
    await ask(reader, QUESTION + 1)
    assert await database.read(stored) == 1
    if goes == "consent off":
        await keeper.set_consent(ADA, Consent.OFF)
    else:
        await Retention(database, clock).erase_member(ADA.user_id, ADA.guild_id)
    assert await database.read(stored) == 0
    room.replied(QUESTION + 1)
    await room.write()
    assert await database.read(stored) == 0


def test_what_the_reply_itself_brought_up_and_calibrated_is_not_held_against_the_shadow():
    settled = set()
    calibration = TokenCalibration()
    rules = Rules(is_settled=lambda loop, now: loop.id in settled, calibration=calibration)
    loop = OpenLoop(ADA, CHANNEL, CHANNEL, 1, LoopKind.GOAL, "sail", NOON, NOON, id=3)
    over = replace(loop, id=4)
    settled.add(4)
    material = SimpleNamespace(
        request=SimpleNamespace(now=NOON),
        loaded=SimpleNamespace(people={ADA: (None, SimpleNamespace(loops=(loop, over)))}),
    )
    held = as_of_now(rules, material)
    settled.add(3)
    for _ in range(200):
        calibration.observe(2_000, 3_800, messages=0, has_tools=False)
        calibration.observe(200, 380, messages=0, has_tools=False)
    assert rules.calibration.room(400) < 400
    assert [held.is_settled(one, NOON) for one in (loop, over)] == [False, True]
    assert held.calibration.room(400) == 400


async def test_rows_that_could_not_be_written_wait(database, reader, room, policies):
    await policies.start_shadow(SMALL, 1, **WHO)
    await ask(reader)
    room.replied(QUESTION)
    write, room._database.write = room._database.write, refuse
    with pytest.raises(OSError, match="away"):
        await room.write()
    room._database.write = write
    await room.write()
    assert await database.read(stored) == 1


async def refuse(unit, *args, **kwargs):
    raise OSError("away")


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


async def test_where_nothing_may_be_written_nothing_is_compared(database, clock, reader, policies):
    room = ShadowEvaluator(database, clock, read_only=True)
    await policies.start_shadow(SMALL, 1, **WHO)
    await ask(make_reader(database, clock, shadow=room))
    room.replied(QUESTION)
    await room.write()
    assert await database.read(stored) == 0


async def test_what_is_only_looked_at_is_neither_compared_nor_a_use(
    database, reader, room, policies
):
    await policies.start_shadow(SMALL, 3, **WHO)
    for trace, compared in ((RecallTrace(0.0), 0), (None, 1)):
        recall = await ask(reader, QUESTION + compared, trace)
        assert recall.rows
        room.replied(QUESTION + compared)
        await room.write()
        await reader.write_uses()
        assert await database.read(stored) == compared
        used = await database.read(use_counts)
        assert (max(used) > 0) is bool(compared)
