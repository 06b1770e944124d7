"""What members said, told again: only where it may be, only while it is there."""

import pytest
from sqlalchemy import update

from tests.fakes.builders import ADA, BOB, CHANNEL, GUILD, NOON, audience, days, make_event
from tests.fakes.clock import ManualClock
from utils.clock import SystemClock
from utils.database import events, members
from utils.database.engine import Database
from utils.database.tables import memory_event
from utils.memory.categories import DEFAULT_CATEGORIES
from utils.memory.importing import Imported, Importer
from utils.memory.keeper import Keeper
from utils.memory.policy import WritePolicy
from utils.memory.reader import Reader
from utils.memory.retention import Retention
from utils.memory.stems import stems
from utils.model.guild import GuildSettings
from utils.model.memory import SERVER_ITSELF, Consent, EventState, Kind, Member
from utils.model.recall import Person

ADA_HERE, BOB_HERE = Person(ADA.user_id, "Ada"), Person(BOB.user_id, "Bob")
ELSEWHERE = 555
MOTORBIKE = "My motorbike broke down near Lyon"


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
async def keeper(database, clock):
    made = Keeper(database, clock)
    for member in (ADA, BOB):
        await made.set_consent(member, Consent.LASTING)
    return made


@pytest.fixture
def reader(database, clock, keeper):
    return Reader(database, clock)


async def say(database, text, **given):
    event = make_event(text, stems=" ".join(stems(text)), **given)
    await database.write(lambda session: events.insert(session, event, NOON + days(300)))
    return event


async def recall(reader, text="the motorbike?", *sources, people=(ADA_HERE,), settings=None):
    where = audience(CHANNEL, *sources, channel_id=ELSEWHERE)
    return await reader.recall(where, people, text, settings=settings or GuildSettings(GUILD))


async def test_a_message_that_fits_is_quoted_with_its_day(database, reader):
    await say(database, MOTORBIKE)
    found = await recall(reader)
    assert f'Said: "{MOTORBIKE}" (11 March)' in found.block
    assert found.about_ids == (ADA.user_id,)


async def test_what_was_said_where_the_readers_cannot_read_is_not_quoted(database, reader):
    await say(database, MOTORBIKE, channel_id=999)
    assert (await recall(reader)).block == ""


async def test_what_is_in_sight_anyway_is_not_repeated(database, reader):
    await say(database, MOTORBIKE)
    seen = await reader.recall(
        audience(CHANNEL), (ADA_HERE,), "motorbike", settings=GuildSettings(GUILD)
    )
    assert not seen.said


async def test_of_members_who_are_ignored_or_switched_off_nothing_is_quoted(database, reader):
    await say(database, MOTORBIKE)
    assert (await recall(reader)).said
    await database.write(lambda session: members.set_ignored(session, ADA, ignored=True))
    assert not (await recall(reader)).said
    await database.write(lambda session: members.set_ignored(session, ADA, ignored=False))
    await database.write(lambda session: members.set_consent(session, ADA, Consent.OFF))
    assert not (await recall(reader)).said


async def test_an_expired_message_is_not_quoted_even_from_the_cache(database, reader, clock):
    await say(database, MOTORBIKE)
    assert (await recall(reader)).said
    clock.jump(days(301))
    assert not (await recall(reader)).said


async def test_a_new_message_is_found_beside_what_is_kept(database, reader):
    await say(database, MOTORBIKE)
    await recall(reader)
    await say(database, "The motorbike is repaired")
    assert len((await recall(reader)).said) == 2


@pytest.mark.parametrize("way", ["forget_all", "retract", "consent", "erase_member", "channel"])
async def test_every_erasure_is_seen_at_once_whoever_erases(
    database, database_url, reader, clock, way
):
    event = await say(database, MOTORBIKE)
    assert (await recall(reader)).said
    other = Database(database_url, pool_size=1, clock=SystemClock())
    await other.open()
    keeper, retention = Keeper(other, clock), Retention(other, clock)
    erase = {
        "forget_all": lambda: keeper.forget_all(ADA),
        "retract": lambda: retention.retract(GUILD, [event.message_id]),
        "consent": lambda: keeper.set_consent(ADA, Consent.OFF),
        "erase_member": lambda: retention.erase_member(ADA.user_id, GUILD),
        "channel": lambda: retention.erase_places(GUILD, [CHANNEL]),
    }[way]
    await erase()
    assert (await recall(reader)).block == ""
    await other.close()


async def test_an_erased_neighbours_words_find_nothing_any_more(database, reader, clock):
    question = await say(database, "Which motorbike?", author_id=BOB.user_id, author_name="Bob")
    await say(database, "The old red one")
    assert (await recall(reader)).said
    await Retention(database, clock).retract(GUILD, [question.message_id])
    assert not (await recall(reader)).said


async def test_an_expired_neighbours_words_find_nothing_any_more(database, reader, clock):
    question = await say(database, "Which motorbike?", author_id=BOB.user_id, author_name="Bob")
    await say(database, "The old red one")
    await database.write(
        lambda session: session.execute(
            update(memory_event)
            .where(memory_event.c.MessageId == question.message_id)
            .values(ExpiresAt=NOON + days(1))
        )
    )
    assert (await recall(reader)).said
    clock.jump(days(2))
    assert not (await recall(reader)).said


async def test_of_a_memory_and_its_message_the_shorter_is_shown(database, reader, clock):
    long = f"{MOTORBIKE}, and then we had to wait for three hours until somebody stopped for us"
    event = await say(database, long)
    importer = Importer(database, clock, WritePolicy())
    await importer.take_in(ADA, event.message_id, [Imported("motorbike broke down near Lyon")])
    found = await recall(reader)
    assert [row.text for row in found.rows] == ["motorbike broke down near Lyon"]
    assert not found.said


async def test_lore_is_told_only_where_it_fits_and_counts_as_somebodys(database, reader, clock):
    event = await say(database, "Remember the great lag night!")
    server = Member(GUILD, SERVER_ITSELF)
    importer = Importer(database, clock, WritePolicy())
    lore = Imported("the great lag night", kind=Kind.LORE)
    await importer.take_in(server, event.message_id, [lore])
    assert "Lore:" not in (await recall(reader, "How is the weather?")).block
    found = await recall(reader, "Will there be another lag night?")
    assert found.block.splitlines()[-1].startswith("Lore: the great lag night")
    assert SERVER_ITSELF in found.about_ids


async def test_what_was_only_overheard_is_not_quoted(database, reader):
    event = await say(database, MOTORBIKE)
    await database.write(
        lambda session: session.execute(
            update(memory_event)
            .where(memory_event.c.MessageId == event.message_id)
            .values(State=EventState.OVERHEARD)
        )
    )
    assert not (await recall(reader)).said


@pytest.mark.parametrize("secret", ["my password is hunter2", "mail me at ada@example.org"])
async def test_what_must_not_be_kept_is_not_quoted(database, reader, secret):
    await say(database, f"{MOTORBIKE}, {secret}")
    found = await recall(reader)
    assert not found.said
    assert found.block == ""


async def test_a_memory_that_the_rules_of_now_refuse_is_not_told(database, clock, keeper):
    lenient, strict = (
        Reader(database, clock, forbidden=forbidden)
        for forbidden in (frozenset(), DEFAULT_CATEGORIES)
    )
    importer = Importer(database, clock, WritePolicy(), forbidden=frozenset())
    event = await say(database, "I go to church with my motorbike")
    await importer.take_in(ADA, event.message_id, [Imported("goes to church by motorbike")])
    assert "church" in (await recall(lenient)).block
    assert "church" not in (await recall(strict)).block
