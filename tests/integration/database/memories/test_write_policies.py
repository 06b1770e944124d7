"""A server's policy holds at once, within its limits; and moderators decide once on what waits."""

import asyncio
from collections import Counter
from dataclasses import replace

import pytest
from sqlalchemy import select

from tests.fakes.builders import (
    ADA,
    BOB,
    CHANNEL,
    GUILD,
    at,
    audience,
    make_candidate,
    make_event,
    make_extraction,
    make_guild_settings,
    make_memory_service,
    make_recorder,
)
from utils.common.config import Settings
from utils.common.errors import BadInput, SettingsError
from utils.database.memories import members, memories, review_queue, write_policies
from utils.database.schema.memory_tables import (
    memory_audit,
    memory_event,
    policy_version,
    user_memory,
)
from utils.memory.member_data.review import ReviewQueue
from utils.memory.member_data.view import MemberData
from utils.memory.policy.categories import Category
from utils.memory.privacy.pruning import prune
from utils.models.memory import Consent, Form, Kind, Status
from utils.models.policy import Outcome, Review, ReviewPost, WriteMode, WritePolicy, Writes
from utils.models.transfer import Statement
from utils.runtime.signals import MemorySignals
from utils.services import forbidden_categories

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


async def column(database, *columns):
    def unit(connection):
        return [tuple(row) for row in connection.execute(select(*columns)).all()]

    return await database.read(unit)


# --- policies -----------------------------------------------------------------------------------


async def test_a_server_that_chose_nothing_has_the_operators_policy(database, clock):
    book = make_guild_settings(database, clock, WritePolicy(cap=40))
    assert await book.policy(GUILD) == WritePolicy(cap=40)
    assert (await book.get(GUILD)).recall


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
    assert await column(database, stored.Version, stored.ActorId, stored.Reason, stored.At) == [
        (1, MIA, "because", clock.now()),
        (2, MIA, "because", clock.now()),
    ]
    assert await book.policy(GUILD) == WritePolicy(mode=WriteMode.SHADOW, cap=9)
    assert await book.policy(GUILD + 1) == WritePolicy()


async def test_changes_made_at_once_are_all_kept(database, clock):
    books = [make_guild_settings(database, clock) for _ in range(4)]
    fields = [{"cap": 9}, {"writes_per_hour": 8}, {"pattern_days": 7}, {"recall": False}]
    await asyncio.gather(
        *(choose(book, **chosen) for book, chosen in zip(books, fields, strict=True))
    )
    assert await books[0].policy(GUILD) == WritePolicy(
        cap=9, writes_per_hour=8, pattern_days=7, recall=False
    )
    assert sorted(await column(database, policy_version.c.Version)) == [(1,), (2,), (3,), (4,)]


async def test_other_choices_of_a_server_survive_a_change_of_policy(book):
    await book.set_time_zone(GUILD, "Europe/Berlin")
    await choose(book, recall=False)
    settings = await book.show_members(GUILD, is_shown=True)
    assert (settings.time_zone, settings.recall, settings.moderators_see_members) == (
        "Europe/Berlin",
        False,
        True,
    )
    assert (await book.freeze(GUILD, frozen=True)).policy_version == 1


async def test_a_wrong_value_changes_nothing(book):
    with pytest.raises(BadInput):
        await choose(book, mode="manual", cap=0)
    assert await book.policy(GUILD) == WritePolicy()


async def test_a_change_holds_at_once_for_what_another_process_is_reading(
    database, clock, extractor, recorder, book
):
    extractor.gate = asyncio.Event()
    await recorder.record(make_event(), audience())
    settling = asyncio.create_task(recorder.settle())
    await extractor.begun.get()
    await choose(book, mode="shadow")
    extractor.gate.set()
    await settling
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
    report = await prune(database, clock, WritePolicy())
    assert report.over_cap == {GUILD: 2}
    assert len(await ids_of(database)) == 1


