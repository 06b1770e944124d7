"""A server's policy holds at once, within its limits; and moderators decide once on what waits."""

from collections import Counter
from dataclasses import replace

import pytest

from tests.fakes.builders import (
    ADA,
    BOB,
    CHANNEL,
    GUILD,
    at,
    audience,
    held_up,
    make_candidate,
    make_event,
    make_extraction,
    make_guild_settings,
    make_memory_service,
    make_recorder,
)
from tests.integration.stored_rows import in_order
from utils.common.errors import BadInput
from utils.database.memories import members, memories
from utils.database.schema.memory_tables import (
    memory_audit,
    memory_event,
    policy_version,
    user_memory,
)
from utils.memory.member_data.review import ReviewQueue
from utils.memory.member_data.view import MemberData
from utils.memory.privacy.pruning import prune
from utils.models.memory import Form, Status
from utils.models.policy import Outcome, Review, WriteMode, WritePolicy
from utils.models.transfer import Statement
from utils.runtime.signals import MemorySignals

MIA, NOA = 77, 78
OPEN = frozenset({CHANNEL})


@pytest.fixture
def book(database, clock):
    return make_guild_settings(database, clock)


@pytest.fixture
def keeper(database, clock):
    return make_memory_service(database, clock)


@pytest.fixture
def queue(database, clock):
    return ReviewQueue(database, clock)


async def choose(book, **chosen):
    return await book.set_policy(GUILD, chosen, actor_id=MIA, reason="because")


async def tell(recorder, text="I have a dog named Rex", **given):
    event = make_event(text, **given)
    await recorder.record(event, audience())
    await recorder.settle()
    return event


async def tell_openly(recorder, text="I have a dog named Rex", **given):
    event = make_event(text, **given)
    here = audience()
    await recorder.record(event, replace(here, is_open=True))
    await recorder.settle()
    return event


async def rows_of(database, member=ADA):
    found = await database.read(memories.load_current, member, at(minutes=1))
    return [(row.text, row.status) for row in found]


async def ids_of(database, member=ADA):
    found = await database.read(memories.load_current, member, at(minutes=1))
    return [row.id for row in found]


# --- policies -----------------------------------------------------------------------------------


async def test_every_change_is_a_version_with_who_and_why(database, book, clock):
    change = await choose(book, mode="shadow")
    assert (change.before.mode, change.after.mode, change.version) == (
        WriteMode.AUTO,
        WriteMode.SHADOW,
        1,
    )
    await choose(book, cap=9)
    same = await choose(book, cap=9)
    assert (same.before, same.version) == (same.after, 2)
    stored = policy_version.c
    assert await database.read(
        in_order, stored.Version, stored.ActorId, stored.Reason, stored.At
    ) == [
        (1, MIA, "because", clock.now()),
        (2, MIA, "because", clock.now()),
    ]
    assert await book.policy(GUILD) == WritePolicy(mode=WriteMode.SHADOW, cap=9)
    assert await book.policy(GUILD + 1) == WritePolicy()


async def test_a_wrong_value_changes_nothing(book):
    with pytest.raises(BadInput):
        await choose(book, mode="manual", cap=0)
    assert await book.policy(GUILD) == WritePolicy()


async def test_a_change_holds_at_once_for_what_another_process_is_reading(
    database, clock, extractor, recorder, book
):
    await recorder.record(make_event(), audience())
    async with held_up(extractor, recorder.settle()):
        await choose(book, mode="shadow")
    assert await rows_of(database) == [("I have a dog named Rex", Status.SHADOW)]


async def test_a_policy_holds_in_its_own_server_only(database, recorder, book):
    await choose(book, mode="shadow")
    other = make_event(guild_id=GUILD + 1)
    await recorder.record(other, audience(guild_id=GUILD + 1))
    await tell(recorder)
    assert (await rows_of(database))[0][1] is Status.SHADOW
    assert (await rows_of(database, other.member))[0][1] is Status.ACTIVE


async def test_pruning_holds_a_servers_lower_cap(database, clock, recorder, book):
    for number in range(3):
        await tell(recorder, f"I own item{'x' * number}")
        await tell(recorder, f"I own item{'x' * number}", author_id=BOB.user_id, guild_id=GUILD + 1)
    await choose(book, cap=1)
    assert (await prune(database, clock, WritePolicy())).by_reason["over_cap"] == {GUILD: 2}
    assert len(await ids_of(database)) == 1


