"""The operator's lists, single memories and changes: what they show, and what they never do."""

import json
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest
from sqlalchemy import update

from tests.fakes.builders import (
    ADA,
    BOB,
    CHANNEL,
    GUILD,
    NOON,
    make_event,
    make_memory,
    make_reader,
)
from tests.fakes.clock import ManualClock
from tests.integration.admin.conftest import BrowserHousehold
from tests.integration.memory.member_data.test_search import remember, without_index
from tests.integration.residue import HERE
from tests.rows import each_row
from utils.admin import browser
from utils.common.errors import BadInput, Conflict, NotFound
from utils.database.admin import records
from utils.database.memories import members
from utils.database.schema.memory_tables import user_memory
from utils.models.admin import MAX_ID, MemoryEdit, MemoryFilter
from utils.models.memory import Consent, Importance, Kind, Member, Source, Status
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
    await remember(database, "plays chess", topics=("games", "chess"))
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
        ({"guild_id": GUILD}, 6),
        ({"guild_id": GUILD, "user_id": BOB.user_id}, ["has a dog as well", "said openly"]),
        ({"kind": Kind.PREFERENCE}, ["hates games"]),
        ({"status": Status.PROPOSED}, ["has a dog"]),
        ({"source": Source.PASSIVE}, ["said openly"]),
        ({"topic": "games"}, ["plays chess"]),
        ({"topic": "dog"}, []),
        ({"topic": "%"}, []),
        ({"guild_id": 2, "topic": "games"}, []),
        ({"expiring_before": NOON + timedelta(days=4)}, ["moves house"]),
        ({"expiring_before": NOON + timedelta(days=2)}, []),
        ({"text": "dogs"}, ["has a dog elsewhere", "has a dog as well", "has a dog"]),
        ({"text": "dog", "guild_id": GUILD}, ["has a dog as well", "has a dog"]),
        ({"text": "dog", "guild_id": GUILD, "user_id": ADA.user_id}, ["has a dog"]),
        ({"text": "dog well"}, ["has a dog as well"]),
        ({"text": "dog", "status": Status.SUPERSEDED}, []),
        ({"guild_id": 3}, []),
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


async def test_text_is_found_without_an_index_too(house, shelf, few):
    await house.database.write(without_index)
    rows, _ = await every(house.browser.items, MemoryFilter(text="dogs"))
    assert [row.text for row in rows] == ["has a dog elsewhere", "has a dog as well", "has a dog"]


async def test_a_person_is_found_in_every_server(house):
    for guild_id in (GUILD, 2, 0):
        member = Member(guild_id, ADA.user_id)
        await house.keeper.set_consent(member, Consent.LASTING)
        await remember(house.database, f"is in {guild_id}", member)
    rows, _ = await every(house.browser.items, MemoryFilter(user_id=ADA.user_id))
    assert [row.text for row in rows] == ["is in 0", "is in 2", "is in 1"]


async def test_a_call_looks_at_a_bounded_number_of_rows_and_says_where_to_go_on(house, few):
    await remember(house.database, "the oldest", kind=Kind.PREFERENCE)
    for number in range(25):
        await remember(house.database, f"number {number}")
    first = await house.browser.items(MemoryFilter(kind=Kind.PREFERENCE))
    assert first.rows == ()
    assert first.cursor is not None
    rows, pages = await every(house.browser.items, MemoryFilter(kind=Kind.PREFERENCE))
    assert [row.text for row in rows] == ["the oldest"]
    assert pages == 3
    rows, _ = await every(house.browser.items, MemoryFilter(kind=Kind.FACT), limit=50)
    assert [row.text for row in rows] == [f"number {number}" for number in range(24, -1, -1)]


@pytest.mark.parametrize(
    "wanted",
    [{"guild_id": 2**63}, {"user_id": -1}, {"text": "..."}, {"text": "x" * 201}],
)
async def test_what_no_filter_can_be_gets_a_sentence(house, wanted):
    with pytest.raises(BadInput):
        await house.browser.items(MemoryFilter(**wanted))


@pytest.mark.parametrize("limit", [0, -1, 201])
async def test_a_page_has_a_sensible_size(house, limit):
    for read in (house.browser.audit, house.browser.items):
        with pytest.raises(BadInput, match="between 1 and 200"):
            await read(MemoryFilter() if read == house.browser.items else GUILD, limit=limit)


