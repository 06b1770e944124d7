"""The operator at work, in a real browser: looking, deciding, correcting, and what comes of it."""

import pytest

from tests.e2e.den import memory
from tests.e2e.eyes import DESKTOP, PATIENCE_MS, PHONE, operator
from tests.e2e.test_commands_e2e import use
from utils.models.admin import MemoryFilter
from utils.models.memory import Member, Status
from utils.models.operator import OPERATOR

pytestmark = pytest.mark.asyncio(loop_scope="module")

SIZES = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])


async def items_of(den, who):
    chosen = MemoryFilter(guild_id=den.guild.id, user_id=who.id)
    return (await den.app.admin.browser.items(chosen)).rows


async def waits_for_review(den, who, words):
    """Let somebody say something that a moderator has to approve; returns the memory's id."""
    await den.app.guilds.settings.set_policy(
        den.guild.id, {"mode": "manual"}, actor_id=den.moderator.id, reason="a test"
    )
    await den.teach(who, words)
    (one,) = await den.app.memory.reviews.waiting(den.guild.id)
    return one.memory_id


@SIZES
async def test_the_token_lets_in_and_another_does_not(house, browser, size):
    async with operator(browser, house, size=size, logged_in=False) as person:
        await person.log_in("not-the-token-at-all")
        await person.sees("That is not the token.")
        await person.hears("401")  # the browser says so of any such answer
        await person.log_in()
        await person.sees("Members known")
        if size is PHONE:
            await person.page.get_by_role("button", name="Menu").click()
        await person.page.get_by_role("button", name="Log out").click()
        await person.sees("DASHBOARD_TOKEN")


async def decided(house, person):
    """Let the time pass in which the last decision can be undone."""
    await person.page.get_by_role("button", name="Undo").wait_for()
    await house.dashboard_app.state.decisions.carry_out_all()


async def test_what_waits_is_approved_and_rejected(house, browser):
    approved = await waits_for_review(house, house.alice, "I have a parrot named Ada")
    async with operator(browser, house, size=PHONE) as person:
        await person.open("/review")
        await person.sees("has a parrot named Ada")
        await person.press(f"Approve memory {approved}")
        await decided(house, person)
        await person.open("/review")
        await person.sees("No memory waits for review.")
        rejected = await waits_for_review(house, house.bob, "I own a submarine")
        await person.open("/review")
        await person.press(f"Reject memory {rejected}")
        await person.press("Undo")
        await person.press(f"Reject memory {rejected}")
        await decided(house, person)
    assert await house.known_of(house.alice) == ["has a parrot named Ada"]
    assert await house.known_of(house.bob) == []
    page = await house.app.admin.browser.audit(house.guild.id, house.alice.id)
    assert {"approved", "viewed"} <= {one.action for one in page.rows if one.actor_id == OPERATOR}


async def test_a_memory_is_edited_and_the_audit_tells_by_whom(house, browser):
    await house.teach(house.alice, "I live in Bristol")
    (item,) = await items_of(house, house.alice)
    async with operator(browser, house, size=PHONE) as person:
        await person.open("/servers")
        await person.page.get_by_role("link", name="Den").click()
        await person.page.get_by_role("link", name="Alice").click()
        await person.page.get_by_role("link", name="lives in Bristol").click()
        await person.sees("I live in Bristol")  # the evidence
        await person.page.get_by_label("Status").select_option("shadow")
        await person.page.get_by_label("Importance").select_option("high")
        await person.page.get_by_label("Why").fill("too old to be told")
        await person.press("Save")
        await person.sees("Saved. It applies from the next reply.")
        await person.sees("too old to be told")
        await person.page.get_by_label("Expires on").fill("2001-01-01")
        await person.press("Save")
        await person.sees("That expiry is in the past")
        await person.hears("400")
    (changed,) = await items_of(house, house.alice)
    assert (changed.status, changed.importance.name) == (Status.SHADOW, "HIGH")
    assert await house.app.admin.browser.item(item.id)


