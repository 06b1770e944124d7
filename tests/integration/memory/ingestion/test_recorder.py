"""Recorder: what is heard is durable, read once, and never lost."""

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy import func, select

from tests.fakes.builders import (
    ADA,
    BOB,
    CHANNEL,
    GUILD,
    QUIET_S,
    FakeExtractor,
    at,
    audience,
    held_up,
    make_answer,
    make_candidate,
    make_event,
    make_extraction,
    make_memory_service,
    make_recorder,
    word_for_word,
)
from tests.fakes.clock import ManualClock
from tests.integration.stored_rows import in_order
from utils.common.errors import (
    BudgetSpent,
    DatabaseUnavailable,
    ModelUnreachable,
    StaleFence,
)
from utils.database.core import error_codes
from utils.database.memories import members, memories
from utils.database.messages import events
from utils.database.schema.memory_tables import memory_event, user_memory
from utils.memory.ingestion.recorder import SWEEP_EVERY_S
from utils.models.memory import Consent, EventState, Member, RecordOutcome, Role
from utils.models.policy import WritePolicy
from utils.models.provenance import Provenance, SourceKind, SourceRef
from utils.runtime.backoff import FIRST_PAUSE_S

HERE = audience()
TAKEN_OVER_S = 31.0


async def states(database):
    return await database.read(in_order, memory_event.c.State, memory_event.c.Attempts)


async def rows_of(database, member, now=None):
    rows = await database.read(memories.load_current, member, now or at(seconds=1))
    return [row.text for row in rows]


async def hear(recorder, *events):
    for event in events:
        assert await recorder.record(event, HERE)


# --- hearing ------------------------------------------------------------------------------------


async def test_an_event_is_durable_when_record_returns(database, recorder):
    await recorder.record(make_event("I have a dog named Rex"), HERE)
    assert await database.read(in_order, memory_event.c.Text) == ["I have a dog named Rex"]


async def test_only_the_first_of_two_processes_answers(database, clock, recorder):
    event = make_event()
    other = make_recorder(database, clock, FakeExtractor())
    answers = await asyncio.gather(recorder.record(event, HERE), other.record(event, HERE))
    assert sorted(answers) == [False, True]
    assert len(await database.read(in_order, memory_event.c.Text)) == 1


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("  tea\u200b \x00\ud800 ", "tea \ufffd"),
        ("x" * 5000, "x" * 3999 + "…"),
    ],
)
async def test_any_text_can_be_stored(database, recorder, given, kept):
    await hear(recorder, make_event(given, author_name="\ud800\x00" + "n" * 300))
    assert await database.read(in_order, memory_event.c.Text) == [kept]


async def test_messages_end_with_consent(database, recorder, clock):
    await make_memory_service(database, clock).set_consent(ADA, Consent.LASTING)
    await hear(recorder, make_event(), make_event(author_id=BOB.user_id))
    assert await database.read(in_order, memory_event.c.ExpiresAt) == [at(days=365), at(days=30)]


async def test_of_a_member_with_consent_off_nothing_is_stored(database, recorder, clock, extractor):
    await make_memory_service(database, clock).set_consent(ADA, Consent.OFF)
    event = make_event("I have a dog named Rex")
    await hear(recorder, event)
    await recorder.record(make_answer(event, "Nice dog, Rex!"), HERE)
    await recorder.settle()
    assert await database.read(in_order, memory_event.c.Text) == []
    assert extractor.readings == []