async def test_pruning_holds_the_operators_lower_cap(database, clock, recorder, book):
    for number in range(3):
        await tell(recorder, f"I own item{'x' * number}")
    await choose(book, cap=3)
    report = await prune(database, clock, WritePolicy(cap=2))
    assert report.over_cap == {GUILD: 1}
    assert len(await ids_of(database)) == 2


async def test_members_over_their_own_servers_cap_are_found_page_by_page(database, recorder, book):
    for user_id in (10, 11, 12):
        for words in ("I own a car", "I own a boat"):
            await tell(recorder, words, author_id=user_id)
    await choose(book, cap=1)
    found, after = [], members.Member(-1, -1)
    while page := await database.read(
        lambda s, after=after: write_policies.over_cap(s, 500, after, limit=2)
    ):
        found += page
        after = page[-1]
    assert [member.user_id for member in found] == [10, 11, 12]


# --- sessions and hours -------------------------------------------------------------------------


async def writes_at(database, said_at, now):
    return await database.read(write_policies.count_writes, ADA, said_at, now)


async def test_a_session_lasts_until_half_an_hour_of_silence(database, clock, recorder):
    for minutes in (0, 29, 58, 120):
        clock.advance(seconds=(at(minutes=minutes) - clock.now()).total_seconds())
        await tell(recorder, f"I own thing{minutes}", created_at=at(minutes=minutes))
    assert await writes_at(database, at(minutes=80), at(minutes=80)) == Writes(3, 3)
    assert await writes_at(database, at(minutes=120), at(minutes=120)) == Writes(1, 1)
    assert (await writes_at(database, at(minutes=58), at(minutes=120))).in_session == 3


async def test_more_than_a_hundred_messages_can_be_one_session(database, recorder):
    await tell(recorder, "I own a boat")
    for minute in range(1, 150):
        await recorder.record(make_event("hm", created_at=at(minutes=minute)), audience())
    assert (await writes_at(database, at(minutes=149), at(minutes=149))).in_session == 1


async def forms_of(database):
    return Counter(form for (form,) in await column(database, user_memory.c.Form))


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


async def test_an_hour_holds_so_many_new_memories_whatever_the_sessions(
    database, clock, book, extractor
):
    recorder = make_recorder(database, clock, extractor)
    await recorder.start()
    await choose(book, writes_per_hour=2)
    for word in ("one", "two", "three"):
        await tell(recorder, f"I own number {word}", created_at=clock.now())
        clock.advance(minutes=15)
    assert await forms_of(database) == {Form.NOTE: 2, Form.QUOTE: 1}
    clock.advance(minutes=16)
    await tell(recorder, "I own number four", created_at=clock.now())
    assert (await forms_of(database))[Form.NOTE] >= 3
    await recorder.close()


# --- freezing, ignoring, reading only -----------------------------------------------------------


async def test_a_frozen_server_stores_not_even_messages_and_reads_none(
    database, recorder, book, extractor
):
    await recorder.record(make_event("I own a boat"), audience())
    await book.freeze(GUILD, frozen=True)
    event = make_event("I own a car")
    assert await recorder.record(event, audience())
    await recorder.settle()
    assert await column(database, memory_event.c.Text) == [("I own a boat",)]
    assert extractor.readings == []
    await book.freeze(GUILD, frozen=False)
    await recorder.settle()
    assert await rows_of(database) == []


async def test_freezing_stops_what_is_being_read(database, recorder, book, extractor):
    extractor.gate = asyncio.Event()
    await recorder.record(make_event(), audience())
    settling = asyncio.create_task(recorder.settle())
    await extractor.begun.get()
    await book.freeze(GUILD, frozen=True)
    extractor.gate.set()
    await settling
    assert (await rows_of(database), recorder.extraction.refused) == ([], {"frozen": 1})


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
    assert await column(database, memory_event.c.Text) == [("I own a boat",), ("I own a drum",)]
    assert await book.ignore(ADA, ignored=False)
    await tell(recorder, "I own a kite")
    assert len(await ids_of(database)) == 2