# --- sessions and hours -------------------------------------------------------------------------


async def forms_of(database):
    return Counter(await database.read(in_order, user_memory.c.Form))


async def test_a_talkative_member_is_heard_again_after_a_pause(database, clock, book, extractor):
    recorder = make_recorder(database, clock, extractor)
    await recorder.start()
    await choose(book, writes_per_session=2)
    for word in ("one", "two", "three"):
        await tell(recorder, f"I own number {word}", created_at=clock.now())
    assert await forms_of(database) == {Form.NOTE: 2, Form.QUOTE: 1}
    clock.advance(minutes=31)
    await tell(recorder, "I own number four", created_at=clock.now())
    await recorder.settle()
    assert await forms_of(database) == {Form.NOTE: 3, Form.QUOTE: 1}
    await recorder.close()


# --- freezing, ignoring, reading only -----------------------------------------------------------


async def test_a_frozen_server_stores_not_even_messages_and_reads_none(
    database, recorder, book, extractor
):
    await recorder.record(make_event("I own a boat"), audience())
    await book.set_values(GUILD, frozen=True)
    assert await recorder.record(make_event("I own a car"), audience())
    await recorder.settle()
    assert await database.read(in_order, memory_event.c.Text) == ["I own a boat"]
    assert extractor.readings == []
    await book.set_values(GUILD, frozen=False)
    await recorder.settle()
    assert await rows_of(database) == []


@pytest.mark.parametrize(
    ("stop", "reason"),
    [
        (lambda book: book.set_values(GUILD, frozen=True), "frozen"),
        (lambda book: book.ignore(ADA, ignored=True), "ignored"),
    ],
)
async def test_freezing_and_ignoring_stop_what_is_being_read(
    database, recorder, book, extractor, stop, reason
):
    await recorder.record(make_event(), audience())
    async with held_up(extractor, recorder.settle()):
        await stop(book)
    assert (await rows_of(database), recorder.extraction.refused) == ([], {reason: 1})


async def test_of_an_ignored_member_nothing_is_stored_and_what_is_there_stays(
    database, recorder, book, extractor
):
    await tell(recorder, "I own a boat")
    assert await book.ignore(ADA, ignored=True)
    assert not await book.ignore(ADA, ignored=True)
    assert await book.ignored(GUILD) == [ADA.user_id]
    assert await book.ignored(GUILD + 1) == []
    await tell(recorder, "I own a car")
    await tell(recorder, "I own a drum", author_id=BOB.user_id)
    assert [text for text, _ in await rows_of(database)] == ["I own a boat"]
    assert [text for text, _ in await rows_of(database, BOB)] == ["I own a drum"]
    assert await database.read(in_order, memory_event.c.Text) == ["I own a boat", "I own a drum"]
    assert await book.ignore(ADA, ignored=False)
    await tell(recorder, "I own a kite")
    assert len(await ids_of(database)) == 2


async def test_a_process_that_only_reads_stores_nothing_and_reads_nothing(
    database, clock, extractor
):
    waiting = make_recorder(database, clock, extractor)
    await waiting.record(make_event("I own a boat"), audience())
    reading = make_recorder(database, clock, extractor, read_only=True)
    await reading.start()
    assert await reading.record(make_event("I own a car"), audience())
    await reading.settle()
    await reading.close()
    assert await database.read(in_order, memory_event.c.Text) == ["I own a boat"]
    assert extractor.readings == []


# --- the review queue ---------------------------------------------------------------------------


@pytest.fixture
async def manual(database, clock, extractor, book):
    """A recorder in a server in which moderators decide; ``told`` are the memories it told of."""
    await choose(book, mode="manual")
    signals = MemorySignals()
    made = make_recorder(database, clock, extractor, signals=signals)
    made.told = []
    signals.proposals.connect(
        lambda guild_id, ids: made.told.extend((guild_id, memory_id) for memory_id in ids)
    )
    await made.start()
    yield made
    await made.close()


