"""The operator's pages as they answer, without a browser: what is refused, and what is noted."""

import re

import pytest

from cogs.dashboard.app import create_app
from cogs.dashboard.pages.write_policy import form_values
from cogs.dashboard.web.access import MAX_FAILED
from tests.fakes.builders import ADA, GUILD, make_extraction
from tests.fakes.dashboard import TOKEN, visit
from utils.memory.policy.recall_policy_fields import field_schemas
from utils.models.operator import OPERATOR

EDIT = "/policy/recall/edit"
POLICY = f"/policy/servers/{GUILD}"
FOREIGN = (
    {"sec-fetch-site": "cross-site", "origin": "http://kith"},
    {"origin": "https://evil.example"},
)


async def deeds(context, member=ADA):
    page = await context.app.admin.browser.audit(member.guild_id, member.user_id)
    return [line.action for line in page.rows if line.actor_id == OPERATOR]


def hidden(page, name):
    """The value that a page's form sends back unseen."""
    return page.text.split(f'name="{name}" value="')[1].split('"')[0]


def typed_in(page, *names):
    """What stands in fields of a page's form."""
    return [re.search(f'name="{name}"[^>]* value="([^"]*)"', page.text)[1] for name in names]


async def test_a_previewed_write_policy_is_saved_only_on_top_of_what_was_looked_at(client, context):
    guilds = context.app.guilds.settings
    held = hidden(await client.get(POLICY), "base_version")
    form = form_values(await guilds.policy(GUILD)) | {"active_from": "0.855", "base_version": held}
    preview = await client.post(f"{POLICY}/preview", data=form)
    assert 'name="active_from" value="0.855"' in preview.text
    await guilds.set_policy(GUILD, {"mode": "manual"}, actor_id=1, reason="a moderator's")
    for path in (f"{POLICY}/preview", POLICY):
        refused = await client.post(path, data=form)
        assert refused.status_code == 409
        assert "Somebody changed this policy since you looked at it" in refused.text
        assert f'<a href="{POLICY}">Load the active version</a>' in refused.text
    assert (await guilds.policy(GUILD)).mode == "manual"
    form |= {"base_version": hidden(refused, "base_version")}
    for path, wrong in ((POLICY, "base_version"), (f"{POLICY}/preview", "active_from")):
        assert (await client.post(path, data=form | {wrong: "x"})).status_code == 400
    assert (await client.post(POLICY, data=form)).status_code == 303
    assert (await guilds.policy(GUILD)).active_from == 0.855


@pytest.mark.parametrize(
    ("path", "wrong", "sentence"),
    [
        ("apply", {"asking.text": "much"}, "asking.text must be a number."),
        ("apply", {"reason": " "}, "Say in a few words why"),
    ],
)
async def test_what_makes_no_sense_in_recalls_policy_is_said_and_stays_as_typed(
    client, context, path, wrong, sentence
):
    form = {"base_version": "0", "said_share": "0.4", "reason": "a <test>", "days": "3"} | wrong
    refused = await client.post(f"{EDIT}/{path}", data=form)
    assert (refused.status_code, sentence in refused.text) == (400, True)
    assert typed_in(refused, "said_share") == ["0.4"]
    for name in wrong.keys() & field_schemas().keys():
        assert typed_in(refused, name) == [wrong[name]]
    assert [row.version for row in await context.app.policies.versions.versions()] == [0]


@pytest.mark.parametrize("sent", FOREIGN)
async def test_another_sites_page_locks_nobody_out(context, sent):
    async with visit(create_app(context)) as browser:
        for _ in range(MAX_FAILED):
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
async def test_kiths_own_pages_are_no_strangers(context, sent):
    async with visit(create_app(context)) as browser:
        answer = await browser.post("/login", data={"token": TOKEN}, headers=sent)
        assert answer.status_code == 303
        assert answer.headers["referrer-policy"] == "same-origin"  # else Origin is null


async def test_a_profiles_history_is_shown_with_what_each_version_changed(client, home, context):
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


async def test_stored_messages_are_listed_with_their_member_and_can_be_forgotten(
    client, home, context
):
    url = f"/servers/{GUILD}/members/{ADA.user_id}"
    home.extractor.read = lambda reading: make_extraction()
    await home.tell("I adore blue cheese")
    page = await client.get(url)
    assert "1 stored" in page.text and "I adore blue cheese" in page.text
    (message,) = await context.app.memory.member_data.messages(ADA)
    assert (await client.post(f"{url}/messages/{message.id}/forget")).status_code == 303
    assert "blue cheese" not in (await client.get(url)).text
    assert "forgot a message" in await deeds(context)
    again = await client.post(f"{url}/messages/{message.id}/forget")
    assert again.headers["location"].endswith("done=same")