async def test_of_an_answer_that_is_kept_without_its_text_not_a_word_is_stored(
    database, recorder, clock
):
    """Bob's words are stored, so that the answer's id is, too."""
    said = make_event("my favourite animal is the okapi", author_id=BOB.user_id)
    await hear(recorder, said)
    await make_memory_service(database, clock).set_consent(ADA, Consent.OFF)
    asked = make_event("mine is the aardvark. And his?")
    await hear(recorder, asked)
    bobs = SourceRef(SourceKind.MESSAGE, said.message_id, user_id=BOB.user_id)
    answer = make_answer(
        asked, "You like aardvarks, he likes okapis.", provenance=Provenance(sources=(bobs,))
    )
    assert await recorder.record(answer, HERE) is RecordOutcome.UNSTORED
    columns = memory_event.c
    shown = (columns.MessageId, columns.Text, columns.Stems, columns.AuthorName, columns.ReplyToId)
    rows = await database.read(
        lambda connection: connection.execute(select(*shown).where(columns.Role == Role.KITH)).all()
    )
    assert rows == [(answer.message_id, "", "", "", None)]


async def test_an_answer_that_names_a_member_with_consent_off_is_not_stored(
    database, recorder, clock
):
    await make_memory_service(database, clock).set_consent(ADA, Consent.OFF)
    question = make_event("Who is Ada?", author_id=BOB.user_id)
    await hear(recorder, question)
    about_ada = make_answer(question, "Ada has a dog.", about_ids=(BOB.user_id, ADA.user_id))
    assert await recorder.record(about_ada, HERE) is RecordOutcome.UNSTORED
    about_bob = make_answer(question, "I can't say.", about_ids=(BOB.user_id,))
    assert await recorder.record(about_bob, HERE)
    assert await database.read(in_order, memory_event.c.Text) == [
        "Who is Ada?",
        "",  # it goes with its question
        "I can't say.",
    ]


async def test_what_kith_says_is_stored_and_teaches_nothing(database, recorder, extractor):
    question = make_event("I met Rex. Who is he?")
    await hear(recorder, question, make_answer(question, "I have a dog named Rex"))
    await recorder.settle()
    assert len(await database.read(in_order, memory_event.c.Text)) == 2
    assert extractor.texts == [["I met Rex. Who is he?"]]


# --- bursts -------------------------------------------------------------------------------------


async def test_what_is_said_within_a_quiet_moment_is_read_at_once(
    database, recorder, extractor, clock
):
    await hear(recorder, make_event("my dog"))
    clock.advance(QUIET_S - 1)
    await hear(recorder, make_event("is named Rex"))
    clock.advance(QUIET_S - 1)
    assert extractor.readings == []
    clock.advance(1)
    await extractor.begun.get()
    assert extractor.texts == [["my dog", "is named Rex"]]


async def test_somebody_who_never_pauses_is_read_all_the_same(recorder, extractor, clock):
    for number in range(8):
        await hear(recorder, make_event(f"and {number}"))
        clock.advance(QUIET_S - 1)
    await extractor.begun.get()
    assert len(extractor.texts[0]) >= 6


async def test_members_and_channels_are_read_apart(recorder, extractor):
    await hear(
        recorder,
        make_event("ada here"),
        make_event("bob here", author_id=BOB.user_id),
        make_event("ada there", channel_id=200),
        make_event("ada elsewhere", guild_id=9),
    )
    await recorder.settle()
    assert sorted(extractor.texts) == [
        ["ada elsewhere"],
        ["ada here"],
        ["ada there"],
        ["bob here"],
    ]


async def test_settling_reads_everything_even_more_than_one_extraction_takes(
    database, recorder, extractor
):
    await hear(recorder, *(make_event(f"fact number {n}") for n in range(21)))
    await recorder.settle()
    assert [text for texts in extractor.texts for text in texts] == [
        f"fact number {n}" for n in range(21)
    ]
    assert {state for state, _ in await states(database)} == {EventState.DONE}


async def test_what_is_said_while_a_burst_is_read_is_read_next(database, recorder, extractor):
    await hear(recorder, make_event("likes tea"))
    async with held_up(extractor, recorder.settle()):
        await hear(recorder, make_event("likes coffee"))
    assert extractor.texts == [["likes tea"], ["likes coffee"]]
    assert await rows_of(database, ADA) == ["likes tea", "likes coffee"]


