"""What a member wants to be asked about: listed, moved to another day, changed, cancelled."""

from contextlib import nullcontext
from datetime import UTC

import pytest

from tests.fakes.builders import (
    ADA,
    BOB,
    FakeExtractor,
    at,
    audience,
    days,
    make_event,
    make_recorder,
    make_rules,
)
from tests.fakes.clock import NOON
from tests.fakes.faulty import away
from utils.common.errors import BadInput
from utils.memory.member_data.edit_rules import TOO_LATE
from utils.memory.member_data.open_loops import (
    DAY_IS_OVER,
    KNOWN_ALREADY,
    OpenLoops,
    is_same_question,
)
from utils.models.memory import Consent

TOPIC = "how the interview went"


@pytest.fixture
def loops(database, clock):
    return OpenLoops(database, clock, make_rules())


@pytest.fixture
async def asked(database, clock, loops):
    """Ada has asked to be asked in two days, under temporary consent."""
    recorder = make_recorder(database, clock, FakeExtractor())
    await recorder.start()
    event = make_event(f"ask me in two days {TOPIC}")
    await recorder.record(event, audience())
    await recorder.close()
    return event, await loops.ask_later(event, TOPIC, at(days=2).date(), UTC)


async def shown(member_data, member=ADA):
    return [
        (loop.text, loop.due_at and loop.due_at.date())
        for loop in (await member_data.show(member)).loops
    ]


async def test_it_is_shown_to_its_member_and_to_nobody_else(member_data, asked):
    assert await shown(member_data) == [(TOPIC, at(days=2).date())]
    assert await shown(member_data, BOB) == []
    assert (await member_data.show(ADA, audience().sources)).loops == ()


async def test_the_same_request_for_another_day_moves_it(member_data, loops, asked):
    event, _ = asked
    with pytest.raises(BadInput, match=KNOWN_ALREADY):
        await loops.ask_later(event, TOPIC, at(days=2).date(), UTC)
    await loops.ask_later(event, "how my interviews went", at(days=5).date(), UTC)
    assert await shown(member_data) == [(TOPIC, at(days=5).date())]


def test_the_same_question_has_most_words_of_the_shorter_one():
    assert is_same_question(TOPIC, "tell how the job interview went")
    assert is_same_question("the exam", "how my exam went")
    assert not is_same_question(TOPIC, "how the exam went")
    assert not is_same_question("finish the history essay", "finish the physics essay")
    assert not is_same_question("the", "an")


@pytest.mark.parametrize(
    ("typed", "text", "day"),
    [
        ("übermorgen", TOPIC, 2),
        ("in 6 days whether they hired me", "in 6 days whether they hired me", 6),
        ("yesterday it was", "yesterday it was", 2),
    ],
)
async def test_its_text_or_its_day_is_changed(member_data, loops, asked, typed, text, day):
    _, loop = asked
    stored = (await member_data.show(ADA)).loops[0]
    assert stored.text == loop.text
    await loops.change(ADA, stored.id, typed, UTC)
    assert await shown(member_data) == [(text, at(days=day).date())]


@pytest.mark.parametrize(
    ("typed", "why", "state"),
    [
        ("2020-01-01", DAY_IS_OVER, away),  # which is said without the database
        ("in 40 days", TOO_LATE[Consent.TEMPORARY], nullcontext),
        ("my password is hunter2", "passwords", away),
    ],
)
async def test_what_may_not_be_asked_changes_nothing(
    database, member_data, loops, asked, typed, why, state
):
    (loop,) = (await member_data.show(ADA)).loops
    with state(database), pytest.raises(BadInput, match=why):
        await loops.change(ADA, loop.id, typed, UTC)
    assert await shown(member_data) == [(TOPIC, at(days=2).date())]


async def test_nobody_changes_or_cancels_somebody_elses(member_data, loops, asked):
    (loop,) = (await member_data.show(ADA)).loops
    with pytest.raises(BadInput, match=f"p{loop.id}"):
        await loops.change(BOB, loop.id, "in 4 days", UTC)
    assert not await loops.drop(BOB, loop.id)
    assert await loops.drop(ADA, loop.id)
    assert await shown(member_data) == []


async def test_its_end_moves_with_its_day(member_data, loops, asked):
    (loop,) = (await member_data.show(ADA)).loops
    await loops.change(ADA, loop.id, "in 20 days", UTC)
    (moved,) = (await member_data.show(ADA)).loops
    assert moved.expires_at == NOON + days(30)