async def test_lists_are_used_by_keyboard_alone(house, browser):
    waiting = await waits_for_review(house, house.alice, "I have a parrot named Ada")
    async with operator(browser, house) as person:
        keys = person.page.keyboard
        await person.open("/review")
        await keys.press("j")
        await keys.press("a")
        settled = person.page.locator(".decision:not(.htmx-added)")  # else it is a plain form
        await settled.get_by_role("button", name="Undo").wait_for()
        await keys.press("u")
        await person.page.get_by_role("button", name=f"Reject memory {waiting}").wait_for()
        await keys.press("e")
        await person.page.wait_for_url("**/memories/*")  # and until it listens to keys
        await person.sees("I have a parrot named Ada")
        await person.open("/memories")
        await keys.press("j")
        await keys.press("x")
        await person.sees("1 selected")
        await keys.press("r")
        await person.sees("Forget 1 memory?")
        await person.press("Forget permanently")
        await person.sees("1 memory is forgotten.")
    assert await house.known_of(house.alice) == []


async def test_a_member_is_found_while_their_name_is_typed(house, browser):
    await house.teach(house.alice, "I live in Bristol")
    await house.teach(house.bob, "I own a boat")
    async with operator(browser, house) as person:
        await person.open("/memories")
        await person.page.get_by_label("Member").press_sequentially("ali")
        option = person.page.locator("#suggested option:only-child")
        await option.wait_for(state="attached")
        await person.page.get_by_label("Member").fill(await option.get_attribute("value"))
        await person.page.get_by_label("Member").press("Tab")
        await person.page.get_by_role("link", name="owns a boat").wait_for(state="detached")
        await person.sees("lives in Bristol")
        await person.page.get_by_role("link", name="Expires").click()
        await person.page.wait_for_url("**sort=expires**")
        await person.sees("lives in Bristol")


async def test_the_member_sees_that_the_operator_looked(house, browser):
    await house.teach(house.alice, "I have a cat named Miso")
    async with operator(browser, house) as person:
        await person.open(f"/servers/{house.guild.id}/members/{house.alice.id}")
    shown = await house.app.memory.member_data.show(Member(house.guild.id, house.alice.id))
    assert [one.actor_id for one in shown.views] == [OPERATOR]
    page = await use(house, house.alice, "memory show")
    assert "operator looked at this <t:" in page.content


async def test_why_something_was_recalled_is_found_and_corrected_and_the_next_reply_shows_it(
    house, browser
):
    await house.teach(house.alice, "I have a cat named Miso")
    await house.teach(house.alice, "I play the hurdy-gurdy")
    await house.talk(house.alice, "what is my cat called?")
    assert "a cat named Miso" in house.last_words()

    async with operator(browser, house, size=PHONE) as person:
        await person.open("/recall")
        await person.page.get_by_label("Channel").select_option(label="#general")
        await person.page.get_by_label("Member").fill("alice")
        await person.page.get_by_label("Message").fill("what is my cat called?")
        await person.press("What would be recalled?")
        await person.sees("[What you know about Alice:]")
        await person.sees("coverage")
        await person.page.get_by_role("link", name="has a cat named Miso").click()
        await person.unfold("Forget…")
        await person.press("Forget permanently")
        await person.sees("Forgotten. Its text is erased")
        assert "(erased)" in await person.text()

    await house.talk(house.alice, "what is my cat called?")
    assert "Miso" not in house.last_words()
    assert await house.known_of(house.alice) == ["plays the hurdy-gurdy"]


async def test_a_write_policy_is_previewed_saved_and_taken_back(house, browser):
    await house.teach(house.alice, "I live in Bristol")
    async with operator(browser, house, size=PHONE) as person:
        await person.open(f"/policy/servers/{house.guild.id}")
        await person.page.get_by_label("In use from").fill("0.99")
        await person.press("Preview")
        await person.sees("Effect on the last memories")
        preview = await person.page.inner_text("#preview")
        assert "In use from" in preview and "0.8" in preview and "0.99" in preview
        assert (await house.app.guilds.settings.policy(house.guild.id)).active_from == 0.8
        await person.page.locator("#preview").get_by_label("Why").fill("only what is certain")
        await person.press("Save these changes")
        await person.sees("only what is certain")
        assert (await house.app.guilds.settings.policy(house.guild.id)).active_from == 0.99
        await person.page.get_by_label("In use from").fill("0.5")
        await person.press("Preview")
        await person.sees("proposed_from (0.75) must not be above active_from (0.5).")
        await person.hears("400")


