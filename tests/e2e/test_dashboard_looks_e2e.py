"""The pages to eyes, keyboards and screen readers: light and dark, wide and narrow, and with what
people write to break them."""

import pytest

from cogs.dashboard.pages.layout import MODERATOR_PAGES
from cogs.dashboard.web.visits import MEMBERS, MODERATORS
from tests.e2e.den import memory
from tests.e2e.eyes import DESKTOP, PHONE, operator
from utils.models.admin import MemoryFilter
from utils.models.memory import Member

pytestmark = pytest.mark.asyncio(loop_scope="module")

HOSTILE = (
    "<script>document.title='owned'</script><img src=x onerror=alert(1)>"
    " {{ 7 * 7 }} {% raw %} '\"><b>bold</b>",
    "\u202eright to left\u202c عربى " + "👩‍👩‍👧‍👦" * 40,
    "w" * 300,
)
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


@pytest.mark.slow  # it looks at sixteen pages: about 30 s where two run at once
@pytest.mark.parametrize(
    ("size", "dark"), [(DESKTOP, False), (PHONE, True)], ids=["wide and light", "narrow and dark"]
)
async def test_no_page_shuts_anybody_out_or_is_wider_than_its_window(house, browser, size, dark):
    await furnish(house)
    found = {}
    async with operator(browser, house, size=size, dark=dark, logged_in=False) as person:
        await person.open("/login")
        found["/login"] = await person.violations()
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
            found[path] = await person.violations()
            assert await person.overflow() <= 0, path
            assert (await person.page.title()).endswith(" · Kith"), path
    assert not {path: one for path, one in found.items() if one}


@pytest.mark.slow  # axe on eight pages
async def test_moderators_pages_fit_a_phone_are_german_too_and_shut_nobody_out(house, browser):
    await house.app.guilds.settings.set_mode(house.guild.id, "roast", house.general.id, actor_id=7)
    visits = house.dashboard_app.state.visits[MODERATORS]
    link = visits.create_link(Member(house.guild.id, house.moderator.id))
    found = {}
    size = {"width": 390, "height": 740}
    async with operator(browser, house, size=size, dark=True, logged_in=False) as person:
        await person.open(link)
        await person.press("Open")
        await person.sees("What is missing")
        for path in ("/mod?preset=quiet", *dict(MODERATOR_PAGES)):
            await person.open(path)
            found[path] = await person.violations()
            assert await person.overflow() <= 0, path
        await person.open("/language/de?to=/mod")
        await person.sees("Was fehlt")
    assert not {path: one for path, one in found.items() if one}


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
        await go_to("Open", "Enter")
        await person.sees("There is no log channel")
        await go_to("Support", "Enter")
        await person.sees("What “Support” would change")
        await go_to("Apply", "Enter")
        await person.sees("Saved.")
        await go_to("Channels", "Enter")
        await person.sees("What channels are for")
        await go_to("#general: Chat", "Space")
        await go_to("Save", "Enter")
        await person.sees("Saved.")
        await go_to("Log", "Enter")
        await person.sees("Chat channels")
        await go_to("Take back: Chat channels", "Enter")
        await person.sees("Taken back.")
    settings, policy = await guilds.latest(guild_id), await guilds.policy(guild_id)
    assert (settings.mode, policy.mode, settings.channels) == ("helpful", "manual", ())


async def test_a_members_page_fits_a_phone_and_shuts_nobody_out(house, browser):
    await house.teach(house.alice, "I have a cat named Miso and a bicycle")
    members = house.dashboard_app.state.visits[MEMBERS]
    link = members.create_link(Member(house.guild.id, house.alice.id))
    size = {"width": 390, "height": 740}
    found = {}
    async with operator(browser, house, size=size, dark=True, logged_in=False) as person:
        await person.open(link)
        found[link] = await person.violations()
        await person.press("Open")
        await person.sees("What I know of you here")
        number = await person.page.locator("input[name=items]").first.get_attribute("value")
        for path in ("/me", "/me?q=bicycle", f"/me/items/{number.replace('#', '%23')}"):
            await person.open(path)
            await person.page.evaluate(UNFOLD)
            found[path] = await person.violations()
            assert await person.overflow() <= 0, path
    assert not {path: one for path, one in found.items() if one}


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


