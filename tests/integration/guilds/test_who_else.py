"""Who else told something: only who may be found, by notes that all readers may hear."""

from dataclasses import replace

import pytest
from sqlalchemy import update

from tests.fakes.builders import (
    ADA,
    BOB,
    GUILD,
    NOON,
    audience,
    make_chat_tools,
    make_event,
    make_turn,
)
from tests.integration.memory.member_data.test_search import remember, searched
from utils.conversation.tools import NOBODY_ELSE, RECALL_IS_OFF
from utils.database.guilds import account_links
from utils.database.memories import members
from utils.database.schema.memory_tables import user_memory, user_state
from utils.guilds.known_members import KnownMembers
from utils.guilds.who_else import MAX_FOUND, WhoElse
from utils.models.guild import GuildSettings
from utils.models.llm import ToolCall
from utils.models.memory import DIRECT_MESSAGES, Consent, Form, Member, Status
from utils.models.policy import WritePolicy

__all__ = ["searched"]  # a fixture: with a full-text index, and without
SETTINGS = GuildSettings(GUILD)
CARL = Member(GUILD, 30)
ELSEWHERE = Member(2, 40)
STAFF = 666


@pytest.fixture
def names(database, clock):
    return KnownMembers(database, clock)


@pytest.fixture
def find(searched, clock, names):
    who_else = WhoElse(searched, clock, names, WritePolicy())

    async def find(topic="chess", asker=ADA, sources=(), settings=SETTINGS):
        found = await who_else.find(asker, audience(*sources), topic, settings)
        return [(member.row.user_id, member.row.text) for member in found]

    return find


async def tell(database, text, member, **given):
    """Store a memory of a member who got Kith's notice; returns its id."""
    row_id = await remember(database, text, member, **given)
    await database.write(members.mark_consent_asked, member=member, now=NOON)
    return row_id


async def change_state(database, member, **values):
    await database.write(members.lock, member=member)
    which = user_state.c.UserId == member.user_id
    await database.write(lambda c: c.execute(update(user_state).where(which).values(**values)))


async def test_others_who_told_it_are_found_each_once_the_newest_first(searched, find):
    await tell(searched, "plays chess", BOB)
    await tell(searched, "plays chess on Fridays", BOB)
    await tell(searched, "loves chess", CARL)
    await tell(searched, "plays chess", ADA)
    await tell(searched, "plays the piano", CARL)
    await tell(searched, "plays chess", ELSEWHERE, guild_id=2)
    assert await find() == [(30, "loves chess"), (20, "plays chess on Fridays")]


async def test_at_most_five_are_found_also_when_one_told_it_often(searched, find):
    for user_id in range(50, 57):
        await tell(searched, "plays chess", Member(GUILD, user_id))
    for day in range(210):  # more than a page
        await tell(searched, f"plays chess on day {day}", BOB)
    found = await find()
    assert [user_id for user_id, _ in found] == [20, 56, 55, 54, 53]
    assert len(found) == MAX_FOUND


@pytest.mark.parametrize(
    "values",
    [
        {"Consent": Consent.OFF},
        {"NotFindable": True},
        {"Ignored": True},
        {"LeftAt": NOON},
        {"ConsentAskedAt": None},  # such as whom Kith only overheard, or who is in an import
    ],
)
async def test_who_may_not_be_found_is_not(searched, find, values):
    await tell(searched, "plays chess", BOB)
    await tell(searched, "plays chess", CARL)
    await change_state(searched, BOB, **values)
    assert await find() == [(30, "plays chess")]


async def test_where_the_default_is_off_only_who_chose_to_be_remembered_is_found(searched, find):
    await tell(searched, "plays chess", BOB)
    await tell(searched, "plays chess", CARL)
    await change_state(searched, CARL, Consent=Consent.TEMPORARY)
    settings = replace(SETTINGS, consent_default=Consent.OFF)
    assert await find(settings=settings) == [(30, "plays chess")]


@pytest.mark.parametrize(
    "values",
    [
        {"Form": Form.QUOTE},
        {"Status": Status.PROPOSED},
        {"Status": Status.SHADOW},
        {"ExpiresAt": NOON},
        {"UserId": 0},
    ],
)
async def test_only_notes_that_are_told_are_used(searched, find, values):
    await tell(searched, "plays chess", BOB)
    await searched.write(lambda c: c.execute(update(user_memory).values(**values)))
    assert await find() == []


async def test_what_was_said_in_confidence_finds_nobody(searched, find):
    await tell(searched, "plays chess", BOB, source="don't tell anyone but I play chess")
    assert await find() == []


async def test_only_what_all_readers_may_hear_is_found(searched, find):
    await tell(searched, "plays chess", BOB, channel_id=STAFF)
    assert await find() == []
    assert await find(sources=[STAFF]) == [(20, "plays chess")]


async def test_a_sensitive_note_finds_nobody_even_if_it_may_be_kept(searched, find):
    await tell(searched, "is gay", BOB)
    await tell(searched, "has asthma", BOB)
    assert await find("gay") == []
    assert await find("asthma") == []


async def test_the_askers_other_account_is_left_out(searched, find):
    await tell(searched, "plays chess", BOB)
    for own, other in ((ADA, BOB), (BOB, ADA)):
        await searched.write(
            lambda c, own=own, other=other: account_links.claim(c, own, other.user_id, NOON, NOON)
        )
    assert await find() == []


async def test_nobody_is_found_in_direct_messages_or_with_recall_off(database, find):
    await tell(database, "plays chess", BOB)
    assert await find(settings=replace(SETTINGS, recall=False)) == []
    await tell(database, "plays chess", Member(DIRECT_MESSAGES, 20), guild_id=0)
    who_else = WhoElse(database, None, None, WritePolicy())
    in_private = audience(guild_id=DIRECT_MESSAGES)
    assert await who_else.find(Member(0, 10), in_private, "chess", GuildSettings(0)) == []


# --- the tool -----------------------------------------------------------------------------------


async def test_the_tool_tells_names_notes_and_days_and_the_answer_rests_on_them(
    database, clock, reader
):
    row_id = await tell(database, "plays chess", BOB)
    turn = make_turn(make_event("who else plays chess?"), settings=SETTINGS)
    tools = make_chat_tools(database, clock, reader).of(turn)
    assert await tools.run(ToolCall("1", "who", {"topic": "chess"})) == (
        f"<@20>: plays chess ({NOON:%d %B %Y})"
    )
    assert [ref.id for ref in tools.memories.provenance.sources] == [row_id]
    assert tools.memories.about_ids == (20,)
    assert await tools.run(ToolCall("1", "who", {"topic": "judo"})) == NOBODY_ELSE
    assert not tools.refusals


async def test_the_tool_is_silent_where_recall_is_off_and_is_not_offered_in_private(
    database, clock, reader
):
    tools = make_chat_tools(database, clock, reader)
    off = make_turn(make_event("who else?"), settings=replace(SETTINGS, recall=False))
    assert await tools.of(off).run(ToolCall("1", "who", {"topic": "chess"})) == RECALL_IS_OFF
    assert "who" in tools.of(off).definitions[0].parameters["properties"]["action"]["enum"]
    private = make_turn(make_event("who else?", guild_id=0), settings=GuildSettings(0))
    (memory,) = tools.of(private).definitions
    assert "who" not in memory.parameters["properties"]["action"]["enum"]