async def test_recalls_policy_shows_what_changed_and_is_rolled_back(house, browser):
    policies = house.app.policies.versions
    longer = (await policies.get(0)).__class__(block_tokens=555)
    await policies.apply(longer, actor="command line", reason="longer blocks")
    async with operator(browser, house, size=PHONE) as person:
        await person.open("/policy")
        await person.sees("longer blocks")
        await person.page.get_by_role("link", name="Version 0").click()
        row = person.page.get_by_role("row", name="block_tokens")
        assert {"555", "400"} <= set((await row.inner_text()).split())
        await person.open("/policy")
        await person.unfold("Roll back…")
        await person.page.get_by_label("Why").fill("answers grew slow")
        await person.press("Roll back")
        await person.sees("Rolled back.")
        await person.sees("answers grew slow")
    assert (await policies.active()).policy == await policies.get(0)


async def test_recalls_policy_is_changed_and_applied(house, browser):
    policies = house.app.policies.versions
    async with operator(browser, house, size=PHONE) as person:
        await person.open("/policy")
        await person.page.get_by_role("link", name="Change…").click()
        await person.page.get_by_label("BM25 b: how much less long texts count").fill("0")
        await person.page.get_by_label("Asking: Is about the channel's topics").fill("2.25")
        await person.page.locator("#reason").fill("more of what is new")
        assert await person.overflow() <= 0
        assert await person.violations() == []
        await policies.apply({"block_tokens": 444}, actor="command line", reason="meanwhile")
        await person.press("Apply")
        await person.sees("Version 1 is active now")
        await person.hears("409")
        await person.page.get_by_role("link", name="Apply your changes").click()
        await person.page.wait_for_url("**asking.channel=2.25**")
        assert await person.page.get_by_label("Tokens of a block").input_value() == "444"
        await person.page.locator("#reason").fill("more of what is new")
        await person.press("Apply")
        await person.sees("Saved. It applies from the next reply.")
    held = (await policies.active()).policy
    assert (held.bm25_b, held.asking.channel, held.block_tokens) == (0.0, 2.25, 444)


async def test_filters_narrow_what_is_listed_without_loading_the_page_anew(house, browser):
    house.model.extract_with(
        lambda request: {
            "memories": [
                memory("hates battle royales", "I hate battle royales", kind="preference"),
                memory("lives in Bristol", "I live in Bristol"),
            ],
            "profile_update": None,
        }
    )
    await house.teach(house.alice, "I hate battle royales. I live in Bristol")
    async with operator(browser, house) as person:
        await person.open(f"/memories?guild={house.guild.id}&member={house.alice.id}")
        await person.page.get_by_label("Kind").select_option("preference")
        listed = person.page.locator("#items")
        await listed.get_by_text("lives in Bristol").wait_for(state="detached")
        assert await listed.get_by_text("hates battle royales").is_visible()
        await person.page.get_by_label("Kind").select_option("fact")
        await listed.get_by_text("hates battle royales").wait_for(state="detached")
        await person.page.wait_for_url("**kind=fact**")
        assert person.page.url.count("kind=") == 1


async def test_everything_works_without_a_script(house, browser):
    waiting = await waits_for_review(house, house.alice, "I have a parrot named Ada")
    context = await browser.new_context(java_script_enabled=False)
    context.set_default_timeout(PATIENCE_MS)
    page = await context.new_page()
    await page.goto(house.dashboard)
    await page.get_by_label("Token").fill("a-token-for-the-dashboard")
    await page.get_by_role("button", name="Log in").click()
    await page.get_by_text("Members known").first.wait_for()
    await page.goto(f"{house.dashboard}/review")
    await page.get_by_role("button", name=f"Approve memory {waiting}").click()
    await page.get_by_role("button", name="Undo").wait_for()
    await page.goto(f"{house.dashboard}/memories")
    await page.get_by_label(f"Select memory {waiting}").check()
    await page.get_by_role("button", name="Forget…").click()
    await page.get_by_role("button", name="Forget permanently").click()
    await page.get_by_text("1 memory is forgotten.").wait_for()
    await page.goto(f"{house.dashboard}/policy/recall/edit")
    await page.get_by_label("Tokens of a block").fill("450")
    await page.locator("#reason").fill("is it as good?")
    await page.get_by_role("button", name="Start the shadow").click()
    await page.get_by_text("The shadow has started.").wait_for()
    await context.close()