async def test_ignoring_stops_what_is_being_read(database, recorder, book, extractor):
    extractor.gate = asyncio.Event()
    await recorder.record(make_event(), audience())
    settling = asyncio.create_task(recorder.settle())
    await extractor.begun.get()
    await book.ignore(ADA, ignored=True)
    extractor.gate.set()
    await settling
    assert (await rows_of(database), recorder.extraction.refused) == ([], {"ignored": 1})


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
    assert await column(database, memory_event.c.Text) == [("I own a boat",)]
    assert extractor.readings == []


def test_the_operator_chooses_what_is_forbidden_by_name():
    def chosen(text):
        return forbidden_categories(Settings(_env_file=None, forbidden_categories=text))

    assert chosen("all") == frozenset(Category)
    assert chosen("none") == frozenset()
    assert chosen("health, crime") == {Category.HEALTH, Category.CRIME}
    with pytest.raises(SettingsError, match=r"FORBIDDEN_CATEGORIES.*wealth"):
        chosen("wealth")


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


async def test_what_waits_is_told_once_and_queued_oldest_first(database, manual, queue):
    await tell(manual, "I own a boat")
    await tell(manual, "I own a drum", author_id=BOB.user_id)
    await tell(manual, "I own a boat")
    (boat,), (drum,) = await ids_of(database), await ids_of(database, BOB)
    assert manual.told == [(GUILD, boat), (GUILD, drum)]
    assert [(one.member, one.memory_id, one.text) for one in await queue.waiting(GUILD)] == [
        (ADA, boat, "I own a boat"),
        (BOB, drum, "I own a drum"),
    ]
    assert await queue.waiting(GUILD + 1) == []
    assert await queue.find(GUILD + 1, boat) is None


async def test_what_is_approved_holds_and_enters_the_profile_if_it_was_said_openly(
    database, clock, manual, keeper, queue
):
    await tell_openly(manual, "I own a boat")
    await tell_openly(manual, "I own a car", channel_id=CHANNEL + 1)
    boat, car = await ids_of(database)
    assert await keeper.review(GUILD, boat, True, MIA, OPEN) == Review(Outcome.APPROVED, MIA, True)
    await keeper.review(GUILD, car, True, MIA, OPEN)
    assert [status for _, status in await rows_of(database)] == [Status.ACTIVE] * 2
    standing = await database.read(members.load_header, ADA)
    assert standing.profile.row_ids == (boat,)
    shown = await MemberData(database, clock).show(ADA)
    assert "boat" in shown.profile
    audit = memory_audit.c
    deeds = await column(database, audit.MemoryId, audit.Action, audit.ActorId)
    assert (boat, "approved", MIA) in deeds
    assert await queue.waiting(GUILD) == []


