"""The operator's pages as they answer, without a browser: what is refused, and what is noted."""

import re
from dataclasses import fields

import httpx2
import pytest

from cogs.dashboard.access import MOST_FAILED
from cogs.dashboard.app import create_app
from cogs.dashboard.house import Job
from cogs.dashboard.pages.recall_policy import as_typed as as_form
from cogs.dashboard.pages.write_policy import as_typed
from tests.fakes.builders import ADA, BOB, GUILD
from tests.fakes.dashboard import TOKEN, FakeJobs, open_house
from utils.database import shadows
from utils.model.browsing import LARGEST_ID, ItemChange, ItemFilter
from utils.model.memory import Importance, Member, Status
from utils.model.operator import OPERATOR
from utils.model.read_policy import ShadowRow
from utils.read_policies import LIMITS

API = "/api/memory"
EDIT = "/policy/recall/edit"
POLICY = f"/policy/servers/{GUILD}"
WHO = {"actor": "test", "reason": "a try"}
FOREIGN = (
    {"sec-fetch-site": "cross-site", "origin": "http://kith"},
    {"sec-fetch-site": "same-site"},
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"origin": "http://[kith"},
)


@pytest.fixture
async def house(home, monkeypatch):
    async def all_jobs(_):
        return [Job(**{one.name: None for one in fields(Job)} | {"name": "prune"})]

    monkeypatch.setattr(FakeJobs, "all", all_jobs)
    async with open_house(home.url, home.clock) as opened:
        yield opened


def visitor(house, **headers):
    transport = httpx2.ASGITransport(app=create_app(house))
    return httpx2.AsyncClient(transport=transport, base_url="http://kith", headers=headers)


@pytest.fixture
async def client(house):
    async with visitor(house, authorization=f"Bearer {TOKEN}") as opened:
        yield opened


async def only_item(house, member=ADA):
    chosen = ItemFilter(guild_id=member.guild_id, user_id=member.user_id)
    (item,) = (await house.core.browser.items(chosen)).rows
    return item


async def deeds(house, member=ADA):
    page = await house.core.browser.audit(member.guild_id, member.user_id)
    return [line.action for line in page.rows if line.actor_id == OPERATOR]


def hidden(page, name):
    """The value that a page's form sends back unseen."""
    return page.text.split(f'name="{name}" value="')[1].split('"')[0]


def typed_in(page, *names):
    """What stands in fields of a page's form."""
    return [re.search(f'name="{name}"[^>]* value="([^"]*)"', page.text)[1] for name in names]


async def test_an_old_form_undoes_nobodys_decision_about_a_memory(client, home, house):
    await home.tell("likes tea")
    item = await only_item(house)
    seen = hidden(await client.get(f"/memories/{item.id}"), "stood")
    form = {"status": "active", "importance": "medium", "ends": "", "stood": seen}
    await house.core.browser.change(
        item.id, ItemChange(status=Status.SHADOW, importance=Importance.HIGH)
    )
    refused = await client.post(f"/memories/{item.id}", data=form | {"importance": "low"})
    assert refused.status_code == 409
    assert "Somebody changed this memory since the form was loaded" in refused.text
    now = await only_item(house)
    assert (now.status, now.importance) == (Status.SHADOW, Importance.HIGH)
    form |= {"status": "shadow", "importance": "low", "stood": hidden(refused, "stood")}
    assert (await client.post(f"/memories/{item.id}", data=form)).status_code == 303
    now = await only_item(house)
    assert (now.status, now.importance) == (Status.SHADOW, Importance.LOW)


async def test_a_previewed_write_policy_is_saved_only_on_top_of_what_was_looked_at(client, house):
    guilds = house.core.guilds
    held = hidden(await client.get(POLICY), "held")
    form = as_typed(await guilds.policy(GUILD)) | {"active_from": "0.855", "held": held}
    preview = await client.post(f"{POLICY}/preview", data=form)
    assert 'name="active_from" value="0.855"' in preview.text
    await guilds.set_policy(GUILD, {"mode": "manual"}, actor_id=1, reason="a moderator's")
    for path in (f"{POLICY}/preview", POLICY):
        refused = await client.post(path, data=form)
        assert refused.status_code == 409
        assert "Somebody changed this policy since you looked at it" in refused.text
        assert f'<a href="{POLICY}">Load what holds now</a>' in refused.text
    assert (await guilds.policy(GUILD)).mode == "manual"
    assert (await client.post(POLICY, data=form | {"held": ""})).status_code == 400
    form |= {"held": hidden(refused, "held")}
    assert (await client.post(POLICY, data=form)).status_code == 303
    assert (await guilds.policy(GUILD)).active_from == 0.855