async def test_messages_without_words_cost_no_model_call(database, recorder, extractor):
    await hear(recorder, make_event("🎉 <:kappa:123456> <@12345> <#678>?!…"))
    await recorder.settle()
    assert extractor.readings == []
    assert await states(database) == [(EventState.DONE, 1)]


# --- what an extraction sees --------------------------------------------------------------------


async def test_an_extraction_sees_what_is_known_and_was_said_before(database, recorder, extractor):
    await hear(recorder, make_event("has a dog named Rex"))
    await recorder.settle()
    question = make_event("And a cat?", author_id=BOB.user_id, author_name="Bob")
    await hear(recorder, question, make_event("has a cat named Tom"))
    await recorder.settle()
    reading = next(one for one in extractor.readings if one.burst.text == "has a cat named Tom")
    assert [row.text for row in reading.rows] == ["has a dog named Rex"]
    assert [event.text for event in reading.previous] == ["has a dog named Rex", "And a cat?"]


async def test_an_extraction_sees_no_memory_that_its_readers_could_not(recorder, extractor):
    await hear(recorder, make_event("has a secret garden", channel_id=777))
    await recorder.settle()
    await hear(recorder, make_event("likes tea"))
    await recorder.settle()
    assert extractor.readings[-1].rows == ()
    await recorder.record(make_event("likes coffee"), audience(777))
    await recorder.settle()  # these read the other channel today, and later ones may not
    assert {row.text for row in extractor.readings[-1].rows} == {"likes tea"}
    everywhere = replace(audience(777), open_ids=frozenset({777}))
    await recorder.record(make_event("likes cocoa"), everywhere)
    await recorder.settle()
    assert {row.text for row in extractor.readings[-1].rows} == {
        "has a secret garden",
        "likes tea",
        "likes coffee",
    }


async def test_a_profile_holds_only_what_everyone_can_read(database, recorder):
    office = audience(777, channel_id=888)  # who reads here reads the other private channel too
    told = {
        "has a secret garden": audience(channel_id=777),
        "likes hidden tea": office,
        "lives in Rome": replace(HERE, is_open=True),
        "likes secret scones": office,
    }
    for text, where in told.items():
        await recorder.record(make_event(text, channel_id=where.channel_id), where)
        await recorder.settle()
    assert (await database.read(members.load_header, ADA)).profile.text == "Lives in Rome."


async def test_nobody_elses_words_are_kept_with_a_memory(database, recorder):
    question = make_event("zanzibar!")
    await hear(recorder, question, make_answer(question, "mombasa!"))
    await recorder.settle()
    await hear(recorder, make_event("likes spice", author_id=BOB.user_id))
    await hear(recorder, make_event("likes cloves"))
    await recorder.settle()
    kept = await database.read(
        lambda s: s.scalars(
            select(user_memory.c.SearchStems).order_by(user_memory.c.UserId, user_memory.c.Id)
        ).all()
    )
    assert [stems.split() for stems in kept] == [
        ["zanzibar", "zanzibar"],
        ["like", "clove", "like", "clove"],
        ["like", "spice", "like", "spice"],
    ]


# --- the model is away --------------------------------------------------------------------------


async def test_while_the_model_is_away_events_wait_and_are_read_later_in_order(
    database, recorder, extractor, clock
):
    extractor.failures.append(ModelUnreachable())
    await hear(recorder, make_event("likes tea"))
    await recorder.settle()
    assert await states(database) == [(EventState.PENDING, 0)]
    await hear(recorder, make_event("likes coffee"))
    clock.advance(FIRST_PAUSE_S)
    await recorder.settle()
    assert extractor.texts[1:] == [["likes tea", "likes coffee"]]
    assert await states(database) == [(EventState.DONE, 1)] * 2
    assert await rows_of(database, ADA) == ["likes tea", "likes coffee"]


