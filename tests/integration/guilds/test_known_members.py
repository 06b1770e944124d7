"""Whom a message names: from what was recorded and seen, one person for each name."""

import pytest

from tests.fakes.builders import (
    ADA,
    BOB,
    CHANNEL,
    GUILD,
    audience,
    make_event,
    make_memory_service,
)
from utils.common.errors import DatabaseUnavailable
from utils.database.core.engine import Database
from utils.guilds.known_members import KnownMembers
from utils.models.memory import DIRECT_MESSAGES, Consent, Member


@pytest.fixture
def people(database, clock):
    return KnownMembers(database, clock)


async def named(people, text, **given):
    found = await people.named(GUILD, CHANNEL, text, **given)
    return [(one.user_id, one.name) for one in found]


async def test_who_was_met_is_known_by_each_of_their_names(people):
    people.update_names(GUILD, 7, ["Alex", None, "alexander"])
    assert await named(people, "what does alex like?") == [(7, "Alex")]
    assert await named(people, "what does Alexander like?") == [(7, "Alex")]
    assert await named(people, "what does Alex like?", exclude_ids={7}) == []


async def test_servers_are_worlds_apart_and_direct_messages_name_nobody(people):
    people.update_names(GUILD + 1, 7, ["Alex"])
    people.update_names(DIRECT_MESSAGES, 7, ["Alex"])
    assert await named(people, "Alex?") == []
    assert await people.named(DIRECT_MESSAGES, CHANNEL, "Alex?") == ()


async def test_a_name_of_two_is_nobodys_unless_one_of_them_takes_part(people, recorder):
    people.update_names(GUILD, ADA.user_id, ["Alex", "ada"])
    people.update_names(GUILD, BOB.user_id, ["Alex", "bob"])
    assert await named(people, "what does Alex like?") == []
    await recorder.record(make_event("hello", author_id=BOB.user_id), audience())
    assert await named(people, "what does Alex like?") == [(BOB.user_id, "Alex")]
    await recorder.record(make_event("hi", author_id=ADA.user_id), audience())
    assert await named(people, "what does Alex like?") == []


async def test_who_has_written_is_known_after_a_restart_by_the_newest_name(
    database, clock, recorder
):
    await recorder.record(make_event("one", author_name="Old"), audience())
    await recorder.record(make_event("two", author_name="Ada Lovelace"), audience())
    fresh = KnownMembers(database, clock)
    assert await named(fresh, "what does ada like?") == [(ADA.user_id, "Ada Lovelace")]
    assert await named(fresh, "what does Old like?") == []


async def test_who_left_is_known_no_more(people):
    people.update_names(GUILD, 7, ["Alex"])
    people.remove_member(GUILD, 7)
    people.remove_member(GUILD, 8)
    assert await named(people, "Alex") == []
    people.update_names(GUILD, 7, ["Alex"])
    people.leave(GUILD)
    assert await named(people, "Alex") == []


async def test_who_is_named_says_whether_anything_of_them_may_be_stored(database, clock, people):
    people.update_names(GUILD, BOB.user_id, ["Bob"])
    people.update_names(GUILD, 30, ["Zoe"])
    await make_memory_service(database, clock).set_consent(Member(GUILD, 30), Consent.OFF)
    found = await people.named_with_consent(
        GUILD, "Bob and Zoe moved in with me", author_id=ADA.user_id
    )
    assert found == {BOB.user_id: True, 30: False}
    assert await people.named_with_consent(GUILD, "nobody moved in", author_id=ADA.user_id) == {}


async def test_the_fourth_who_is_named_and_one_of_two_with_a_name_may_have_opted_out(
    database, clock, people
):
    for user_id, name in ((31, "Ben"), (32, "Cem"), (33, "Dan"), (30, "Zoe"), (34, "Zoe")):
        people.update_names(GUILD, user_id, [name])
    await make_memory_service(database, clock).set_consent(Member(GUILD, 30), Consent.OFF)
    for text in ("I live with Ben, Cem, Dan and Zoe", "I live with Zoe"):
        found = await people.named_with_consent(GUILD, text, author_id=ADA.user_id)
        assert found[30] is False
        assert await people.named_with_consent(GUILD, text, author_id=34) == {
            user_id: True for user_id in found if user_id in (31, 32, 33)
        }


async def test_while_the_database_is_away_nobody_counts_as_willing(people, monkeypatch):
    async def away(self, unit, *args, **kwargs):
        raise DatabaseUnavailable

    monkeypatch.setattr(Database, "read", away)
    people.update_names(GUILD, BOB.user_id, ["Bob"])
    with pytest.raises(DatabaseUnavailable):
        await people.named_with_consent(GUILD, "I live with Bob", author_id=ADA.user_id)