async def test_every_field_of_recalls_policy_is_changed_in_a_form_within_its_limits(client, house):
    page = await client.get(EDIT)
    for name, limits in LIMITS.items():
        (field,) = re.findall(f'<input [^>]*name="{re.escape(name)}"[^>]*>', page.text)
        assert f'min="{limits.least}" max="{limits.most}"' in field
    assert f'href="{EDIT}"' in (await client.get("/policy")).text
    policies = house.core.read_policies
    form = as_form(await policies.get(0)) | {"held": hidden(page, "held")}
    unchanged = await client.post(f"{EDIT}/preview", data=form)
    assert "Nothing differs from what holds." in unchanged.text
    form |= {"block_tokens": "250", "asking.text": "0.90"}
    preview = await client.post(f"{EDIT}/preview", data=form)
    for words in (
        "Asking: Words of the memory",
        "outside of the useful range",
        "Nothing is recorded",
    ):
        assert words in preview.text
    assert [one.version for one in await policies.versions()] == [0]
    only_changes = {name: form[name] for name in ("held", "block_tokens", "asking.text")}
    for name, value in only_changes.items():  # what the buttons below send
        assert f'<input type="hidden" name="{name}" value="{value}">' in preview.text
    why = {"reason": "shorter"}
    await client.post(f"{EDIT}/shadow", data=only_changes | why | {"days": "3"})
    assert (await policies.shadow()).policy.block_tokens == 250
    done = await client.post(f"{EDIT}/apply", data=only_changes | why)
    assert (done.status_code, done.headers["location"]) == (303, "/policy?done=saved")
    held = await policies.active()
    assert (held.policy.block_tokens, held.policy.asking.text, held.reason) == (250, 0.9, "shorter")


async def test_a_changed_policy_of_recall_is_let_hold_only_on_top_of_what_was_looked_at(
    client, house
):
    """And nothing that was typed is lost: a link puts it on top of what holds by now."""
    policies = house.core.read_policies
    form = as_form(await policies.get(0)) | {"held": "0", "reason": "a test", "days": "3"}
    form |= {"asking.text": "0.9", "said_share": "0.4"}
    await policies.apply({"block_tokens": 333}, actor="test", reason="meanwhile")
    for path in ("preview", "apply", "shadow"):
        refused = await client.post(f"{EDIT}/{path}", data=form)
        assert refused.status_code == 409
        assert "Version 1 holds by now; look at it before you go on." in refused.text
        assert f'<a href="{EDIT}?asking.text=0.9&amp;said_share=0.4">' in refused.text
        assert typed_in(refused, "asking.text", "block_tokens", "held") == ["0.9", "400", "0"]
    for path in ("apply", "shadow"):  # of a version that was compared with another
        refused = await client.post(f"/policy/recall/0/{path}", data=form | {"only": "0"})
        assert (refused.status_code, "Version 1 holds by now" in refused.text) == (409, True)
    assert [one.version for one in await policies.versions()] == [1, 0]
    merged = await client.get(f"{EDIT}?asking.text=0.9&said_share=0.4")
    assert typed_in(merged, "asking.text", "block_tokens", "held") == ["0.9", "333", "1"]
    assert merged.text.count("<ins>") == 2  # previewed at once