async def test_an_outage_of_any_length_gives_up_nothing(database, recorder, extractor, clock):
    extractor.failures.extend(ModelUnreachable() for _ in range(8))
    await hear(recorder, make_event("likes tea"))
    while extractor.failures:
        await recorder.settle()
        clock.advance(400)
    await recorder.settle()
    assert await rows_of(database, ADA, at(days=1)) == ["likes tea"]


async def test_many_bursts_that_wait_do_not_each_try_a_database_that_is_away(
    database, recorder, extractor, clock, monkeypatch
):
    for number in range(12):
        await hear(recorder, make_event(f"likes tea {number}", author_id=1000 + number))
    write, tries = database.write, 0

    async def refuse(unit, /, *args, **kwargs):
        nonlocal tries
        if unit is members.update_last_seen:  # the sweep's
            return await write(unit, *args, **kwargs)
        tries += 1
        raise DatabaseUnavailable(error_codes.AWAY)

    monkeypatch.setattr(database, "write", refuse)
    for _ in range(12):
        clock.advance(1)
        for _ in range(20):
            await asyncio.sleep(0)
    assert 1 <= tries <= 4 * len(recorder.extraction._workers)  # each at 0, 1, 3 and 7 seconds
    monkeypatch.undo()
    await settle_while_workers_pause(recorder, clock)
    assert len(extractor.readings) == 12


async def test_a_spent_budget_lets_one_member_wait_and_nobody_else(database, recorder, extractor):
    def read(reading):
        if reading.burst.member == ADA:
            raise BudgetSpent
        return word_for_word(reading)

    extractor.read = read
    await hear(recorder, make_event("likes tea"))
    await recorder.settle()
    await hear(recorder, make_event("likes coffee", author_id=BOB.user_id))
    await recorder.settle()
    assert await rows_of(database, BOB) == ["likes coffee"]
    assert await states(database) == [(EventState.PENDING, 0), (EventState.DONE, 1)]
    assert [reading.burst.member for reading in extractor.readings] == [ADA, BOB]


async def test_what_was_refused_is_counted_by_reason(recorder, extractor):
    extractor.read = lambda reading: make_extraction(
        make_candidate("likes tea", quote="never said"),
        make_candidate("password is x", quote="likes tea"),
    )
    await hear(recorder, make_event("likes tea"))
    await recorder.settle()
    assert recorder.extraction.refused == {"quote": 1, "secret": 1}


async def test_what_is_claimed_by_processes_that_die_is_not_given_up(database, recorder, clock):
    await hear(recorder, make_event("likes tea"))
    for _ in range(8):
        claimed, _ = await database.write(events.claim, ADA, CHANNEL, clock.now())
        assert len(claimed) == 1
    clock.advance(minutes=31)  # as after a failure
    await recorder.settle()
    assert await rows_of(database, ADA) == ["likes tea"]


async def settle_while_workers_pause(recorder, clock):
    """Settle; the pauses of workers that failed pass at once."""
    settling = asyncio.create_task(recorder.settle())
    while not settling.done():
        await asyncio.wait([settling], timeout=0.01)
        clock.advance(1)
    await settling


async def test_an_extractor_that_breaks_is_tried_four_times_and_stops_nobody_else(
    database, recorder, extractor, clock, caplog
):
    def read(reading):
        if reading.burst.member == ADA:
            raise ZeroDivisionError
        return word_for_word(reading)

    extractor.read = read
    await hear(recorder, make_event("likes tea"))
    for _ in range(8):
        await settle_while_workers_pause(recorder, clock)
        clock.advance(hours=31)
    assert len(extractor.readings) == 4
    await hear(recorder, make_event("likes coffee", author_id=BOB.user_id))
    await settle_while_workers_pause(recorder, clock)
    assert await rows_of(database, BOB) == ["likes coffee"]
    assert (await states(database))[0][0] is EventState.DONE
    assert "likes tea" not in caplog.text


# --- crashes ------------------------------------------------------------------------------------


