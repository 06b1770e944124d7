"""A policy in the shadow: compared after the reply, in ids, without effect."""

import logging
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace

import pytest
from sqlalchemy import func, select

from tests.fakes.builders import ADA, CHANNEL, GUILD, NOON, audience, make_candidate, make_event
from tests.fakes.clock import ManualClock
from tests.integration.test_reader import ADA_HERE, learn
from utils.database import events
from utils.database.tables import shadow_recall, user_memory
from utils.memory.composing import Rules
from utils.memory.explaining import Witness
from utils.memory.keeper import Keeper
from utils.memory.reader import Reader
from utils.memory.retention import Retention
from utils.memory.shadow import MOST_EXPECTED, ShadowRoom, as_of_now
from utils.memory.storable import storable
from utils.model.episode import LoopKind, OpenLoop
from utils.model.guild import GuildSettings
from utils.model.memory import Consent, Kind
from utils.read_policies import ReadPolicies, ReadPolicy
from utils.token_calibration import TokenCalibration

WHO = {"actor": "command line", "reason": "a test"}
QUESTION = 5_000
SMALL = ReadPolicy(most_items=1, most_recent=0)


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
async def keeper(database, clock):
    made = Keeper(database, clock)
    await made.set_consent(ADA, Consent.LASTING)
    return made


@pytest.fixture
def room(database, clock):
    return ShadowRoom(database, clock)


@pytest.fixture
async def reader(database, clock, keeper, room):
    for text in ("loves green tea", "loves strong coffee"):
        await learn(database, make_candidate(text, kind=Kind.PREFERENCE))
    return Reader(database, clock, shadow=room)


@pytest.fixture
def policies(database, clock):
    return ReadPolicies(database, clock)


async def ask(reader, message_id=QUESTION, witness=None):
    event = make_event("tea or coffee?", message_id=message_id, author_id=ADA.user_id)
    await reader._database.write(
        lambda session: events.insert(session, storable(event), NOON + timedelta(days=30))
    )
    recall, _ = await reader.recall_with_turns(
        audience(CHANNEL),
        [ADA_HERE],
        "tea or coffee?",
        settings=GuildSettings(GUILD),
        but=message_id,
        witness=witness,
    )
    return recall


def use_counts(session):
    return session.scalars(select(user_memory.c.UseCount)).all()


def stored(session):
    return session.execute(select(func.count()).select_from(shadow_recall)).scalar_one()


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
    means = {name: one.mean for name, one in report.values.items()}
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
    for number in range(MOST_EXPECTED + 5):
        await ask(reader, QUESTION + number)
    room.replied(QUESTION)  # let go of
    room.replied(QUESTION + MOST_EXPECTED)
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


@pytest.mark.parametrize("goes", ["forgets all", "consent off", "erased"])
async def test_of_a_member_who_goes_nothing_stays_noted_and_nothing_comes_later(
    database, clock, reader, room, policies, keeper, goes
):
    await policies.start_shadow(SMALL, 1, **WHO)
    await ask(reader)
    room.replied(QUESTION)
    await room.write()
    await ask(reader, QUESTION + 1)
    assert await database.read(stored) == 1
    if goes == "forgets all":
        await keeper.forget_all(ADA)
    elif goes == "consent off":
        await keeper.set_consent(ADA, Consent.OFF)
    else:
        await Retention(database, clock).erase_member(ADA.user_id, ADA.guild_id)
    assert await database.read(stored) == 0
    room.replied(QUESTION + 1)
    await room.write()
    assert await database.read(stored) == 0


def test_what_the_reply_itself_brought_up_and_calibrated_is_not_held_against_the_shadow():
    raised = set()
    calibration = TokenCalibration()
    rules = Rules(is_raised=lambda loop: loop.id in raised, calibration=calibration)
    loop = OpenLoop(ADA, CHANNEL, CHANNEL, 1, LoopKind.GOAL, "sail", NOON, NOON, id=3)
    over = replace(loop, id=4)
    raised.add(4)
    material = SimpleNamespace(
        loaded=SimpleNamespace(people={ADA: (None, SimpleNamespace(loops=(loop, over)))})
    )
    held = as_of_now(rules, material)
    raised.add(3)
    for _ in range(200):
        calibration.observe(2_000, 3_800, messages=0, has_tools=False)
        calibration.observe(200, 380, messages=0, has_tools=False)
    assert rules.calibration.room(400) < 400
    assert [held.is_raised(one) for one in (loop, over)] == [False, True]
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


async def refuse(unit):
    raise OSError("away")


async def test_a_comparison_that_fails_is_no_reply_that_does(
    reader, room, policies, caplog, monkeypatch, database
):
    def fail(*_):
        raise ZeroDivisionError

    await policies.start_shadow(SMALL, 1, **WHO)
    await ask(reader)
    monkeypatch.setattr("utils.memory.shadow.compose", fail)
    with caplog.at_level(logging.ERROR):
        room.replied(QUESTION)
        await room.write()
    assert "a policy in the shadow failed: ZeroDivisionError" in caplog.text
    assert await database.read(stored) == 0


async def test_where_nothing_may_be_written_nothing_is_compared(database, clock, reader, policies):
    room = ShadowRoom(database, clock, read_only=True)
    await policies.start_shadow(SMALL, 1, **WHO)
    await ask(Reader(database, clock, shadow=room))
    room.replied(QUESTION)
    await room.write()
    assert await database.read(stored) == 0


async def test_what_is_only_looked_at_is_neither_compared_nor_a_use(
    database, reader, room, policies
):
    await policies.start_shadow(SMALL, 3, **WHO)
    for witness, compared in ((Witness(0.0), 0), (None, 1)):
        recall = await ask(reader, QUESTION + compared, witness)
        assert recall.rows
        room.replied(QUESTION + compared)
        await room.write()
        await reader.write_uses()
        assert await database.read(stored) == compared
        used = await database.read(use_counts)
        assert (max(used) > 0) is bool(compared)
