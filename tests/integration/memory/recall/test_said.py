"""What members said, told again: only where it may be, only while it is there."""

import pytest
from sqlalchemy import update

from benchmarks.stage.import_memories import ImportedMemory, MemoryImporter
from tests.fakes.builders import (
    ADA,
    BOB,
    CHANNEL,
    GUILD,
    NOON,
    audience,
    days,
    make_event,
    make_reader,
    make_rules,
)
from utils.database.memories import members
from utils.database.messages import events
from utils.database.schema.memory_tables import memory_event
from utils.memory.policy.categories import DEFAULT_CATEGORIES
from utils.memory.privacy.retention import Retention
from utils.models.guild import GuildSettings
from utils.models.memory import Consent, EventState
from utils.models.recall import Person
from utils.nlp.stemming import stems

ADA_HERE, BOB_HERE = Person(ADA.user_id, "Ada"), Person(BOB.user_id, "Bob")
ELSEWHERE = 555
MOTORBIKE = "My motorbike broke down near Lyon"


@pytest.fixture
async def keeper(keeper):
    await keeper.set_consent(BOB, Consent.LASTING)
    return keeper


@pytest.fixture
def reader(database, clock, keeper):
    return make_reader(database, clock)


async def say(database, text, **given):
    event = make_event(text, stems=" ".join(stems(text)), **given)
    await database.write(events.insert, event, NOON + days(300))
    return event


async def recall(reader, text="the motorbike?", *sources, people=(ADA_HERE,), settings=None):
    where = audience(CHANNEL, *sources, channel_id=ELSEWHERE)
    return await reader.recall(where, people, text, settings=settings or GuildSettings(GUILD))


async def test_a_message_that_fits_is_quoted_with_its_day(database, reader):
    await say(database, MOTORBIKE)
    found = await recall(reader)
    assert f'Said: "{MOTORBIKE}" (11 March)' in found.block
    assert found.about_ids == (ADA.user_id,)


async def test_what_is_in_sight_anyway_is_not_repeated(database, reader):
    await say(database, MOTORBIKE)
    seen = await reader.recall(
        audience(CHANNEL), (ADA_HERE,), "motorbike", settings=GuildSettings(GUILD)
    )
    assert not seen.quotes


async def test_of_members_who_are_ignored_or_switched_off_nothing_is_quoted(database, reader):
    await say(database, MOTORBIKE)
    assert (await recall(reader)).quotes
    await database.write(members.set_ignored, ADA, ignored=True)
    assert not (await recall(reader)).quotes
    await database.write(members.set_ignored, ADA, ignored=False)
    await database.write(members.choose, ADA, consent=Consent.OFF)
    assert not (await recall(reader)).quotes


async def test_an_expired_message_is_not_quoted_even_from_the_cache(database, reader, clock):
    await say(database, MOTORBIKE)
    assert (await recall(reader)).quotes
    clock.jump(days(301))
    assert not (await recall(reader)).quotes


async def test_an_erasure_is_seen_at_once_whoever_erases(database, other, reader, clock):
    await say(database, MOTORBIKE)
    assert (await recall(reader)).quotes
    await Retention(other, clock).erase_channels(GUILD, [CHANNEL])
    assert (await recall(reader)).block == ""


async def test_an_erased_neighbours_words_find_nothing_any_more(database, reader, clock):
    question = await say(database, "Which motorbike?", author_id=BOB.user_id, author_name="Bob")
    await say(database, "The old red one")
    assert (await recall(reader)).quotes
    await Retention(database, clock).retract(GUILD, [question.message_id])
    assert not (await recall(reader)).quotes


async def test_an_expired_neighbours_words_find_nothing_any_more(database, reader, clock):
    question = await say(database, "Which motorbike?", author_id=BOB.user_id, author_name="Bob")
    await say(database, "The old red one")
    await database.write(
        lambda connection: connection.execute(
            update(memory_event)
            .where(memory_event.c.MessageId == question.message_id)
            .values(ExpiresAt=NOON + days(1))
        )
    )
    assert (await recall(reader)).quotes
    clock.jump(days(2))
    assert not (await recall(reader)).quotes


async def test_what_was_only_overheard_is_not_quoted(database, reader):
    event = await say(database, MOTORBIKE)
    await database.write(
        lambda connection: connection.execute(
            update(memory_event)
            .where(memory_event.c.MessageId == event.message_id)
            .values(State=EventState.OVERHEARD)
        )
    )
    assert not (await recall(reader)).quotes


async def test_what_must_not_be_kept_is_not_quoted(database, reader):
    await say(database, f"{MOTORBIKE}, my password is hunter2")
    found = await recall(reader)
    assert not found.quotes
    assert found.block == ""


async def test_a_memory_that_the_rules_of_now_refuse_is_not_told(database, clock, keeper):
    lenient, strict = (
        make_reader(database, clock, forbidden=forbidden)
        for forbidden in (frozenset(), DEFAULT_CATEGORIES)
    )
    importer = MemoryImporter(database, clock, make_rules(forbidden=frozenset()))
    event = await say(database, "I go to church with my motorbike")
    await importer.import_memories(
        ADA, event.message_id, [ImportedMemory("goes to church by motorbike")]
    )
    assert "church" in (await recall(lenient)).block
    assert "church" not in (await recall(strict)).block


async def test_messages_appended_to_the_cache_are_recalled_as_by_a_reader_that_loads_them_all(
    database, reader, clock, keeper
):
    """After each change, a reader that has recalled before says the same as one that has not."""
    texts = [
        "My motorbike broke down near Lyon",
        "the motorbike is red",
        "Yesterday I sold a boat in Lyon",
    ]
    said = []
    for number in range(12):
        said.append(await say(database, f"{texts[number % 3]}, {number}", created_at=clock.now()))
        clock.advance(minutes=7 * (number % 9))
        if number % 4 == 3:
            memory = await keeper.remember(ADA, said[-1], f"has motorbike number {number}")
        if number % 7 == 6:
            await keeper.retention.retract(GUILD, [said[number // 2].message_id])
        if number % 11 == 10:
            assert await keeper.forget(ADA, memory.id)
        question = "when did the motorbike break down near Lyon?"
        known = await recall(reader, question)
        assert known.block == (await recall(make_reader(database, clock), question)).block
        assert "Lyon" in known.block