async def test_what_a_crash_left_is_read_by_the_next_run_and_never_twice(database):
    stuck = FakeExtractor()
    stuck.gate = asyncio.Event()
    first = make_recorder(database, ManualClock(), stuck)
    await first.start()
    await first.record(make_event("likes tea"), HERE)
    crashed = asyncio.create_task(first.settle())
    await stuck.begun.get()

    later = ManualClock()
    later.advance(TAKEN_OVER_S)
    extractor = FakeExtractor()
    second = make_recorder(database, later, extractor)
    await second.start()
    await second.settle()
    assert extractor.texts == [["likes tea"]]

    stuck.gate.set()  # the first one was only held up: it must write nothing any more
    await crashed
    await first.settle()
    await second.settle()
    assert await rows_of(database, ADA, later.now()) == ["likes tea"]
    assert len(stuck.readings) == len(extractor.readings) == 1
    assert (
        await database.read(lambda s: s.scalar(select(func.count()).select_from(user_memory))) == 1
    )
    await first.close()
    await second.close()


async def test_a_result_that_comes_too_late_changes_nothing(database, caplog):
    caplog.set_level("INFO")
    stuck = FakeExtractor()
    stuck.gate = asyncio.Event()
    stuck.read = lambda reading: make_extraction(make_candidate("likes tea"))
    first = make_recorder(database, ManualClock(), stuck)
    await first.start()
    await first.record(make_event("likes tea"), HERE)
    late = asyncio.create_task(first.settle())
    await stuck.begun.get()

    later = ManualClock()
    later.advance(TAKEN_OVER_S)
    other = FakeExtractor(lambda reading: make_extraction())
    second = make_recorder(database, later, other)
    await second.start()
    await second.settle()
    before = await database.read(members.load_header, ADA)

    stuck.gate.set()
    await late
    assert await rows_of(database, ADA) == []
    assert await database.read(members.load_header, ADA) == before
    assert "another worker took over" in caplog.text
    assert StaleFence.__name__ not in caplog.text
    await first.close()
    await second.close()


# --- many ---------------------------------------------------------------------------------------


async def test_12_members_at_once_are_all_heard_and_each_learns_only_their_own(database, clock):
    extractor = FakeExtractor()
    recorder = make_recorder(database, clock, extractor, workers=8)
    await recorder.start()
    events = [
        make_event(f"likes topic{m} as member {n}", author_id=1000 + n)
        for m in range(3)
        for n in range(12)
    ]
    answers = await asyncio.gather(*(recorder.record(event, HERE) for event in events))
    assert all(answers)
    await recorder.settle()
    assert len(extractor.readings) == 12
    for n in range(12):
        found = await rows_of(database, Member(GUILD, 1000 + n))
        assert sorted(found) == [f"likes topic{m} as member {n}" for m in range(3)]
    assert {state for state, _ in await states(database)} == {EventState.DONE}
    await recorder.close()


async def test_the_cap_holds_while_many_bursts_are_applied(database, clock):
    recorder = make_recorder(database, clock, FakeExtractor(), policy=WritePolicy(cap=10))
    await recorder.start()
    await asyncio.gather(
        *(
            recorder.record(make_event(f"likes topic{n}", channel_id=500 + n), HERE)
            for n in range(14)
        )
    )
    await recorder.settle()
    assert len(await rows_of(database, ADA)) == 10
    await recorder.close()


async def test_kith_itself_is_never_read(database, recorder, extractor):
    await hear(recorder, make_event("I have a dog named Rex", role=Role.KITH))
    await recorder.settle()
    assert extractor.readings == []


async def test_the_sweep_takes_up_what_waits_without_being_told(
    database, recorder, extractor, clock
):
    extractor.failures.append(ModelUnreachable())
    await hear(recorder, make_event("likes tea"))
    await recorder.settle()
    await extractor.begun.get()
    while extractor.begun.empty():
        clock.advance(SWEEP_EVERY_S)
        await database.read(lambda connection: None)
    assert extractor.texts[-1] == ["likes tea"]