@pytest.mark.parametrize(
    ("path", "wrong", "sentence"),
    [
        ("preview", {"asking.text": "much"}, "asking.text is a number; this is none."),
        ("preview", {"block_tokens": "nan"}, "block_tokens must lie between 100 and 2000."),
        ("apply", {"most_items": "1.5"}, "most_items must be a whole number."),
        ("apply", {"reason": " "}, "Say in a few words why"),
        ("apply", {"reason": "\u200b"}, "Say in a few words why"),
        ("apply", {"held": ""}, "Look at the preview first"),
        ("shadow", {"days": "31"}, "A shadow runs for 1 to 30 days."),
    ],
)
async def test_what_makes_no_sense_in_recalls_policy_is_said_and_stays_as_typed(
    client, house, path, wrong, sentence
):
    form = {"held": "0", "said_share": "0.4", "reason": "a <test>", "days": "3"} | wrong
    refused = await client.post(f"{EDIT}/{path}", data=form)
    assert (refused.status_code, sentence in refused.text) == (400, True)
    assert typed_in(refused, "said_share") == ["0.4"]
    for name in wrong.keys() & LIMITS.keys():
        assert typed_in(refused, name) == [wrong[name]]
    assert [one.version for one in await house.core.read_policies.versions()] == [0]


@pytest.mark.parametrize("sent", FOREIGN)
async def test_another_sites_page_locks_nobody_out(house, sent):
    async with visitor(house) as browser:
        for _ in range(MOST_FAILED):
            answer = await browser.post("/login", data={"token": "x"}, headers=sent)
            assert answer.status_code == 403
            assert "sent this, so nothing was done" in answer.text
        answer = await browser.post("/login", data={"token": TOKEN})
        assert answer.status_code == 303


@pytest.mark.parametrize(
    "sent",
    [
        {"sec-fetch-site": "same-origin", "origin": "https://behind.a.proxy"},
        {"sec-fetch-site": "none"},
        {"origin": "https://kith:8443"},
    ],
)
async def test_kiths_own_pages_are_no_strangers(house, sent):
    async with visitor(house) as browser:
        answer = await browser.post("/login", data={"token": TOKEN}, headers=sent)
        assert answer.status_code == 303
        assert answer.headers["referrer-policy"] == "same-origin"  # else Origin is null


async def test_a_number_of_nothing_is_a_page_that_is_not_there(client, house):
    for number in ("-1", "-5", str(LARGEST_ID + 1), "1" + "0" * 30, "x"):
        looks = (
            f"/policy/recall/{number}",
            f"/policy/servers/{number}",
            f"/servers/{number}",
            f"/servers/1/members/{number}",
            f"/memories/{number}",
        )
        changes = (
            f"/review/{number}/1",
            f"/review/1/{number}",
            f"/policy/servers/{number}",
            f"/policy/servers/{number}/preview",
            f"/policy/servers/{number}/restore",
            f"/policy/recall/{number}/apply",
            f"/policy/recall/{number}/shadow",
            f"/memories/{number}",
            f"/memories/{number}/forget",
        )
        form = {"decision": "approve", "reason": "x", "mode": "auto"}
        answers = [await client.get(path) for path in looks]
        answers += [await client.post(path, data=form) for path in changes]
        assert {
            str(one.url.path): one.status_code for one in answers if one.status_code != 404
        } == {}
    for path in (f"/servers/{LARGEST_ID}/members/{LARGEST_ID}", "/policy/recall/0"):
        assert (await client.get(path)).status_code == 200
    assert (await client.get("/policy/recall/7")).status_code == 404


async def test_nothing_is_chosen_for_a_server_that_kith_is_not_in(client, house):
    for elsewhere in (0, GUILD + 1):
        for method, path in (("GET", ""), ("POST", ""), ("POST", "/restore")):
            url = f"/policy/servers/{elsewhere}{path}"
            assert (await client.request(method, url, data={"version": "0"})).status_code == 404
        assert await house.core.guilds.policy_versions(elsewhere) == []


async def test_a_memory_shown_again_for_a_mistake_is_noted_as_a_look_too(client, home, house):
    await home.tell("likes tea")
    item = await only_item(house)
    form = {"status": "active", "importance": "low", "ends": "2020-01-01"}
    form["stood"] = hidden(await client.get(f"/memories/{item.id}"), "stood")
    refused = await client.post(f"/memories/{item.id}", data=form)
    assert refused.status_code == 400 and "likes tea" in refused.text
    assert await deeds(house) == ["viewed", "viewed"]


