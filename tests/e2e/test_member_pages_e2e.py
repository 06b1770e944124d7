"""Members' own pages: from /memory show to a link, and what nobody else can do with either."""

import re
from typing import Any
from urllib.parse import quote, urlsplit

import aiohttp
import pytest

from tests.e2e.den import Den
from tests.e2e.eyes import TOKEN
from tests.e2e.test_commands_e2e import use
from utils.models.memory import DIRECT_MESSAGES, Consent, Member

PUBLIC = "http://localhost"
CHOSEN: dict[str, Any] = {
    "dashboard_token": TOKEN,
    "dashboard_port": 0,
    "dashboard_public_url": PUBLIC,
}
CSRF = re.compile(r'name="csrf" value="([^"]+)"')


class Browser:
    """A browser that opens pages of members; it follows no redirects."""

    def __init__(self, den: Den) -> None:
        self._den = den
        self.http = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))
        self.csrf = ""

    async def get(self, path: str) -> tuple[int, str]:
        async with self.http.get(self._den.dashboard + path, allow_redirects=False) as answer:
            text = await answer.text()
        if found := CSRF.search(text):
            self.csrf = found[1]
        return answer.status, text

    async def post(self, path: str, **form: object) -> tuple[int, str]:
        data = aiohttp.FormData({"csrf": self.csrf})
        for name, value in form.items():
            for one in value if isinstance(value, list) else [value]:
                data.add_field(name, str(one))
        url = self._den.dashboard + path
        async with self.http.post(url, data=data, allow_redirects=False) as answer:
            return answer.status, await answer.text()


@pytest.fixture
async def home(den: Den):
    async with den.awake(**CHOSEN):
        yield den


@pytest.fixture
async def browser(home: Den):
    opened = Browser(home)
    async with opened.http:
        yield opened


async def asked(den: Den, path: str, headers: dict[str, str]) -> tuple[int, str]:
    """The status, and where it leads, of a request with these headers alone."""
    async with (
        aiohttp.ClientSession() as plain,
        plain.get(den.dashboard + path, headers=headers, allow_redirects=False) as answer,
    ):
        return answer.status, answer.headers.get("location", "")


async def link_of(den: Den, who) -> str:
    """The path of the link that /memory show gives somebody."""
    page = await use(den, who, "memory show")
    given = await (await den.fake.click(who, page, "Open in the browser")).followup()
    assert given.ephemeral
    ((button,),) = [row["components"] for row in given.components]
    assert button["url"].startswith(f"{PUBLIC}/me/enter/")
    return urlsplit(button["url"]).path


async def enter(den: Den, browser: Browser, who) -> str:
    """Open somebody's page by their link; returns what it says."""
    link = await link_of(den, who)
    assert (await browser.get(link))[0] == 200
    assert (await browser.post(link))[0] == 303
    status, text = await browser.get("/me")
    assert status == 200
    return text


async def ids_of(den: Den, who) -> dict[str, int]:
    """The numbers of somebody's memories, by their texts."""
    view = await den.app.memory.member_data.show(Member(den.guild.id, who.id))
    return {row.text: row.id for row in view.rows}


async def test_a_member_sees_searches_corrects_and_forgets_on_their_own_page(
    home, browser, monkeypatch
):
    await home.teach(home.alice, "I have a dog. I live in Rome. I own a boat. A stormy day.")
    await home.teach(home.bob, "I own a submarine")
    text = await enter(home, browser, home.alice)
    assert "has a dog" in text and "lives in Rome" in text and "submarine" not in text
    _, found = await browser.get("/me?q=boat")
    assert "boat" in found and "has a dog" not in found
    monkeypatch.setattr("utils.memory.member_data.search.MAX_FOUND", 0)
    assert all(['role="alert"' in (await browser.get(f"/me?q={q}"))[1] for q in ("%3F", "stormy")])

    ids = await ids_of(home, home.alice)
    dog = f"/me/items/{quote('#' + str(ids['has a dog']))}"
    assert "I have a dog" in (await browser.get(dog))[1]
    assert (await browser.post(dog, text="has two dogs"))[0] == 303
    assert "has two dogs" in await home.known_of(home.alice)
    gone = [f"#{ids['lives in Rome']}", f"#{ids['owns a boat']}"]
    for chosen in (gone[:1], gone):  # in one window, then in another that still shows both
        assert (await browser.post("/me/forget", items=chosen))[0] == 303
    assert await home.known_of(home.alice) == ["has two dogs"]
    assert (await browser.post("/me/forget"))[0] == 400
    assert await home.known_of(home.bob) == ["owns a submarine"]


