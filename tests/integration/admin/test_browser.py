"""The operator's lists, single memories and changes: what they show, and what they never do."""

from dataclasses import replace
from datetime import timedelta
from unittest.mock import Mock

import pytest
from sqlalchemy import update

from docs.schema_sql import sql_server_dialect
from tests import sql_server_rules
from tests.fakes.builders import (
    ADA,
    BOB,
    CHANNEL,
    GUILD,
    NOON,
    make_event,
)
from tests.fakes.clock import ManualClock
from tests.integration.admin.conftest import BrowserHousehold
from tests.integration.memory.member_data.test_search import remember
from tests.integration.residue import HERE
from tests.rows import each_row
from utils.admin import browser
from utils.common.errors import BadInput, Conflict, NotFound
from utils.database.admin import memory_items
from utils.database.memories import members
from utils.database.schema.memory_tables import user_memory
from utils.models.admin import MAX_ID, MemoryEdit, MemoryFilter
from utils.models.memory import Consent, Kind, Member, Source, Status
from utils.models.operator import OPERATOR

EVE = Member(2, 30)


async def every(read, *given, limit=2, **named):
    """Every row of a list, page by page, and how many pages that took."""
    rows, cursor, pages = [], None, 0
    while True:
        page = await read(*given, cursor=cursor, limit=limit, **named)
        rows += page.rows
        pages += 1
        assert len(page.rows) <= limit
        if page.cursor is None:
            return rows, pages
        assert page.cursor != cursor
        cursor = page.cursor


# --- lists --------------------------------------------------------------------------------------


def set_source(connection, row_id, source):
    connection.execute(update(user_memory).where(user_memory.c.Id == row_id).values(Source=source))


@pytest.fixture
async def shelf(database):
    """Seven memories of three people in two servers."""
    await remember(database, "plays chess", topics=("games", "chess", "überraschung"))
    await remember(database, "hates games", kind=Kind.PREFERENCE, topics=("board games",))
    await remember(database, "moves house", kind=Kind.TASK, expires_at=NOON + timedelta(days=3))
    await remember(database, "has a dog", status=Status.PROPOSED)
    overheard = await remember(database, "said openly", BOB)
    await database.write(set_source, row_id=overheard, source=Source.PASSIVE)
    await remember(database, "has a dog as well", BOB, topics=("pets", "dogs"))
    await remember(database, "has a dog elsewhere", EVE)


@pytest.mark.parametrize("few_at_once", [True, False])
@each_row(
    ("wanted", "texts"),
    [
        ({}, 7),
        ({"guild_id": GUILD, "user_id": BOB.user_id}, ["has a dog as well", "said openly"]),
        ({"status": Status.PROPOSED}, ["has a dog"]),
        ({"topic": "games"}, ["plays chess"]),
        ({"topic": "Überraschung"}, ["plays chess"]),
        ({"topic": "🎮"}, []),
        ({"topic": "%"}, []),
        ({"expiring_before": NOON + timedelta(days=4)}, ["moves house"]),
        ({"text": "dogs"}, ["has a dog elsewhere", "has a dog as well", "has a dog"]),
        ({"text": "dog", "guild_id": GUILD, "user_id": ADA.user_id}, ["has a dog"]),
        ({"text": "dog", "status": Status.SUPERSEDED}, []),
        ({"guild_id": MAX_ID, "user_id": MAX_ID}, []),
    ],
)
async def test_a_filter_finds_what_it_says_newest_first(
    house, shelf, request, wanted, texts, few_at_once
):
    if few_at_once:
        request.getfixturevalue("few")
    rows, _ = await every(house.browser.items, MemoryFilter(**wanted))
    assert [row.id for row in rows] == sorted({row.id for row in rows}, reverse=True)
    found = [row.text for row in rows]
    assert (found if isinstance(texts, list) else len(found)) == texts


@pytest.mark.parametrize(
    "wanted",
    [{"text": "..."}, {"text": "x" * 201}],
)
async def test_what_no_filter_can_be_gets_a_sentence(house, wanted):
    with pytest.raises(BadInput):
        await house.browser.items(MemoryFilter(**wanted))


async def test_a_memory_is_shown_with_all_that_is_behind_it(house):
    await house.tell("home: lives in Rome")
    event = await house.tell("home: lives in Oslo")
    new = await house.only(status=Status.ACTIVE)
    old = await house.only(status=Status.SUPERSEDED)
    detail = await house.browser.item(new.id)
    assert [one.id for one in detail.past] == [old.id]
    assert detail.successor is None
    (backing,) = detail.evidence
    assert backing.quote == "home: lives in Oslo"
    assert backing.link == f"https://discord.com/channels/{GUILD}/{CHANNEL}/{event.message_id}"
    assert [line.action for line in detail.audit] == ["learnt"]
    assert (await house.browser.item(old.id)).successor == new
    assert await house.browser.item(MAX_ID) is None


# --- looks --------------------------------------------------------------------------------------


async def test_a_look_is_in_the_audit_of_who_was_looked_at_and_makes_nobody_known(house):
    await house.tell("likes tea")
    stranger = Member(GUILD, 777)
    await house.database.write(members.invalidate_guild, guild_id=GUILD)
    await house.browser.record_view(ADA, stranger, Member(GUILD, 0))
    (view,) = (await house.member_data.show(ADA)).views
    assert view.actor_id == OPERATOR
    assert (await house.browser.audit(GUILD, 0, "viewed")).rows == ()
    known, _ = await every(house.browser.members, GUILD)
    assert stranger.user_id not in [row.user_id for row in known]