async def test_a_profiles_history_is_shown_with_what_each_version_changed(client, home, house):
    url = f"/servers/{GUILD}/members/{ADA.user_id}"
    await home.tell("home: lives in Rome")
    assert "History:" not in (await client.get(url)).text
    for place in ("Oslo", "Bern"):
        home.clock.advance(days=1)
        await home.tell(f"home: lives in {place}")
    card = (await client.get(url)).text.split("History: 3 versions")[1].split("</details>")[0]
    newest, before, first = card.split("<li>")[1:]
    assert "<del>Oslo.</del> <ins>Bern.</ins>" in newest
    assert "<del>Rome.</del> <ins>Oslo.</ins>" in before
    assert "<ins>Lives in Rome.</ins>" in first
    await home.keeper.forget_all(ADA)
    assert "Rome" not in (await client.get(url)).text


async def test_running_a_job_and_ending_a_shadow_are_in_the_audit_with_who_and_why(client, house):
    nobody = Member(0, 0)
    await client.post("/jobs/prune")
    await client.post("/jobs/no-such-job")
    assert await deeds(house, nobody) == ["ran prune"]
    policies = house.core.read_policies
    longer = (await policies.get(0)).__class__(block_tokens=555)
    await policies.start_shadow(longer, 3, actor="test", reason="a try")
    assert (await client.post("/policy/shadow/end")).status_code == 400  # without a reason
    await client.post("/policy/shadow/end", data={"reason": "it was slow"})
    assert await policies.shadow() is None
    assert await deeds(house, nobody) == ["shadow ended", "ran prune"]
    assert "by: dashboard, reason: it was slow" in (await client.get("/audit")).text


async def test_what_a_shadow_showed_to_one_member_is_told_without_an_interval(client, home, house):
    event = await home.tell("likes tea")
    made = await house.core.read_policies.start_shadow({"block_tokens": 555}, 3, **WHO)
    versions = {"active_version": 0, "shadow_version": made.version}
    sizes = {"active_tokens": 9, "shadow_tokens": 8, "active_ms": 1.0, "shadow_ms": 1.0}
    one = ShadowRow(
        house.core.clock.now(),
        GUILD,
        ADA.user_id,
        event.message_id,
        active_ids=(1,),
        shadow_ids=(),
        **versions,
        **sizes,
    )
    await house.core.database.write(lambda session: shadows.add(session, [one]))
    page = (await client.get("/policy")).text
    assert "1 recall of 1 member so far" in page
    assert "nan to nan" not in page


async def test_a_fields_limits_are_the_browsers_to_read(client, home, house):
    await home.tell("likes tea")
    item = await only_item(house)
    assert 'maxlength="200"' in (await client.get(f"/memories/{item.id}")).text
    audit = (await client.get("/audit")).text
    assert 'placeholder="viewed"' in audit and 'inputmode="numeric"' in audit


async def test_a_page_of_many_people_asks_for_their_names_once(client, home, house, monkeypatch):
    for member in (ADA, BOB):
        await home.tell("likes tea", member)
    asked, database = [], house.core.browser._database
    read = database.read

    async def counted(unit):
        asked.append(unit)
        return await read(unit)

    monkeypatch.setattr(database, "read", counted)
    names = await house.core.browser.names([ADA, BOB, Member(GUILD, 999), Member(GUILD, 0)])
    assert (names, len(asked)) == ({ADA: "Ada", BOB: "Ada"}, 1)  # everybody says they are Ada
    asked.clear()
    assert (await client.get("/servers")).status_code == 200
    assert len(asked) == 1


async def test_no_page_and_no_call_lets_anybody_in_without_a_token(house):
    """Every route there is, whatever will be added."""
    opened = {"/login", "/api/memory/health"}
    app = create_app(house)
    routes = [
        one
        for router in app.routes
        if hasattr(router, "effective_route_contexts")
        for one in router.effective_route_contexts()
    ]
    paths = {one.path for one in routes}
    assert {"/", "/metrics", "/jobs/{name}", f"{API}/export", "/api/docs"} <= paths
    async with visitor(house) as browser:
        for route in routes:
            path = route.path.replace("{", "").replace("}", "")
            for method in route.methods - {"HEAD", "OPTIONS"}:
                answer = await browser.request(method, path)
                is_call = path.startswith(("/api/", "/metrics"))
                refused = answer.status_code == (401 if is_call else 303)
                assert refused or path in opened, (method, path)
                assert is_call or path in opened or answer.headers["location"] == "/login"
