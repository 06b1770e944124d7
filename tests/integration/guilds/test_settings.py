"""What servers chose: read from a short-lived copy, changed in one step."""

import asyncio

import pytest

from tests.fakes.builders import (
    GUILD,
    make_guild_settings,
    make_memory_service,
)
from utils.common.errors import BadInput, DatabaseError, DatabaseUnavailable
from utils.database.erasure.deletion import delete_of_channels
from utils.database.guilds import settings as stored
from utils.guilds.settings import FRESH_S
from utils.llm import prompts
from utils.memory.member_data.view import MemberData
from utils.models.guild import ChannelPurpose, GuildSettings, Purpose
from utils.models.memory import Consent, Member


class Away:
    """A database that cannot be reached."""

    async def read(self, unit, *args, **kwargs):
        raise DatabaseUnavailable


@pytest.fixture
def book(database, clock):
    return make_guild_settings(database, clock)


async def test_a_server_that_chose_nothing_has_the_defaults(book):
    assert await book.get(GUILD) == GuildSettings(GUILD)
    assert (await book.get(0)).mode == "friendly"


@pytest.mark.parametrize(
    "mode",
    [
        "",
        "\ud800",
    ],
)
async def test_a_mode_that_does_not_exist_is_refused_with_those_that_do(book, mode):
    with pytest.raises(BadInput, match=prompts.MODES[0]):
        await book.set_mode(GUILD, mode)
    assert (await book.get(GUILD)).mode == "friendly"


@pytest.mark.parametrize(
    ("city", "zone"),
    [
        ("Berlin", "Europe/Berlin"),
        ("new  york", "America/New_York"),
        ("europe/rome", "Europe/Rome"),
    ],
)
async def test_a_time_zone_is_chosen_by_its_city_in_any_case(book, city, zone):
    assert (await book.set_values(GUILD, time_zone=city)).time_zone == zone


@pytest.mark.parametrize(
    "name",
    [
        "",
        "/etc/passwd",
        "🌍" * 900,
    ],
)
async def test_a_time_zone_nobody_knows_is_refused(book, name):
    with pytest.raises(BadInput, match="Europe/Berlin"):
        await book.set_values(GUILD, time_zone=name)


async def test_of_two_who_remove_a_channel_at_once_one_is_told_that_it_was_there(book):
    await book.add_channel(GUILD, 5, Purpose.CHAT)
    removals = (book.remove_channel(GUILD, 5, Purpose.CHAT) for _ in range(2))
    assert sorted(await asyncio.gather(*removals)) == [False, True]


async def test_a_channel_that_is_erased_while_another_is_chosen_does_not_come_back(book, database):
    await book.add_channel(GUILD, 5, Purpose.CHAT)
    before = await book.add_channel(GUILD, 6, Purpose.CHAT)
    await database.write(delete_of_channels, GUILD, [5])
    after = before.with_purpose(Purpose.NEVER, [7])
    await database.write(stored.store, before=before, after=after)
    channels = (await book.latest(GUILD)).channels
    assert channels == (ChannelPurpose(6, Purpose.CHAT), ChannelPurpose(7, Purpose.NEVER))


async def test_a_channel_can_have_several_purposes_and_lose_one(book):
    await book.add_channel(GUILD, 5, Purpose.CHAT)
    await book.add_channel(GUILD, 5, Purpose.GAME, "Dota 2, MOBA, dota 2")
    assert await book.remove_channel(GUILD, 5, Purpose.CHAT)
    assert not await book.remove_channel(GUILD, 5, Purpose.CHAT)
    settings = await book.get(GUILD)
    assert settings.channels == (ChannelPurpose(5, Purpose.GAME, ("dota 2", "moba")),)
    assert settings.topics_of(5, "general") == ("dota 2", "moba")
    assert settings.topics_of(6, "speed-run_ning") == ("speed", "run", "ning")


async def test_a_change_by_another_process_is_seen_within_five_seconds_and_by_answers_at_once(
    other, clock, book
):
    assert (await book.get(GUILD)).time_zone == "UTC"
    await make_guild_settings(other, clock).set_values(GUILD, time_zone="Asia/Tokyo")
    assert (await book.get(GUILD)).time_zone == "UTC"
    clock.advance(FRESH_S)
    assert (await book.get(GUILD)).time_zone == "Asia/Tokyo"
    await make_guild_settings(other, clock).set_values(GUILD, time_zone="Europe/Berlin")
    assert (await book.latest(GUILD)).time_zone == "Europe/Berlin"
    assert (await book.get(GUILD)).time_zone == "Europe/Berlin"


async def test_while_the_database_is_away_answers_go_by_the_last_copy(database, clock, book):
    with pytest.raises(DatabaseError):
        await make_guild_settings(Away(), clock).latest(GUILD)
    kept = await book.set_values(GUILD, time_zone="Asia/Tokyo")
    book._database = Away()
    assert await book.latest(GUILD) == kept


async def test_changes_at_once_are_all_kept(database, clock, book):
    other = make_guild_settings(database, clock)
    await asyncio.gather(
        book.set_values(GUILD, time_zone="Asia/Tokyo"),
        other.set_mode(GUILD, prompts.MODES[0]),
        *(book.add_channel(GUILD, n, Purpose.CHAT) for n in range(10)),
    )
    settings = await make_guild_settings(database, clock).get(GUILD)
    assert (settings.time_zone, settings.mode) == ("Asia/Tokyo", prompts.MODES[0])
    assert len(settings.channels) == 10


async def test_a_default_of_consent_holds_for_those_who_have_not_chosen(database, clock, book):
    keeper = make_memory_service(database, clock)
    asked, chose = Member(GUILD, 10), Member(GUILD, 20)
    await keeper.set_consent(chose, Consent.TEMPORARY)
    for member in (asked, chose):
        await keeper.mark_consent_asked(member)
    settings = await book.set_values(GUILD, consent_default=Consent.LASTING)
    assert settings.consent_default is Consent.LASTING
    member_data = MemberData(database, clock)
    assert (await member_data.show(asked)).consent is Consent.LASTING
    assert (await member_data.show(chose)).consent is Consent.TEMPORARY
    for member in (asked, chose):
        assert not await keeper.mark_consent_asked(member), "each is asked once"
