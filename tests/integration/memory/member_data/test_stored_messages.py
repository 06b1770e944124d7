"""Stored messages in their member's hands: counted, searched, explained, forgotten."""

import pytest
from sqlalchemy import select

from tests.fakes.builders import (
    ADA,
    BOB,
    CHANNEL,
    GUILD,
    NOON,
    FakeExtractor,
    audience,
    days,
    make_answer,
    make_candidate,
    make_event,
    make_extraction,
    make_reader,
    make_recorder,
)
from utils.database.messages import events
from utils.database.schema.memory_tables import memory_event
from utils.guilds.account_links import AccountLinkService
from utils.memory.member_data.search import MemorySearch
from utils.models.guild import GuildSettings
from utils.models.memory import Consent, EventState, Form
from utils.models.recall import Person
from utils.nlp.stemming import stems

CHEESE = "I adore blue cheese"


@pytest.fixture
async def keeper(keeper):
    await keeper.set_consent(BOB, Consent.LASTING)
    return keeper


@pytest.fixture
def searcher(database, clock):
    return MemorySearch(database, clock)


async def say(database, text, state=None, ends=300, **given):
    event = make_event(text, stems=" ".join(stems(text)), **given)
    end = NOON + days(ends)
    await database.write(events.insert, event, end, state)
    return event


async def asked(database, clock, person=ADA, text="what about the cheese?"):
    """What a prompt would hold if Bob asked about a person."""
    reader = make_reader(database, clock)
    people = (Person(BOB.user_id, "Bob"), Person(person.user_id, "Ada"))
    there = audience(CHANNEL, channel_id=555)
    return (await reader.recall(there, people, text, settings=GuildSettings(GUILD))).block


async def test_what_may_be_quoted_is_counted_with_its_end(database, keeper, member_data):
    assert (await member_data.show(ADA)).messages.number == 0
    await say(database, CHEESE)
    await say(database, "My sister lives in Rome", ends=200)
    await say(database, "I am somebody else", author_id=BOB.user_id)
    await say(database, "this is over", ends=0)
    counted = (await member_data.show(ADA)).messages
    assert (counted.number, counted.until) == (2, NOON + days(300))


async def test_moderators_are_shown_memories_and_no_messages(
    database, keeper, member_data, searcher
):
    await say(database, CHEESE)
    assert (await member_data.show(ADA, frozenset({CHANNEL}))).messages.number == 0
    found = await searcher.of_member(ADA, "cheese", frozenset({CHANNEL}), for_others=True)
    assert found.messages == ()


async def test_only_messages_of_readable_channels_are_found_for_an_answer(
    database, keeper, searcher
):
    await say(database, CHEESE, channel_id=999)
    assert not [
        words
        for words, channel_id in (("cheese", CHANNEL), ("ado", 999))  # too short for "adore"
        if (await searcher.of_member(ADA, words, frozenset({channel_id}))).messages
    ]
    assert (await searcher.of_member(ADA, "cheese", frozenset({999}))).messages


async def test_a_message_is_not_listed_beside_the_memory_that_rests_on_it(
    database, clock, keeper, searcher
):
    recorder = make_recorder(database, clock, FakeExtractor())
    await recorder.start()
    await recorder.record(make_event(CHEESE), audience())
    await recorder.settle()
    await recorder.close()
    found = await searcher.of_member(ADA, "cheese")
    assert len(found.rows) == 1
    assert found.messages == ()


async def test_a_forgotten_message_is_quoted_to_nobody_and_learnt_from_never_again(
    database, clock, keeper, searcher, member_data
):
    event = await say(database, CHEESE)
    answer = make_answer(event, "You adore blue cheese!", about_ids=(ADA.user_id,))
    await database.write(events.insert, answer, NOON + days(300), EventState.DONE)
    assert CHEESE in await asked(database, clock)
    (message,) = (await searcher.of_member(ADA, "cheese")).messages
    assert not await keeper.forget_message(BOB, message.id)
    assert await keeper.forget_message(ADA, message.id)
    assert not await keeper.forget_message(ADA, message.id)
    assert await asked(database, clock) == ""
    assert (await searcher.of_member(ADA, "cheese")).messages == ()
    texts = await database.read(lambda c: c.scalars(select(memory_event.c.Text)).all())
    assert "cheese" not in " ".join(texts)
    recorder = make_recorder(database, clock, FakeExtractor())
    await recorder.start()
    await recorder.record(make_event(CHEESE, message_id=event.message_id, revision=5), audience())
    await recorder.settle()
    await recorder.close()
    assert (await member_data.show(ADA)).rows == ()


async def test_a_forgotten_message_takes_the_memories_that_rest_on_it(
    database, clock, keeper, member_data
):
    extractor = FakeExtractor(
        lambda reading: make_extraction(
            make_candidate("has a dog named Rex", quote="my dog Rex ate Tofu's dinner")
        )
    )
    recorder = make_recorder(database, clock, extractor)
    await recorder.start()
    event = await recorded(recorder, "my dog Rex ate Tofu's dinner")
    message, rows = await member_data.message(ADA, (await member_data.messages(ADA))[0].id)
    assert message.message_id == event.message_id
    assert [row.text for row in rows] == ["has a dog named Rex"]
    assert await member_data.message(BOB, message.id) is None
    assert await keeper.forget_message(ADA, message.id)
    assert (await member_data.show(ADA)).rows == ()
    await recorder.close()


async def recorded(recorder, text):
    event = make_event(text)
    await recorder.record(event, audience())
    await recorder.settle()
    return event


async def test_a_linked_accounts_message_is_found_and_forgotten_from_either(
    database, clock, keeper, searcher
):
    links = AccountLinkService(database, clock)
    await links.link(ADA, BOB.user_id)
    await links.link(BOB, ADA.user_id)
    await say(database, CHEESE, author_id=BOB.user_id)
    assert (await searcher.of_member(ADA, "cheese")).messages == ()
    unreadable = await searcher.of_member(ADA, "cheese", linked_sources=frozenset({999}))
    assert unreadable.messages == ()
    found = await searcher.of_member(ADA, "cheese", linked_sources=frozenset({CHANNEL}))
    assert await keeper.forget_message(ADA, found.messages[0].id)
    assert (await searcher.of_member(BOB, "cheese")).messages == ()


async def test_a_forgotten_note_takes_the_quote_of_its_sentence_along_and_no_other(
    database, clock, keeper, member_data
):
    both = "I have a dog named Rex. Blue cheese is what I adore"
    extractor = FakeExtractor(
        lambda reading: make_extraction(
            make_candidate("has a dog named Rex", quote="I have a dog named Rex"),
            make_candidate("", quote="I have a dog named Rex."),
            make_candidate("", quote="Blue cheese is what I adore"),
        )
    )
    recorder = make_recorder(database, clock, extractor)
    await recorder.start()
    await recorded(recorder, both)
    await recorder.close()
    rows = (await member_data.show(ADA)).rows
    (note,) = [row for row in rows if row.form is Form.NOTE]
    assert await keeper.forget(ADA, note.id)
    left = (await member_data.show(ADA)).rows
    assert [row.text for row in left] == ["Blue cheese is what I adore"]
    assert "Rex" not in await asked(database, clock)