async def test_what_is_rejected_is_erased_and_its_message_teaches_nothing_again(
    database, manual, keeper, extractor
):
    event = await tell(manual)
    (one,) = await ids_of(database)
    assert await keeper.review(GUILD, one, False, MIA) == Review(Outcome.REJECTED, MIA, True)
    assert await column(database, user_memory.c.Memory) == []
    assert await column(database, memory_event.c.Text) == [("",), ("",)]
    audit = memory_audit.c
    assert await column(database, audit.Action, audit.ActorId, audit.After) == [
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
    await book.freeze(GUILD, frozen=True)
    with pytest.raises(BadInput, match="frozen"):
        await keeper.review(GUILD, one, True, MIA, OPEN)
    reading = make_memory_service(database, keeper._clock, read_only=True)
    with pytest.raises(BadInput):
        await reading.review(GUILD, one, True, MIA, OPEN)
    assert (await reading.review(GUILD, one, False, MIA)).is_new


async def test_what_is_said_again_after_the_mode_changed_needs_no_moderator(
    database, clock, manual, book, queue
):
    await tell(manual, "I own a boat")
    (one,) = await ids_of(database)
    await choose(book, mode="auto")
    clock.advance(minutes=1)
    await tell(manual, "I own a boat", created_at=clock.now())
    assert await queue.standing(GUILD, one) == Review(Outcome.CONFIRMED)


async def test_an_approved_correction_takes_the_place_of_what_it_corrects(
    database, clock, book, keeper, extractor
):
    recorder = make_recorder(database, clock, extractor)
    await recorder.start()

    def home(text, replaces=None):
        candidate = make_candidate(text, attribute="home", replaces=replaces)
        extractor.read = lambda reading: make_extraction(candidate)

    home("I live in Berlin")
    await tell_openly(recorder, "I live in Berlin")
    (old,) = await ids_of(database)
    await choose(book, mode="manual")
    home("I live in Hamburg", replaces=old)
    await tell_openly(recorder, "I live in Hamburg")
    assert (await rows_of(database))[0] == ("I live in Berlin", Status.ACTIVE)
    new = (await ids_of(database))[1]
    await keeper.review(GUILD, new, True, MIA, OPEN)
    assert await rows_of(database) == [("I live in Hamburg", Status.ACTIVE)]
    assert (await MemberData(database, clock).show(ADA)).profile == "I live in Hamburg."
    await keeper.undo(ADA, new)
    assert await rows_of(database) == [("I live in Berlin", Status.PROPOSED)]
    await keeper.review(GUILD, old, True, MIA, OPEN)
    assert await rows_of(database) == [("I live in Berlin", Status.ACTIVE)]
    await recorder.close()


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


async def test_an_approved_correction_of_something_forgotten_stands_alone(
    database, clock, book, keeper, extractor
):
    recorder = make_recorder(database, clock, extractor)
    await recorder.start()
    extractor.read = lambda reading: make_extraction(
        make_candidate("I live in Berlin", attribute="home")
    )
    await tell(recorder, "I live in Berlin")
    (old,) = await ids_of(database)
    await choose(book, mode="manual")
    extractor.read = lambda reading: make_extraction(
        make_candidate("I live in Hamburg", attribute="home", replaces=old)
    )
    await tell(recorder, "I live in Hamburg")
    await keeper.forget(ADA, old)
    (new,) = await ids_of(database)
    await keeper.review(GUILD, new, True, MIA)
    assert await rows_of(database) == [("I live in Hamburg", Status.ACTIVE)]
    await recorder.close()


async def test_posts_are_stale_as_soon_as_their_memory_waits_no_more(
    database, manual, keeper, queue
):
    await tell(manual, "I own a boat")
    await tell(manual, "I own a car")
    boat, car = await ids_of(database)
    posts = [ReviewPost(GUILD, boat, 5, 50), ReviewPost(GUILD, car, 5, 51)]
    for post in posts:
        await queue.note_post(post)
    assert await queue.stale_posts([GUILD]) == []
    await keeper.set_consent(ADA, Consent.OFF)
    assert await queue.stale_posts([GUILD]) == posts
    assert await queue.stale_posts([GUILD + 1]) == []
    await queue.close_post(posts[0])
    assert await queue.stale_posts([GUILD]) == posts[1:]


async def test_no_kind_but_a_fact_enters_the_profile(database, manual, keeper, extractor):
    extractor.read = lambda reading: make_extraction(
        make_candidate("I own a boat", kind=Kind.PREFERENCE)
    )
    await tell_openly(manual, "I own a boat")
    (one,) = await ids_of(database)
    await keeper.review(GUILD, one, True, MIA, OPEN)
    standing = await database.read(members.load_header, ADA)
    assert standing.profile.text == ""
    assert await database.read(review_queue.find_waiting, GUILD, one, at()) is None