async def test_broken_characters_in_a_filter_find_nothing_and_break_nothing(house, shelf):
    assert (await house.browser.items(MemoryFilter(topic="\x00\ud800"))).rows == ()
    assert (await house.browser.audit(action="\ud800" * 300)).rows == ()
    assert (await house.browser.members(GUILD, text="\ud800\x00")).rows == ()


async def test_messages_come_newest_first_and_as_they_were_last_edited(house, few):
    events = [await house.tell(f"likes number {number}") for number in range(9)]
    await house.tell("likes the sea", BOB, channel_id=555)
    await house.edit(events[3], "likes number three")
    rows, _ = await every(house.browser.events, GUILD, limit=5)
    assert [row.message_id for row in rows] == sorted({row.message_id for row in rows})[::-1]
    said = {row.message_id: row.text for row in rows}
    assert len(rows) == 20
    assert said[events[3].message_id] == "likes number three"
    assert said[events[0].message_id] == "likes number 0"
    assert "So: likes the sea!" in said.values()
    (own,), _ = await every(house.browser.events, GUILD, channel_id=555, user_id=BOB.user_id)
    assert (own.text, own.author_name, own.channel_id) == ("likes the sea", "Ada", 555)
    here, _ = await every(house.browser.events, GUILD, channel_id=555)
    assert [row.text for row in here] == ["So: likes the sea!", "likes the sea"]
    assert (await house.browser.events(2)).rows == ()


async def test_members_are_found_by_their_last_name_or_their_id(house):
    await house.tell("likes tea", author_name="Ada L.")
    await house.tell("likes rum", BOB, author_name="Bobby")
    await house.tell("likes gin", BOB, author_name="Bob von Ü")
    rows, _ = await every(house.browser.members, GUILD, limit=1)
    assert [(row.user_id, row.name, row.rows) for row in rows] == [
        (ADA.user_id, "Ada L.", 1),
        (BOB.user_id, "Bob von Ü", 2),
    ]
    assert rows[0].consent is Consent.LASTING
    for text in ("von ü", str(BOB.user_id)):
        (row,) = (await house.browser.members(GUILD, text=text)).rows
        assert row.user_id == BOB.user_id
    assert (await house.browser.members(GUILD, text="bobby")).rows == ()


@pytest.mark.parametrize("at_once", [2, 1_000])
async def test_members_are_listed_by_name_whoever_names_them(house, monkeypatch, at_once):
    monkeypatch.setattr(records, "MEMBERS_AT_ONCE", at_once)
    nameless, discords = Member(GUILD, 5), {ADA.user_id: "bea", BOB.user_id: "not asked for"}
    for member in (ADA, nameless):  # no message of theirs is stored
        await house.keeper.set_consent(member, Consent.LASTING)
    for member, name in ((BOB, "Cid"), (Member(GUILD, 30), "ann")):
        await house.tell("likes tea", member, author_name=name)
    listed = partial(
        house.browser.members, name_of=lambda _guild_id, user_id: discords.get(user_id)
    )
    rows, _ = await every(listed, GUILD, limit=1)
    sorted_alone = ["ann", "Cid", "bea", ""] if at_once == 2 else ["ann", "bea", "Cid", ""]
    assert [row.name for row in rows] == sorted_alone
    (found,) = (await every(listed, GUILD, text="BEA"))[0]
    assert found.user_id == ADA.user_id


async def test_the_audit_is_listed_by_server_member_and_action(house):
    await house.tell("likes tea")
    await house.tell("likes rum", BOB)
    rows, _ = await every(house.browser.audit, GUILD, action="learnt")
    assert [(row.user_id, row.after) for row in rows] == [
        (BOB.user_id, "likes rum"),
        (ADA.user_id, "likes tea"),
    ]
    rows, _ = await every(house.browser.audit, GUILD, ADA.user_id)
    assert {row.user_id for row in rows} == {ADA.user_id}
    assert (await house.browser.audit(3)).rows == ()
    assert (await house.browser.audit(action="learnt")).rows[0].after == "likes rum"


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


# --- changes ------------------------------------------------------------------------------------


