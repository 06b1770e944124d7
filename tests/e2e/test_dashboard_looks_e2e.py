"""The pages to eyes, keyboards and screen readers: light and dark, wide and narrow, and with what
people write to break them."""

import pytest

from cogs.dashboard.pages.layout import MODERATOR_PAGES
from cogs.dashboard.web.visits import MEMBERS, MODERATORS
from tests.e2e.eyes import DESKTOP, PHONE, operator
from utils.models.admin import MemoryFilter
from utils.models.memory import Member

pytestmark = pytest.mark.asyncio(loop_scope="module")

API = "/api/docs"
FOCUSED = """() => {
    const focused = document.activeElement;
    return focused.ariaLabel || focused.textContent.trim();
}"""
UNFOLD = "for (const one of document.querySelectorAll('details')) one.open = true"


async def paths(den):
    """Every page there is, filled."""
    guild_id, member_id = den.guild.id, den.alice.id
    chosen = MemoryFilter(guild_id=guild_id, user_id=member_id)
    item = (await den.app.admin.browser.items(chosen)).rows[0]
    return [
        "/",
        f"/?guild={guild_id}",
        "/servers",
        f"/servers/{guild_id}",
        f"/servers/{guild_id}/members/{member_id}",
        f"/memories/{item.id}",
        "/memories",
        f"/memories?guild={guild_id}&member={member_id}&sort=-said",
        "/review",
        "/recall",
        "/watching",
        "/?days=90",
        "/audit",
        "/policy",
        "/policy/recall/0",
        "/policy/recall/edit",
        f"/policy/servers/{guild_id}",
        "/settings",
        API,
    ]


async def furnish(den):
    """Have something on every page: memories, one that waits, counts, versions."""
    await den.caught_up()  # a census that is being taken is not taken twice
    await den.teach(den.alice, "I have a cat named Miso")
    await den.app.admin.statistics.refresh()
    policies = den.app.policies.versions
    longer = (await policies.get(0)).__class__(block_tokens=555)
    await policies.apply(longer, actor="command line", reason="longer blocks")
    await den.app.guilds.settings.set_policy(
        den.guild.id, {"mode": "manual"}, actor_id=den.moderator.id, reason="a raid"
    )
    await den.teach(den.bob, "I own a submarine")
    await den.app.runtime.counters.write()


@pytest.mark.slow  # it looks at nineteen pages twice
@pytest.mark.timeout(600)
async def test_no_page_shuts_anybody_out_or_is_wider_than_its_window(house, browser):
    """Each is looked at in a wide, light window, which then becomes a dark phone's."""
    await furnish(house)
    found = {}
    async with operator(browser, house, logged_in=False) as person:

        async def look_at(path: str) -> None:
            for size, scheme in ((DESKTOP, "light"), (PHONE, "dark")):
                await person.page.set_viewport_size(size)
                await person.page.emulate_media(color_scheme=scheme)
                found[path, scheme] = await person.violations()
                assert await person.overflow() <= 0, (path, scheme)

        await person.open("/login")
        await look_at("/login")
        await person.log_in()
        await person.sees("Members known")
        for path in await paths(house):
            await person.open(path)
            if path == API:  # Swagger UI shows it once it has read the document
                await person.page.locator(
                    "#docs .opblock-patch .opblock-summary-control"
                ).first.click()
                await person.page.locator("#docs .opblock-body pre.microlight").first.wait_for()
            await person.page.evaluate(UNFOLD)
            await look_at(path)
            assert (await person.page.title()).endswith(" · Kith"), path
    assert not {path: one for path, one in found.items() if one}


@pytest.mark.slow  # axe on a dozen pages
async def test_visitors_pages_fit_a_phone_are_german_too_and_shut_nobody_out(house, browser):
    await house.app.guilds.settings.set_mode(house.guild.id, "roast", house.general.id, actor_id=7)
    await house.teach(house.alice, "I have a cat named Miso and a bicycle")
    visits = house.dashboard_app.state.visits
    found = {}
    async with operator(
        browser, house, size={"width": 390, "height": 740}, dark=True, logged_in=False
    ) as person:

        async def look_at(*paths: str) -> None:
            for path in paths:
                await person.open(path)
                await person.page.evaluate(UNFOLD)
                found[path] = await person.violations()
                assert await person.overflow() <= 0, path

        await person.open(
            visits[MODERATORS].create_link(Member(house.guild.id, house.moderator.id))
        )
        await person.press("Open")
        await person.sees("What is missing")
        await look_at("/mod?preset=quiet", *dict(MODERATOR_PAGES))
        await person.open("/language/de?to=/mod")
        await person.sees("Was fehlt")
        await person.open("/language/en?to=/mod")
        link = visits[MEMBERS].create_link(Member(house.guild.id, house.alice.id))
        await look_at(link)
        await person.press("Open")
        await person.sees("What I know of you here")
        for box in ("places", "items"):  # Enter there presses none of the form's buttons
            await person.page.locator(f"input[name={box}]").first.press("Enter")
        number = await person.page.locator("input[name=items]").first.get_attribute("value")
        assert person.page.url.endswith("/me")
        await look_at("/me", "/me?q=bicycle", f"/me/items/{number.replace('#', '%23')}")
    assert not {path: one for path, one in found.items() if one}


@pytest.mark.slow  # it goes through the pages with the Tab key
async def test_a_stranger_sets_a_server_up_from_start_with_the_keyboard(house, browser):
    guilds, guild_id = house.app.guilds.settings, house.guild.id
    await guilds.set_policy(guild_id, {"mode": "auto"}, actor_id=0, reason="")
    visits = house.dashboard_app.state.visits[MODERATORS]
    link = visits.create_link(Member(guild_id, house.moderator.id))
    async with operator(browser, house, logged_in=False) as person:

        async def go_to(name: str, key: str) -> None:
            """Press Tab until something of that name has the focus, then a key."""
            for _ in range(60):
                await person.page.keyboard.press("Tab")
                if await person.page.evaluate(FOCUSED) == name:
                    await person.page.keyboard.press(key)
                    return
            raise AssertionError(f"Tab does not reach {name}")

        await person.open(link)
        for name, seen in (
            ("Open", "There is no log channel"),
            ("Support", "What “Support” would change"),
            ("Apply", "Saved."),
            ("Channels", "What channels are for"),
            ("#general: Chat", ""),
            ("Save", "Saved."),
            ("Log", "Chat channels"),
            ("Take back: Chat channels", "Taken back."),
        ):
            await go_to(name, "Enter" if seen else "Space")
            if seen:
                await person.sees(seen)
    settings, policy = await guilds.latest(guild_id), await guilds.policy(guild_id)
    assert (settings.mode, policy.mode, settings.channels) == ("helpful", "manual", ())