async def test_what_is_approved_holds_and_enters_the_profile_if_it_was_said_openly(
    database, clock, manual, keeper, queue
):
    await tell_openly(manual, "I own a boat")
    await tell_openly(manual, "I own a car", channel_id=CHANNEL + 1)
    boat, car = await ids_of(database)
    assert await keeper.review(GUILD, boat, True, MIA, OPEN) == Review(Outcome.APPROVED, MIA, True)
    await keeper.review(GUILD, car, True, MIA, OPEN)
    assert [status for _, status in await rows_of(database)] == [Status.ACTIVE] * 2
    assert (await database.read(members.load_header, ADA)).profile.row_ids == (boat,)
    assert "boat" in (await MemberData(database, clock).show(ADA)).profile
    audit = memory_audit.c
    deeds = await database.read(in_order, audit.MemoryId, audit.Action, audit.ActorId)
    assert (boat, "approved", MIA) in deeds
    assert await queue.waiting(GUILD) == []


async def test_what_is_rejected_is_erased_and_its_message_teaches_nothing_again(
    database, manual, keeper, extractor
):
    event = await tell(manual)
    (one,) = await ids_of(database)
    assert await keeper.review(GUILD, one, False, MIA) == Review(Outcome.REJECTED, MIA, True)
    assert await database.read(in_order, user_memory.c.Memory) == []
    assert await database.read(in_order, memory_event.c.Text) == ["", ""]
    audit = memory_audit.c
    assert await database.read(in_order, audit.Action, audit.ActorId, audit.After) == [
        ("setting", MIA, '{"policy_version": 1}'),
        ("learnt", 0, None),
        ("rejected", MIA, None),
    ]
    await manual.record(make_event(message_id=event.message_id, revision=1), audience())
    await manual.settle()
    assert (await ids_of(database), manual.extraction.refused) == ([], {"forgotten": 1})


async def test_nobody_decides_for_another_server(database, manual, keeper):
    await tell(manual)
    (one,) = await ids_of(database)
    assert (await keeper.review(GUILD + 1, one, True, MIA)).outcome is Outcome.GONE
    assert (await rows_of(database))[0][1] is Status.PROPOSED


async def test_what_was_forgotten_or_is_over_cannot_be_approved(
    database, clock, manual, keeper, queue
):
    await tell(manual, "I own a boat")
    await tell(manual, "I own a car")
    boat, car = await ids_of(database)
    await keeper.forget(ADA, boat)
    assert await keeper.review(GUILD, boat, True, MIA, OPEN) == Review(Outcome.GONE)
    clock.advance(days=31)
    assert (await keeper.review(GUILD, car, True, MIA, OPEN)).outcome is Outcome.GONE
    await prune(database, clock, WritePolicy())
    assert await queue.standing(GUILD, car) == Review(Outcome.GONE)


async def test_nothing_is_approved_while_frozen_and_rejecting_still_works(
    database, manual, keeper, book
):
    await tell(manual)
    (one,) = await ids_of(database)
    await book.set_values(GUILD, frozen=True)
    with pytest.raises(BadInput, match="frozen"):
        await keeper.review(GUILD, one, True, MIA, OPEN)
    reading = make_memory_service(database, keeper._clock, read_only=True)
    with pytest.raises(BadInput):
        await reading.review(GUILD, one, True, MIA, OPEN)
    assert (await reading.review(GUILD, one, False, MIA)).is_new


async def test_what_waits_cannot_get_past_the_moderators_by_a_correction_and_its_undoing(
    database, clock, book, keeper, extractor
):
    recorder = make_recorder(database, clock, extractor)
    await recorder.start()
    await choose(book, mode="manual")
    extractor.read = lambda reading: make_extraction(make_candidate("I rule this server"))
    await tell_openly(recorder, "I rule this server")
    (bold,) = await ids_of(database)
    said = Statement("likes tea", 4711, CHANNEL)
    meek = await keeper.correct(ADA, bold, said)
    await keeper.review(GUILD, meek.id, True, MIA, OPEN)
    await keeper.undo(ADA, meek.id)
    assert await rows_of(database) == [("I rule this server", Status.PROPOSED)]
    assert (await MemberData(database, clock).show(ADA)).profile == ""
    await recorder.close()
