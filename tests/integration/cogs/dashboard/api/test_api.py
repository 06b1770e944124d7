"""The operator's API, call by call: what it answers, what it notes, and how it says no."""

import shutil

import pytest

from cogs.dashboard.app import create_app
from tests.fakes.builders import ADA, BOB, CHANNEL, GUILD
from tests.fakes.dashboard import BEARER, open_house, visit
from tests.rows import each_row
from utils.guilds.account_links import AccountLinkService
from utils.models.admin import MemoryFilter
from utils.models.operator import OPERATOR

API = "/api/memory"


async def only_item(client, **wanted):
    (item,) = (await client.get(f"{API}/items", params=wanted)).json()["items"]
    return item


async def actions(context, member=ADA):
    page = await context.app.admin.browser.audit(member.guild_id, member.user_id)
    return [(line.action, line.actor_id) for line in page.rows]


async def test_memories_are_listed_by_every_filter_a_page_at_a_time(client, home):
    for text in ("likes tea", "likes coffee", "likes rum"):
        await home.tell(text)
    await home.tell("likes milk", BOB)
    first = (await client.get(f"{API}/items", params={"guild_id": "1", "limit": 3})).json()
    assert [one["text"] for one in first["items"]] == ["likes milk", "likes rum", "likes coffee"]
    rest = {"guild_id": "1", "cursor": first["cursor"]}
    second = (await client.get(f"{API}/items", params=rest)).json()
    assert ([one["text"] for one in second["items"]], second["cursor"]) == (["likes tea"], None)
    item = await only_item(client, text="milks", user_id=str(BOB.user_id))
    assert item["id"].isdecimal() and item["user_id"] == str(BOB.user_id)
    assert (await client.get(f"{API}/items", params={"kind": "lore"})).json()["items"] == []


async def test_whoever_is_looked_at_sees_it_in_their_audit(client, home, context):
    await home.tell("likes tea")
    await home.tell("likes milk", BOB)
    await only_item(client, text="tea")
    assert ("viewed", OPERATOR) in await actions(context)
    assert ("viewed", OPERATOR) not in await actions(context, BOB)
    for path in ("events", "audit"):
        before = len(await actions(context, BOB))
        home.clock.advance(hours=1)
        await client.get(f"{API}/{path}", params={"guild_id": "1", "user_id": str(BOB.user_id)})
        assert len(await actions(context, BOB)) == before + 1


async def test_looks_within_half_an_hour_are_one_visit_and_one_entry(client, home, context):
    await home.tell("likes tea")
    await home.tell("likes milk", BOB)
    for minutes, visits in ((0, 1), (29, 1), (2, 2), (31, 3)):
        home.clock.advance(minutes=minutes)
        await only_item(client, text="tea")
        await client.get(f"{API}/events", params={"guild_id": "1", "user_id": str(ADA.user_id)})
        assert await views(context, ADA) == visits
    assert await views(context, BOB) == 0
    await client.get(f"{API}/items")
    assert [await views(context, one) for one in (ADA, BOB)] == [3, 1]


async def views(context, member):
    return (await actions(context, member)).count(("viewed", OPERATOR))


async def test_everybody_whom_a_recall_tells_of_sees_that(client, home, context):
    await home.tell("likes tea")
    await home.tell("likes milk", BOB)
    question = {"guild_id": "1", "channel_id": str(CHANNEL), "user_id": "10"}
    await client.post(f"{API}/recall", json=question | {"text": "milk?"})
    assert [await views(context, one) for one in (ADA, BOB)] == [1, 0]
    home.clock.advance(hours=1)
    mention = {"text": f"does <@{BOB.user_id}> like milk?"}
    answer = (await client.post(f"{API}/recall", json=question | mention)).json()
    assert "likes milk" in answer["block"].casefold() and answer["silent_ids"] == []
    assert [await views(context, one) for one in (ADA, BOB)] == [2, 1]
    home.clock.advance(hours=1)
    links = AccountLinkService(home.database, home.clock)
    await links.link(ADA, BOB.user_id)
    await links.link(BOB, ADA.user_id)
    answer = (await client.post(f"{API}/recall", json=question | {"text": "milk?"})).json()
    assert "likes milk" in answer["block"].casefold()
    assert [await views(context, one) for one in (ADA, BOB)] == [3, 2]


async def test_who_reads_a_memory_by_changing_nothing_is_noted_too(client, home, context):
    await home.tell("likes tea")
    item = await only_item(client, text="tea")
    before = await views(context, ADA)
    home.clock.advance(hours=1)
    assert (await client.patch(f"{API}/items/{item['id']}", json={})).json() == item
    assert await views(context, ADA) == before + 1


