"""Which questions are left to be taken over, and by whom."""

from datetime import timedelta

from tests.fakes.builders import NOON, make_event
from tests.fakes.clock import ManualClock
from utils.database.messages import events
from utils.memory.ingestion import pending_answers
from utils.memory.ingestion.pending_answers import HELD_FOR, PendingAnswers


async def begun(database, *, ahead=timedelta()):
    """Have a process with a clock that far ahead begin to answer a question."""
    process = PendingAnswers(database, ManualClock(NOON + ahead))
    await database.write(process.begin, make_event("what is a fox?"))


async def taken_over(answers):
    """How many questions a process takes over."""
    return [await answers.claim(left) for left in await answers.due(lambda _: True)].count(True)


async def test_a_question_is_kept_while_it_is_being_answered(database):
    await begun(database)
    clock = ManualClock(NOON)
    other = PendingAnswers(database, clock)
    assert await taken_over(other) == 0
    clock.advance(seconds=HELD_FOR.total_seconds() + 1)
    assert await taken_over(other) == 1


async def test_a_clock_that_was_far_ahead_keeps_no_question_from_being_taken_over(database):
    await begun(database, ahead=timedelta(days=365))
    others = [PendingAnswers(database, ManualClock(NOON)) for _ in range(2)]
    assert [await taken_over(other) for other in others] == [1, 0]


async def test_a_clock_that_is_a_little_ahead_keeps_its_questions(database):
    await begun(database, ahead=timedelta(minutes=5))
    assert await taken_over(PendingAnswers(database, ManualClock(NOON))) == 0


async def test_what_can_still_be_answered_comes_before_what_is_too_old(database, monkeypatch):
    """As after an outage: hundreds of old questions must not take the time of the new ones."""
    monkeypatch.setattr(pending_answers, "MAX_SCANNED", 4)
    for number in range(6):
        process = PendingAnswers(database, ManualClock(NOON + timedelta(minutes=number)))
        asked = make_event(
            f"what is fox {number}?",
            message_id=100 + number,
            created_at=NOON + timedelta(minutes=number),
        )
        await database.write(process.begin, event=asked)
        await database.write(events.insert, event=asked, expires_at=NOON + HELD_FOR * 9999)
    later = PendingAnswers(database, ManualClock(NOON + timedelta(minutes=8, seconds=30)))
    left = await later.due(lambda _: True)
    assert [item.question.message_id for item in left] == [104, 105, 102, 103]
    assert [later.may_answer(item) for item in left] == [True, True, False, False]
