"""A name that a member gave themselves finds them where all readers may hear it."""

from dataclasses import replace

import pytest
from sqlalchemy import update

from tests.fakes.builders import ADA, BOB, GUILD, audience
from tests.integration.guilds.test_who_else import change_state, tell
from utils.database.schema.memory_tables import user_memory
from utils.guilds.known_members import KnownMembers
from utils.models.guild import GuildSettings
from utils.models.memory import Consent, Form, Member, Status
from utils.models.recall import NOBODY_NAMED, NamedPeople, Person

SETTINGS = GuildSettings(GUILD)
CARL = Member(GUILD, 30)
STAFF = 666


@pytest.fixture
def people(database, clock):
    people = KnownMembers(database, clock)
    for member, name in ((ADA, "Ada"), (BOB, "Bob"), (CARL, "Carl")):
        people.update_names(GUILD, member.user_id, [name])
    return people


async def call(database, member, note, **given):
    """Store a note of a name; returns its id."""
    row_id = await tell(database, note, member, **given)
    which = user_memory.c.Id == row_id
    change = update(user_memory).where(which).values(FactKey="name")
    await database.write(lambda c: c.execute(change))
    return row_id


async def resolve(people, text, *sources, settings=SETTINGS, exclude_ids=()):
    return await people.resolve(audience(*sources), text, settings, exclude_ids)


async def test_a_member_is_found_by_the_name_they_gave_themselves(database, people):
    row_id = await call(database, BOB, "goes by Cap")
    bob = Person(20, "Bob")
    assert await resolve(people, "where does cap live?") == NamedPeople(
        (bob,), (), ("cap",), (row_id,)
    )
    assert (await resolve(people, "and Bob?")).people == (bob,)
    assert (await resolve(people, "Bob, I mean Cap")).people == (bob,)
    assert (await resolve(people, "Cap?", exclude_ids={20})).people == ()
    assert await resolve(people, "a handicap race") == NOBODY_NAMED
    assert await resolve(people, "Cap?", settings=replace(SETTINGS, recall=False)) == NOBODY_NAMED


async def test_it_counts_only_where_all_readers_may_hear_it(database, people):
    await call(database, BOB, "goes by Cap", channel_id=STAFF)
    assert await resolve(people, "where does Cap live?") == NOBODY_NAMED
    assert (await resolve(people, "where does Cap live?", STAFF)).people == (Person(20, "Bob"),)
    await call(database, CARL, "heißt Max", source="don't tell anyone, my name is Max")
    assert await resolve(people, "where does Max live?") == NOBODY_NAMED


async def test_a_name_on_discord_wins(database, people):
    await call(database, BOB, "goes by Carl")
    await call(database, ADA, "goes by Bob")
    assert await resolve(people, "where does Carl live?") == NamedPeople(
        (Person(30, "Carl"),), (), ("carl",)
    )
    people.update_names(GUILD, BOB.user_id, ["Bobby B", "Bob", "Ada"])  # two are called Ada
    assert [await resolve(people, f"where does {name} live?") for name in ("Bob", "Ada")] == [
        NamedPeople((Person(20, "Bobby B"),), (), ("bob",)),
        NOBODY_NAMED,
    ]


async def test_nobody_goes_by_the_name_of_a_bot(database, people):
    """Else whoever says "Kith, …" would speak of a member who calls themselves so."""
    await call(database, BOB, "goes by Kith")
    kith = Member(GUILD, 99)
    people.update_bot(GUILD, kith.user_id, ["Kith Bot", None])
    assert await resolve(people, "Kith, where does Ada live?") == NamedPeople(
        (Person(10, "Ada"),), (), ("ada",)
    )
    people.remove_member(GUILD, kith.user_id)
    assert (await resolve(people, "where does Kith live?")).people == (Person(20, "Bob"),)


async def test_a_name_of_two_is_nobodys_and_is_asked_about(database, people):
    ids = [await call(database, member, "goes by Cap") for member in (BOB, CARL)]
    assert await resolve(people, "where does Cap live?") == NamedPeople(
        (), (("cap", (Person(20, "Bob"), Person(30, "Carl"))),), ("cap",), tuple(ids)
    )


@pytest.mark.parametrize(
    "values",
    [{"Consent": Consent.OFF}, {"NotFindable": True}, {"Ignored": True}, {"ConsentAskedAt": None}],
)
async def test_who_may_not_be_found_is_not(database, people, values):
    await call(database, BOB, "goes by Cap")
    await change_state(database, BOB, **values)
    assert await resolve(people, "where does Cap live?") == NOBODY_NAMED


@pytest.mark.parametrize(
    "values", [{"Form": Form.QUOTE}, {"Status": Status.PROPOSED}, {"Status": Status.SUPERSEDED}]
)
async def test_only_a_note_that_holds_is_a_name(database, people, values):
    await call(database, BOB, "goes by Cap")
    await database.write(lambda c: c.execute(update(user_memory).values(**values)))
    assert await resolve(people, "where does Cap live?") == NOBODY_NAMED