async def test_whom_an_answer_is_about_sees_that_it_was_listed(client, home, context):
    await home.retold(ADA, "Ada likes tea", BOB)
    await client.get(f"{API}/events", params={"guild_id": "1"})
    assert [await views(context, one) for one in (ADA, BOB)] == [1, 1]


async def test_a_correction_shows_in_the_next_recall(client, home, context):
    await home.tell("likes tea")
    question = {"guild_id": "1", "channel_id": str(CHANNEL), "user_id": "10", "text": "tea?"}
    explanation = (await client.post(f"{API}/recall", json=question)).json()
    assert "likes tea" in explanation["block"].casefold()
    assert explanation["considered"][0]["terms"]
    item = await only_item(client, text="tea")
    url = f"{API}/items/{item['id']}"
    changed = (await client.patch(url, json={"status": "shadow", "reason": "wrong"})).json()
    assert changed == item | {"status": "shadow"}
    explanation = (await client.post(f"{API}/recall", json=question)).json()
    assert {one["cut"] for one in explanation["considered"] if one["memory_id"]} == {"not active"}
    assert ("changed", OPERATOR) in await actions(context)


async def test_what_is_forgotten_is_gone(client, home):
    await home.tell("likes tea")
    item = await only_item(client, text="tea")
    url = f"{API}/items/{item['id']}"
    assert (await client.delete(url)).status_code == 204
    assert (await client.get(url)).json()["item"]["text"] == ""
    assert (await client.delete(url)).status_code == 404
    answer = await client.patch(url, json={"status": "active"})
    assert (answer.status_code, answer.json()["reference"]) == (409, None)


@pytest.fixture
async def elsewhere(sqlite_template, tmp_path, home):
    """A Kith with an empty database of its own."""
    file = tmp_path / "elsewhere.db"
    shutil.copyfile(sqlite_template, file)
    async with open_house(f"sqlite:///{file}", home.clock) as opened:
        yield opened


async def texts(context):
    return sorted(row.text for row in (await context.app.admin.browser.items(MemoryFilter())).rows)


async def test_an_archive_goes_out_and_comes_in_elsewhere_and_the_audit_says_so(
    client, home, context, elsewhere
):
    await home.tell("likes tea")
    await home.tell("likes milk", BOB)
    answer = await client.get(f"{API}/export", params={"guild_id": "1"})
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/zip")
    (line,) = (await context.app.admin.browser.audit(GUILD, 0, "exported")).rows
    assert line.actor_id == OPERATOR
    own = await client.get(f"{API}/export", params={"guild_id": "1", "user_id": "10"})
    assert ("exported", OPERATOR) in await actions(context)
    async with visit(create_app(elsewhere), **BEARER) as other:
        looked = (await other.post(f"{API}/import?preview=true", content=own.content)).json()
        assert (looked["is_preview"], looked["new"]["UserMemory"]) == (True, 1)
        assert await texts(elsewhere) == []
        came = (await other.post(f"{API}/import", content=answer.content)).json()
        assert (came["is_preview"], came["new"]["UserMemory"]) == (False, 2)
        assert await texts(elsewhere) == ["likes milk", "likes tea"]
        again = (await other.post(f"{API}/import", content=answer.content)).json()
        assert again["new"].get("UserMemory", 0) == 0
        assert again["left_out"]
        assert await texts(elsewhere) == ["likes milk", "likes tea"]
        item = await only_item(other, text="tea")
        assert (await other.get(f"{API}/items/{item['id']}")).json()["evidence"]
    assert len((await elsewhere.app.admin.browser.audit(0, 0, "imported")).rows) == 2


def without_its_end(data):
    return data[: len(data) // 2]


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda _: b"",
        without_its_end,
    ],
)
async def test_a_hostile_archive_is_refused_and_nothing_of_it_stays(
    client, home, elsewhere, spoilt, tmp_path, monkeypatch
):
    await home.tell("likes tea")
    made = (await client.get(f"{API}/export")).content
    room = tmp_path / "room"
    room.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(room))
    async with visit(create_app(elsewhere), **BEARER) as other:
        answer = await other.post(f"{API}/import", content=spoilt(made))
    assert answer.status_code == 422
    assert "tea" not in answer.text
    assert str(room) not in answer.text
    assert await texts(elsewhere) == []
    assert list(room.iterdir()) == []
    assert not (await elsewhere.app.admin.browser.audit(0, 0, "imported")).rows