async def test_the_next_recall_of_every_process_goes_by_a_change(house):
    await house.tell("likes tea")
    other = make_reader(house.database, house.clock)
    assert await house.recalled("tea") and await house.recalled("tea", other)
    row = await house.only(text="tea")
    changed = await house.browser.change(row.id, MemoryEdit(status=Status.SHADOW), "not true")
    assert changed == replace(row, status=Status.SHADOW)
    assert await house.only(text="tea") == changed
    assert not await house.recalled("tea") and not await house.recalled("tea", other)
    assert await house.profile() == ""
    await house.browser.change(row.id, MemoryEdit(status=Status.ACTIVE))
    assert await house.recalled("tea") and await house.recalled("tea", other)


async def test_a_change_says_in_the_audit_what_was_before_and_why(house):
    await house.tell("likes tea")
    row = await house.only(text="tea")
    end = house.clock.now() + timedelta(days=9)
    change = MemoryEdit(importance=Importance.HIGH, expires_at=end)
    await house.browser.change(row.id, change, "asked for\nby mail")
    line = (await house.browser.item(row.id)).audit[0]
    assert (line.action, line.actor_id, line.user_id) == ("changed", OPERATOR, ADA.user_id)
    assert json.loads(line.before) == {"importance": "medium", "expires_at": None}
    assert json.loads(line.after) == {
        "importance": "high",
        "expires_at": end.isoformat(),
        "reason": "asked for by mail",
    }
    assert "tea" not in line.before + line.after


async def test_what_changes_nothing_is_not_noted(house):
    await house.tell("likes tea")
    row = await house.only(text="tea")
    assert await house.browser.change(row.id, MemoryEdit(status=row.status)) == row
    assert await house.browser.change(row.id, MemoryEdit()) == row
    assert [line.action for line in (await house.browser.item(row.id)).audit] == ["learnt"]


async def test_what_waited_is_approved_and_takes_the_place_of_what_it_corrects(house):
    await house.tell("home: lives in Rome")
    old = await house.only(status=Status.ACTIVE)
    await house.guilds.set_policy(GUILD, {"mode": "manual"}, actor_id=1, reason="")
    await house.tell("home: lives in Oslo")
    new = await house.only(status=Status.PROPOSED)
    await house.browser.change(new.id, MemoryEdit(status=Status.ACTIVE), "checked")
    assert await house.known() == ["lives in Oslo"]
    assert (await house.browser.item(old.id)).successor.id == new.id
    lines = (await house.browser.item(new.id)).audit
    assert [line.action for line in lines] == ["changed", "approved", "learnt"]
    assert "Rome" not in await house.profile()


async def test_what_is_to_wait_is_told_to_the_moderators(house):
    await house.tell("likes tea")
    row = await house.only(text="tea")
    await house.browser.change(row.id, MemoryEdit(status=Status.PROPOSED))
    assert house.told == [(GUILD, row.id)]


@pytest.mark.parametrize(
    ("consent", "kind", "change", "sentence"),
    [
        (Consent.TEMPORARY, Kind.FACT, {"is_permanent": True}, "can last until 2026-04-10"),
        (Consent.TEMPORARY, Kind.FACT, {"days": 31}, "can last until 2026-04-10"),
        (Consent.LASTING, Kind.TASK, {"days": 31}, "this task"),
        (Consent.LASTING, Kind.FACT, {"days": -1}, "in the past"),
        (Consent.LASTING, Kind.FACT, {"days": 1, "is_permanent": True}, "choose one"),
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


async def test_a_servers_own_limit_holds_as_well(house):
    await house.guilds.set_policy(GUILD, {"longest_days": "fact 7"}, actor_id=1, reason="")
    row_id = await remember(house.database, "x")
    end = house.clock.now() + timedelta(days=8)
    with pytest.raises(BadInput, match="2026-03-18"):
        await house.browser.change(row_id, MemoryEdit(expires_at=end))
    changed = await house.browser.change(row_id, MemoryEdit(expires_at=end - timedelta(days=2)))
    assert changed.expires_at == end - timedelta(days=2)


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
    await house.guilds.freeze(GUILD, frozen=True)
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


async def test_a_servers_own_memories_can_be_changed_too(house):
    row_id = await remember(house.database, "the great lag night", Member(GUILD, 0), kind=Kind.LORE)
    changed = await house.browser.change(row_id, MemoryEdit(importance=Importance.LOW))
    assert changed.importance is Importance.LOW
    assert make_memory().importance is not Importance.LOW
