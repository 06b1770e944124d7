"""The operator at work, in a real browser: looking, deciding, correcting, and what comes of it."""

import pytest

from tests.e2e.den import memory
from tests.e2e.eyes import PATIENCE_MS, PHONE, operator
from utils.models.admin import MemoryFilter
from utils.models.operator import OPERATOR

pytestmark = pytest.mark.asyncio(loop_scope="module")

HOSTILE = (
    "<script>document.title='owned'</script><img src=x onerror=alert(1)>"
    " {{ 7 * 7 }} {% raw %} '\"><b>bold</b> \u202eright to left\u202c عربى " + "👩‍👩‍👧‍👦" * 40,
    "w" * 300,
)


async def waits_for_review(den, who, words):
    """Let somebody say something that a moderator has to approve; returns the memory's id."""
    await den.app.guilds.settings.set_policy(
        den.guild.id, {"mode": "manual"}, actor_id=den.moderator.id, reason="a test"
    )
    await den.teach(who, words)
    (one,) = await den.app.memory.reviews.waiting(den.guild.id)
    return one.id


async def test_the_token_lets_in_and_another_does_not(house, browser):
    async with operator(browser, house, size=PHONE, logged_in=False) as person:
        await person.log_in("not-the-token-at-all")
        await person.sees("That is not the token.")
        await person.hears("401")  # the browser says so of any such answer
        await person.log_in()
        await person.sees("Members known")
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


@pytest.mark.slow  # a browser tour
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


@pytest.mark.slow  # a browser tour
async def test_lists_follow_what_is_typed_and_chosen_without_loading_the_page_anew(house, browser):
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
        await person.page.get_by_label("Kind").select_option("preference")
        listed = person.page.locator("#items")
        await listed.get_by_text("lives in Bristol").wait_for(state="detached")
        await person.page.wait_for_url("**kind=preference**")


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


@pytest.mark.slow  # a browser tour
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
    await page.goto(f"{house.dashboard}/memories/{waiting}")
    await page.get_by_label("Importance").select_option("high")
    await page.get_by_label("Why").fill("it is told too rarely")
    await page.get_by_role("button", name="Save").click()
    await page.get_by_text("Saved. It applies from the next reply.").wait_for()
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
    await page.goto(f"{house.dashboard}/policy/recall/edit")
    await page.get_by_label("Tokens of a block").fill("444")
    await page.locator("#reason").fill("shorter blocks")
    await page.get_by_role("button", name="Apply").click()
    await page.get_by_text("Saved. It applies from the next reply.").wait_for()
    await context.close()
    assert (await house.app.policies.versions.active()).policy.block_tokens == 444


def noting(words):
    """A model that notes these words in whatever is said."""
    note = memory(f"loves {words}", f"I love {words}", topics=[words[:40]], attribute="loves")
    return lambda request: {"memories": [note], "profile_update": None}


async def test_what_people_write_is_shown_as_text_and_breaks_nothing(house, browser):
    guild_id = house.guild.id
    pages = {f"/servers/{guild_id}": "", "/audit": ""}
    for words in HOSTILE:
        somebody = house.guild.add_member(words[:30])
        house.model.extract_with(noting(words))
        await house.teach(somebody, f"I love {words}")
        chosen = MemoryFilter(guild_id=guild_id, user_id=somebody.id)
        (row,) = (await house.app.admin.browser.items(chosen)).rows
        pages[f"/servers/{guild_id}/members/{somebody.id}"] = words
        pages[f"/memories/{row.id}"] = words
    async with operator(browser, house, size=PHONE) as person:
        for path, words in pages.items():
            await person.open(path)
            assert await person.overflow() <= 0, (path, words)
            assert await person.page.title() != "owned"
            assert await person.page.locator("main img, main script, main b").count() == 0
            assert words[:40].strip("\u202e\u202c")[:8] in await person.text()