async def noted(house, action, *whose):
    """How often an action stands in the audit of each."""
    pages = [await house.browser.audit(one.guild_id, one.user_id, action) for one in whose]
    return [len(page.rows) for page in pages]


async def test_an_export_is_in_the_audit_of_everybody_in_it(house, monkeypatch):
    monkeypatch.setattr(browser, "AUDIT_BATCH", 1)
    await house.keeper.set_consent(EVE, Consent.LASTING)
    server, direct = Member(GUILD, 0), Member(0, 0)
    places = (server, ADA, BOB, EVE, direct)
    await house.browser.record_operator_action("exported", GUILD)
    assert await noted(house, "exported", *places) == [1, 1, 1, 0, 0]
    await house.browser.record_operator_action("exported")
    assert await noted(house, "exported", *places) == [1, 2, 2, 1, 1]
    await house.browser.record_operator_action("exported", user_id=ADA.user_id)
    await house.browser.record_operator_action("exported", GUILD, 0)
    assert await noted(house, "exported", *places) == [2, 3, 2, 1, 1]
    await house.browser.record_operator_action("imported")
    assert await noted(house, "imported", *places) == [0, 0, 0, 0, 1]
    assert len({*(await every(house.browser.audit, GUILD))[0]}) == 9


# --- changes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("consent", "kind", "change", "sentence"),
    [
        (Consent.TEMPORARY, Kind.FACT, {"is_permanent": True}, "can last until 2026-04-10"),
        (Consent.TEMPORARY, Kind.FACT, {"days": 31}, "can last until 2026-04-10"),
        (Consent.LASTING, Kind.TASK, {"days": 31}, "this task"),
        (Consent.LASTING, Kind.FACT, {"days": -1}, "in the past"),
        (Consent.LASTING, Kind.FACT, {"status": Status.SUPERSEDED}, "active, proposed or shadow"),
        (Consent.LASTING, Kind.FACT, {"status": Status.FORGOTTEN}, "forget it"),
        (Consent.LASTING, Kind.PATTERN, {"status": Status.SHADOW}, "may be quoted. To take it out"),
    ],
)
async def test_no_memory_gets_what_its_member_did_not_allow(house, consent, kind, change, sentence):
    await house.keeper.set_consent(ADA, consent)
    row_id = await remember(house.database, "x", kind=kind, expires_at=NOON + timedelta(days=5))
    before = (await house.browser.item(row_id)).item
    days = change.pop("days", None)
    if days is not None:
        change["expires_at"] = house.clock.now() + timedelta(days=days)
    with pytest.raises(BadInput, match=sentence):
        await house.browser.change(row_id, MemoryEdit(**change))
    assert (await house.browser.item(row_id)).item == before


async def test_what_is_gone_replaced_or_over_cannot_be_changed(house):
    await house.tell("home: lives in Rome")
    await house.tell("home: lives in Oslo")
    old, new = [await house.only(status=one) for one in (Status.SUPERSEDED, Status.ACTIVE)]
    change = MemoryEdit(status=Status.ACTIVE)
    with pytest.raises(Conflict, match=f"replaced by #{new.id}"):
        await house.browser.change(old.id, change)
    await house.browser.forget(new.id)
    with pytest.raises(Conflict, match="was forgotten"):
        await house.browser.change(new.id, change)
    over = await remember(house.database, "x", expires_at=NOON - timedelta(days=1))
    with pytest.raises(Conflict, match="has expired"):
        await house.browser.change(over, change)
    with pytest.raises(NotFound):
        await house.browser.change(MAX_ID, change)


async def test_a_frozen_server_lets_nothing_be_changed_and_everything_be_forgotten(house):
    await house.tell("likes tea")
    row = await house.only(text="tea")
    await house.guilds.set_values(GUILD, frozen=True)
    with pytest.raises(Conflict, match="frozen"):
        await house.browser.change(row.id, MemoryEdit(status=Status.SHADOW))
    assert await house.browser.forget(row.id)


async def test_where_nothing_may_be_written_nothing_is_changed(database, database_url):
    house = BrowserHousehold(database, database_url, ManualClock(), read_only=True)
    row_id = await remember(database, "likes tea")
    with pytest.raises(Conflict, match="MEMORY_READ_ONLY"):
        await house.browser.change(row_id, MemoryEdit(status=Status.SHADOW))
    assert await house.browser.forget(row_id)


async def test_the_operator_forgets_as_the_member_could_and_it_says_who(house):
    event = await house.tell("likes tea")
    row = await house.only(text="tea")
    assert await house.browser.forget(row.id)
    assert not await house.recalled("tea")
    assert await house.residue("tea") == []
    line = (await house.browser.item(row.id)).audit[0]
    assert (line.action, line.actor_id) == ("forgotten", OPERATOR)
    again = replace(make_event("likes tea"), message_id=event.message_id)
    await house.recorder.record(again, HERE)
    await house.recorder.settle()
    assert await house.known() == []
    assert not await house.browser.forget(row.id)
    assert not await house.browser.forget(MAX_ID)


def test_each_letter_of_a_topic_counts_on_sql_server():
    """In older collations, each text is like one of emoji, which are taken for nothing."""
    server = Mock(dialect=sql_server_dialect())
    *_, has_topic = memory_items._conditions(server, MemoryFilter(topic="🎮"))
    words = sql_server_rules.compiled(has_topic)
    assert "[UserMemory].[Topics] COLLATE Latin1_General_100_BIN2" in words