RECALL_POLICY = f"{API}/recall-policy"


async def test_recalls_policy_is_changed_only_on_top_of_what_was_looked_at(client):
    new = {"fields": {"block_tokens": 450}, "reason": "a test", "only": 0}
    assert (await client.put(RECALL_POLICY, json=new)).status_code == 200
    new["fields"] = {"block_tokens": 500}
    refused = await client.put(RECALL_POLICY, json=new)
    assert refused.status_code == 409
    assert "is active now; look at it" in refused.json()["detail"]
    assert (await client.put(RECALL_POLICY, json=new | {"only": None})).status_code == 200


async def test_what_is_explained_feeds_neither_use_counts_nor_the_shadow(client, home, context):
    await home.tell("likes tea")
    versions = context.app.policies.versions
    await versions.start_shadow({"most_items": 1}, 3, actor="operator", reason="a test")
    question = {"guild_id": "1", "channel_id": "100", "user_id": "10", "text": "tea?"}
    form = {"guild": "1", "channel": "100", "member": "10", "text": "tea?"}
    assert "Likes tea" in (await client.post(f"{API}/recall", json=question)).json()["block"]
    page = await client.post("/recall", data=form)
    assert (page.status_code, "Likes tea" in page.text) == (200, True)
    await context.app.memory.reader.write_uses()
    await context.app.policies.shadow.write()
    item = await only_item(client, text="tea")
    assert (item["use_count"], item["last_used_at"]) == (0, None)
    assert (await versions.shadow_report()).recalls == 0


HUGE = [
    "9" * 19,
    "+1",
    "١",
]


@each_row("number", HUGE)
async def test_what_is_no_id_gets_a_sentence(client, number):
    for path, name in (("items", "guild_id"), ("items", "cursor"), ("events", "guild_id")):
        answer = await client.get(f"{API}/{path}", params={name: number})
        assert answer.status_code == 422
        assert set(answer.json()) == {"detail", "reference"}
        assert isinstance(answer.json()["detail"], str)


async def test_what_nobody_foresaw_is_told_by_a_reference(client, context, monkeypatch, caplog):
    async def fail(*_args, **_named):
        raise RuntimeError("a secret of the inside")

    monkeypatch.setattr(type(context.app.admin.browser), "items", fail)
    answer = await client.get(f"{API}/items")
    assert answer.status_code == 500
    assert answer.json()["reference"] in answer.json()["detail"]
    assert "secret" not in answer.text
    assert answer.json()["reference"] in caplog.text


async def test_the_document_names_every_call_and_its_page_asks_nobody_else(client):
    document = (await client.get("/api/openapi.json")).json()
    calls = {(path, method) for path, one in document["paths"].items() for method in one}
    expected = (
        "items items/{memory_id} events audit stats policy "
        "recall recall-policy prune export import health"
    )
    assert {path.removeprefix(f"{API}/") for path, _ in calls} == set(expected.split())
    for path, method in calls - {(f"{API}/health", "get")}:  # that is for everybody
        call = document["paths"][path][method]
        assert {"401", "422", "500", "503"} <= set(call["responses"])
        assert call["summary"] and call["description"]
    page = (await client.get("/api/docs")).text
    assert "http" not in page.replace("http-equiv", "")
    assert "<script>" not in page


async def test_a_servers_policy_is_changed_field_by_field(client):
    url, of_server = f"{API}/policy", {"guild_id": "1"}
    new = {"pattern_days": 3, "approve_kinds": ["lore", "fact"], "reason": "a test"}
    changed = (await client.put(url, params=of_server, json=new)).json()
    assert changed["version"] == 1
    assert changed["after"] == changed["before"] | {
        "pattern_days": 3,
        "approve_kinds": ["fact", "lore"],
    }
    assert (await client.get(url, params=of_server)).json() == changed["after"]
    for wrong in ({"pattern_days": 99}, {"unknown": 1}):
        assert (await client.put(url, params=of_server, json=wrong)).status_code == 422


async def test_an_example_of_recall_is_the_last_question_of_a_member(client, home):
    await home.tell("likes tea or coffee?")
    await home.tell("likes milk")
    assert "likes tea or coffee?" in (await client.post("/recall/example")).text
    await home.retold(ADA, "does Ada like rum?", BOB)
    page = (await client.post("/recall/example", data={"guild": "1"})).text
    assert "what do you know?" in page
    assert "does Ada like rum?" not in page  # Kith said so
