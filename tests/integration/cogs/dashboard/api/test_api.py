"""The operator's API, call by call: what it answers, what it notes, and how it says no."""

import httpx2
import pytest

from cogs.dashboard.app import create_app
from tests.conftest import forget_scrubbing
from tests.fakes.builders import ADA, BOB, CHANNEL
from tests.fakes.dashboard import BEARER, open_house
from tests.rows import each_row
from utils.guilds.account_links import AccountLinkService
from utils.models.operator import OPERATOR

API = "/api/memory"


@pytest.fixture
async def context(home):
    async with open_house(home.url, home.clock) as opened:
        yield opened
        forget_scrubbing(opened.app.database)


@pytest.fixture
async def client(context):
    async with calling(context) as opened:
        yield opened


def calling(context, headers=BEARER):
    transport = httpx2.ASGITransport(app=create_app(context))
    return httpx2.AsyncClient(transport=transport, base_url="http://kith", headers=headers)


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


async def test_looks_within_half_an_hour_are_one_visit_and_one_entry(client, home, context):
    await home.tell("likes tea")
    await home.tell("likes milk", BOB)
    for minutes, visits in ((0, 1), (29, 1), (2, 2), (31, 3)):
        home.clock.advance(minutes=minutes)
        await only_item(client, text="tea")
        await client.get(f"/servers/1/members/{ADA.user_id}")
        assert await views(context, ADA) == visits
    assert await views(context, BOB) == 0
    await client.get(f"{API}/items")
    assert [await views(context, one) for one in (ADA, BOB)] == [3, 1]


async def views(context, member):
    return (await actions(context, member)).count(("viewed", OPERATOR))


async def recalled(client, text):
    """The page that says what a message of Ada's would recall."""
    form = {"guild": "1", "channel": str(CHANNEL), "member": "10", "text": text}
    page = await client.post("/recall", data=form)
    assert page.status_code == 200
    return page.text.casefold()


async def test_everybody_whom_a_recall_tells_of_sees_that(client, home, context):
    await home.tell("likes tea")
    await home.tell("likes milk", BOB)
    await recalled(client, "milk?")
    assert [await views(context, one) for one in (ADA, BOB)] == [1, 0]
    home.clock.advance(hours=1)
    assert "likes milk" in await recalled(client, f"does <@{BOB.user_id}> like milk?")
    assert [await views(context, one) for one in (ADA, BOB)] == [2, 1]
    home.clock.advance(hours=1)
    links = AccountLinkService(home.database, home.clock)
    await links.link(ADA, BOB.user_id)
    await links.link(BOB, ADA.user_id)
    assert "likes milk" in await recalled(client, "milk?")
    assert [await views(context, one) for one in (ADA, BOB)] == [3, 2]


async def test_who_reads_a_memory_by_changing_nothing_is_noted_too(client, home, context):
    await home.tell("likes tea")
    item = await only_item(client, text="tea")
    before = await views(context, ADA)
    home.clock.advance(hours=1)
    answer = await client.patch(f"{API}/items/{item['id']}", json={})
    assert answer.json() == item
    assert await views(context, ADA) == before + 1


async def test_a_correction_shows_in_the_next_recall(client, home, context):
    await home.tell("likes tea")
    assert "likes tea" in await recalled(client, "tea?")
    item = await only_item(client, text="tea")
    url = f"{API}/items/{item['id']}"
    changed = (await client.patch(url, json={"status": "shadow", "reason": "wrong"})).json()
    assert changed == item | {"status": "shadow"}
    assert "only stored as a shadow" in await recalled(client, "tea?")
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
    assert "likes tea" in await recalled(client, "tea?")
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
    for path, name in (("items", "guild_id"), ("items", "cursor")):
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
    expected = "items items/{memory_id} policy recall-policy health"
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