async def test_consent_is_chosen_for_several_places_and_none_here_ends_the_visit(home, browser):
    await home.teach(home.alice, "I have a dog")
    here, direct = Member(home.guild.id, home.alice.id), Member(DIRECT_MESSAGES, home.alice.id)
    await home.app.memory.editor.set_consent(direct, Consent.TEMPORARY)
    data = home.app.memory.member_data
    await enter(home, browser, home.alice)
    places = [home.guild.id, DIRECT_MESSAGES]
    known = await data.places(home.alice.id)
    places = [place for place in places if place in known]
    assert (await browser.post("/me/consent", choice="lasting", places=places))[0] == 303
    assert {(await data.show(Member(place, home.alice.id))).consent for place in places} == {
        Consent.LASTING
    }
    assert (await browser.post("/me/consent", choice="lasting", places=4711))[0] == 400
    assert (await browser.post("/me/consent", choice="lasting"))[0] == 400
    assert (await browser.post("/me/consent", choice="always", places=places))[0] == 422

    status, text = await browser.post("/me/consent", choice="off", places=home.guild.id)
    assert status == 200 and "Your visit is over" in text
    assert (await data.show(here)).consent is Consent.OFF
    assert await home.known_of(home.alice) == []
    assert (await browser.get("/me"))[0] == 401


async def test_a_link_works_once_for_fifteen_minutes_and_only_the_newest_does(home, browser):
    older = await link_of(home, home.alice)
    newest = await link_of(home, home.alice)
    assert (await browser.post(older))[0] == 401
    for _ in range(2):  # looking at it, as a preview does, leaves it unused
        assert (await browser.get(newest))[0] == 200
    assert (await browser.post(newest))[0] == 303
    status, text = await browser.post(newest)
    assert status == 401 and "used already or is older than 15 minutes" in text
    assert (await browser.get("/me"))[0] == 200
    home.clock.pass_time(3601)
    assert (await browser.get("/me"))[0] == 401
    late = await link_of(home, home.alice)
    home.clock.pass_time(901)
    assert (await browser.post(late))[0] == 401
    for guess in ("", "x", late[9:-1], "%00"):
        assert (await browser.post(f"/me/enter/{guess}"))[0] in (401, 404)


async def test_a_members_session_and_the_operators_open_nothing_of_each_other(home, browser):
    await home.teach(home.bob, "I own a submarine")
    await home.teach(home.alice, "I have a dog")
    assert (await browser.get("/me"))[0] == 401
    await enter(home, browser, home.alice)
    cookies = {cookie.key: cookie for cookie in browser.http.cookie_jar}
    assert set(cookies) == {"kith_member"}
    value = cookies["kith_member"].value
    assert cookies["kith_member"]["path"] == "/me" and cookies["kith_member"]["httponly"]
    assert cookies["kith_member"]["samesite"] == "strict"

    stolen = {"cookie": f"kith_session={value}; kith_member={value}"}
    bearer = {"authorization": f"Bearer {value}"}
    for path in ("/", "/servers", "/memories", "/audit", "/settings", "/api/docs", "/metrics"):
        for headers in (stolen, bearer):
            status, location = await asked(home, path, headers)
            assert (status, location) in ((303, "/login"), (401, ""), (429, "")), path
    operator = home.dashboard_app.state.access.log_in(TOKEN, "here").id
    for headers in (
        {"cookie": f"kith_session={operator}; kith_member={operator}"},
        {"authorization": f"Bearer {TOKEN}"},
    ):
        assert await asked(home, "/me", headers) == (401, "")

    (number,) = (await ids_of(home, home.bob)).values()
    for item in (f"#{number}", "#999999", "m1", "p1", "nonsense"):
        assert (await browser.get(f"/me/items/{quote(item)}"))[0] == 400, item
        assert (await browser.post(f"/me/items/{quote(item)}", text="owns a ship"))[0] == 400
        assert (await browser.post("/me/forget", items=[item]))[0] == 400, item
    assert await home.known_of(home.bob) == ["owns a submarine"]
    browser.csrf = "made up"
    assert (await browser.post("/me/forget-everything"))[0] == 403
    assert await home.known_of(home.alice) == ["has a dog"]


async def test_a_visit_ends_when_the_member_leaves_or_has_everything_forgotten(home, browser):
    await home.teach(home.alice, "I have a dog")
    member = Member(home.guild.id, home.alice.id)
    await enter(home, browser, home.alice)
    await home.app.memory.editor.forget_all(member)
    assert (await browser.get("/me"))[0] == 401

    await home.teach(home.alice, "I have a boat")
    await enter(home, browser, home.alice)
    status, text = await browser.post("/me/forget-everything")
    assert status == 200 and "Your visit is over" in text
    assert await home.known_of(home.alice) == []
    assert (await browser.get("/me"))[0] == 401

    assert (await browser.post(await link_of(home, home.alice)))[0] == 303
    assert (await browser.get("/me"))[0] == 200
    home.fake.remove_member(home.alice)
    home.clock.pass_time(31)  # Discord is asked twice a minute at most
    assert (await browser.get("/me"))[0] == 401
    assert (await browser.post("/me/consent", choice="off", places=home.guild.id))[0] == 401
    await home.app.memory.editor.forget_all(member)