LINES = """rows => rows.map(row => {
  const line = parseFloat(getComputedStyle(row).lineHeight);
  const box = getComputedStyle(row);
  const frame = ["paddingTop", "paddingBottom", "borderTopWidth", "borderBottomWidth"];
  const inside = row.getBoundingClientRect().height
    - frame.reduce((sum, side) => sum + parseFloat(box[side]), 0);
  return inside / line;
})"""


async def test_on_a_phone_a_memory_is_at_most_three_lines_and_costs_are_all_seen(house, browser):
    guild_id, words = house.guild.id, "a very long walk through the woods " * 9
    house.model.extract_with(noting(words.strip()))
    await house.teach(house.alice, f"I love {words.strip()}")
    lists = ("/memories", f"/servers/{guild_id}/members/{house.alice.id}", "/audit")
    async with operator(browser, house, size=PHONE) as person:
        for path in lists:
            await person.open(path)
            rows = person.page.locator("table.brief tbody tr")
            (height,) = await rows.filter(has_text="a very long walk").evaluate_all(LINES)
            assert 2 < height < 3.7, path  # with the paddings of cells
        await person.open("/")
        hidden = "tables => tables.map(table => table.scrollWidth - table.clientWidth)"
        assert await person.page.locator("#spend [aria-label=Models]").evaluate_all(hidden) == [0]


async def test_pointing_at_a_column_of_a_chart_prints_its_day_and_value(house, browser):
    await furnish(house)
    async with operator(browser, house) as person:
        await person.open("/")
        chart = person.page.locator("#spend .chart")
        read_off = chart.locator("text.value").last
        assert not await read_off.is_visible()
        await chart.locator(".hover").last.hover()
        await read_off.wait_for(state="visible")
        assert not await chart.locator("text.value").first.is_visible()


async def test_a_memorys_page_shows_its_sentence_and_the_form_above_the_fold(house, browser):
    await house.teach(house.alice, "I have a cat named Miso")
    chosen = MemoryFilter(guild_id=house.guild.id, user_id=house.alice.id)
    (row,) = (await house.app.admin.browser.items(chosen)).rows
    async with operator(browser, house) as person:
        await person.open(f"/memories/{row.id}")
        sentence = await person.page.locator("blockquote", has_text="Miso").bounding_box()
        memory_card, form, audit = [
            await card.bounding_box() for card in await person.page.locator("main .card").all()
        ]
        assert sentence["y"] + sentence["height"] < DESKTOP["height"] / 2
        assert (form["x"] > memory_card["x"], form["y"]) == (True, memory_card["y"])
        assert abs(form["y"] + form["height"] - audit["y"] - audit["height"]) < 1


ROWS = """list => {
  const rows = new Map();
  for (const tile of list.children) {
    const {top, width} = tile.getBoundingClientRect();
    rows.set(top, [...(rows.get(top) || []), width / list.clientWidth]);
  }
  return [...rows.values()];
}"""


async def test_no_figure_stands_alone_beside_an_empty_row(house, browser):
    await furnish(house)
    async with operator(browser, house) as person:
        for path in ("/", f"/servers/{house.guild.id}"):
            await person.open(path)
            for width in (390, 800, 1000, 1200, 1440):
                await person.page.set_viewport_size({"width": width, "height": 800})
                rows = await person.page.locator(".figures").evaluate(ROWS)
                assert len(rows[-1]) > 1 or rows[-1][0] > 0.9, (path, width, rows)


async def test_light_and_dark_are_chosen_by_hand_and_remembered(house, browser):
    async with operator(browser, house) as person:
        await person.open("/")
        colour = "getComputedStyle(document.body).backgroundColor"
        light = await person.page.evaluate(colour)
        await person.page.get_by_role("button", name="Theme: auto").click()
        await person.page.get_by_role("button", name="Theme: light").click()
        assert await person.page.evaluate(colour) != light
        await person.open("/settings")
        await person.page.get_by_role("button", name="Theme: dark").wait_for()
        assert await person.page.evaluate(colour) != light


async def test_the_keyboard_reaches_everything_from_a_skip_link_on(house, browser):
    async with operator(browser, house) as person:
        await person.open("/settings")
        await person.page.keyboard.press("Tab")
        focused = person.page.locator(":focus")
        assert await focused.inner_text() == "Skip to the page"
        await person.page.keyboard.press("Enter")
        await person.page.keyboard.press("Tab")
        assert await focused.evaluate("element => element.closest('main') !== null")
