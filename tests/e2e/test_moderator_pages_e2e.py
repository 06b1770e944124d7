"""Moderators' pages: from /setup and /mod page to a link, and what nobody else can do with it."""

import random
import re
from contextlib import AsyncExitStack
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
import pytest_asyncio

from cogs.dashboard.discord_view import DiscordView
from cogs.dashboard.moderator_pages.presets import PRESETS
from cogs.dashboard.pages.layout import MODERATOR_PAGES
from tests.e2e.den import Den, hidden_from_nobody, make_place, open_den
from tests.e2e.test_alerts_e2e import BAD, scored
from tests.e2e.test_commands_e2e import use
from tests.e2e.test_member_pages_e2e import CHOSEN, PUBLIC, Browser, asked, enter
from tests.fakes.discord import perms
from tests.fakes.discord.things import FORUM, VOICE
from utils.models.alert import AlertState
from utils.models.guild import Purpose, SpeakingPlace
from utils.models.memory import Consent
from utils.models.policy import Outcome
from utils.models.sentiment import PassiveMemory, WatchSettings

UNDO = re.compile(r'action="(/mod/log/[0-9]+/undo)"')


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def running_den(shared_database_url: str):
    """Kith awake with its pages, with servers for the tests of this module."""
    async with open_den(shared_database_url) as opened:
        opened.add_spare_places(20)
        async with opened.awake(**CHOSEN):
            yield opened


@pytest.fixture
def home(shared_kith: Den) -> Den:
    return shared_kith


@pytest_asyncio.fixture(loop_scope="module")
async def browser(home: Den):
    opened = Browser(home)
    async with opened.http:
        yield opened


@pytest.fixture
async def own_home(den: Den):
    """The same for a test that moves the clock, or guesses so often that guesses are refused."""
    async with den.awake(**CHOSEN):
        yield den


@pytest.fixture
async def own_browser(own_home: Den):
    opened = Browser(own_home)
    async with opened.http:
        yield opened


async def link_of(den: Den, who, place=None) -> str:
    """The path of the link that /mod page gives a moderator."""
    given = await use(den, who, "mod page", place)
    assert given.ephemeral
    ((button,),) = [row["components"] for row in given.components]
    assert button["url"].startswith(f"{PUBLIC}/mod/enter/")
    return urlsplit(button["url"]).path


async def begin(den: Den, browser: Browser, who, place=None) -> str:
    """Open a moderator's pages by their link; returns what the first one says."""
    link = await link_of(den, who, place)
    assert (await browser.get(link))[0] == 200
    assert (await browser.post(link))[0] == 303
    status, text = await browser.get("/mod")
    assert status == 200
    return text


async def alert_path(den: Den) -> str:
    """The path of the page of a server's only alert."""
    yesterday = den.app.clock.now() - timedelta(days=1)
    (alert,) = await den.app.sentiment.alerts.newest(den.guild.id, yesterday)
    return f"/mod/alerts/{alert.alert_id}"


async def settings_of(den: Den):
    return await den.app.guilds.settings.latest(den.guild.id)


async def test_setup_offers_a_link_and_a_preset_shows_what_it_changes_before_it_does(home, browser):
    page = await use(home, home.moderator, "setup")
    given = await (await home.fake.click(home.moderator, page, "Open in the browser")).followup()
    assert given.ephemeral and f"{PUBLIC}/mod/enter/" in str(given.components)
    await home.app.guilds.settings.add_channel(home.guild.id, home.general.id, Purpose.CHAT)
    before = await settings_of(home)
    assert "#general" in await begin(home, browser, home.moderator)

    _, text = await browser.get("/mod?preset=quiet")
    assert "<del>#general</del>" in text and "<ins>none</ins>" in text
    assert await settings_of(home) == before
    assert (await browser.post("/mod/presets/quiet"))[0] == 303
    after = await settings_of(home)
    assert (after.mode, after.lore, after.channels) == ("helpful", False, ())
    assert "Nothing: it is already like that." in (await browser.get("/mod?preset=quiet"))[1]
    assert (await browser.post("/mod/presets/loud"))[0] == 404


async def test_what_a_command_changes_is_in_the_log_and_can_be_taken_back_for_a_day(
    own_home, own_browser
):
    await use(
        own_home, own_home.moderator, "config channel chat", action="add", channel=own_home.general
    )
    await use(own_home, own_home.moderator, "mode set", mode="roast")
    await use(own_home, own_home.moderator, "mod freeze", state="on")
    await begin(own_home, own_browser, own_home.moderator)
    _, text = await own_browser.get("/mod/log")
    assert text.count("Mia") == 3 and "#general" in text
    frozen, mode, chat = UNDO.findall(text)
    for path in (frozen, mode, chat):
        assert (await own_browser.post(path))[0] == 303
    settings = await settings_of(own_home)
    assert (settings.frozen, settings.mode, settings.channels) == (False, "friendly", ())
    assert (await own_browser.post(mode))[0] == 409  # it was changed since
    status, text = await own_browser.post("/mod/log/999999/undo")
    assert status == 404 and "Back to Start" in text and "your memories" not in text

    own_home.clock.pass_time(86_401)
    await begin(own_home, own_browser, own_home.moderator)
    assert not UNDO.findall((await own_browser.get("/mod/log"))[1])
    assert (await own_browser.post(frozen))[0] == 409


async def test_watching_speaking_first_and_alert_settings_are_in_the_log_too(home, browser):
    moderator, general = home.moderator, home.general
    await use(home, moderator, "mod watch add", channel=general, memory="opt-out")
    await use(home, moderator, "mod watch remove", channel=general)
    await use(home, moderator, "speak on", channel=general, after_minutes=60)
    await use(home, moderator, "mod tension settings", tension_alert=0.4, prefilter="heated")
    await use(home, moderator, "mod tension settings", automatic="off")
    games = {"action": "add", "channel": general}
    await use(home, moderator, "config channel game", **games)
    await use(home, moderator, "config channel game", **games, topics="chess, go")
    await home.app.guilds.personas.create(home.guild.id, "pirate", "Arr.", actor_id=moderator.id)
    await home.app.guilds.personas.edit(home.guild.id, "pirate", "Yo.", actor_id=moderator.id)
    await begin(home, browser, moderator)
    _, text = await browser.get("/mod/log")
    assert [
        part
        for part in ("#general (opt-out)", "after 60 minutes", "0.4", "heated", "pirate", "(chess")
        if part not in text
    ] == []
    assert "Arr." not in text and "Yo." not in text and text.count("Mia") == 9
    undos = UNDO.findall(text)
    assert len(undos) == 5  # of watching only the last change; texts of modes are not kept
    for path in undos:
        assert (await browser.post(path))[0] == 303, path
    (watched,) = await home.app.sentiment.channels.channels(home.guild.id)
    assert watched.memory is PassiveMemory.OPT_OUT and watched.notice_id
    assert await home.app.guilds.speaking.load(home.guild.id) == []
    assert await home.app.sentiment.channels.settings(home.guild.id) == WatchSettings(home.guild.id)
    for path in undos:  # a second time
        assert (await browser.post(path))[0] == 409, path


async def test_a_change_that_is_not_seen_or_needs_another_permission_is_not_taken_back(
    home, browser
):
    guild_id = home.guild.id
    hidden = home.guild.add_text_channel("vault")
    await home.fake.set_overwrite(hidden, home.guild.everyone, deny=perms("view_channel"))
    await home.app.guilds.speaking.choose(SpeakingPlace(guild_id, hidden.id), actor_id=7)
    await home.app.sentiment.channels.change(guild_id, auto_timeout=True, actor_id=7)
    await begin(home, browser, home.moderator)
    _, text = await browser.get("/mod/log")
    assert "vault" not in text and "a hidden or deleted channel" in text
    entries = await home.app.guilds.settings.logged(guild_id, 2)
    answers = [(await browser.post(f"/mod/log/{entry.id}/undo"))[0] for entry in entries]
    assert answers == [409, 400]  # automatic time-outs need a permission of their own
    assert len(await home.app.guilds.speaking.load(guild_id)) == 1


async def test_a_role_taken_away_and_a_member_who_leaves_end_the_visit_at_once(home, browser):
    await begin(home, browser, home.moderator)
    assert (await browser.get("/mod/log"))[0] == 200
    roles = home.moderator.roles
    await home.fake.change_member(home.moderator, roles=[])
    assert (await browser.post("/mod/presets/quiet"))[0] == 401
    await home.fake.change_member(home.moderator, roles=roles)
    assert (await browser.get("/mod"))[0] == 401  # the visit is over, not only interrupted
    await begin(home, browser, home.moderator)
    home.fake.remove_member(home.moderator)
    assert (await browser.get("/mod"))[0] == 401
    assert (await settings_of(home)).mode == "friendly"


async def test_a_member_gets_no_link_and_guesses_none(own_home, own_browser):
    with hidden_from_nobody(own_home):
        refused = await use(own_home, own_home.alice, "mod page")
    assert "Manage Server" in refused.content and not refused.components
    link = await link_of(own_home, own_home.moderator)
    for guess in ("", "x", link.rpartition("/")[2][:-1], "%00", "../enter/"):
        assert (await own_browser.post(f"/mod/enter/{guess}"))[0] in (401, 404), guess
    await own_home.teach(own_home.alice, "I have a dog")
    await enter(own_home, own_browser, own_home.alice)
    (cookie,) = own_browser.http.cookie_jar
    for name in ("kith_member", "kith_moderator", "kith_session"):
        assert (await asked(own_home, "/mod", {"cookie": f"{name}={cookie.value}"}))[0] == 401
    operator = own_home.dashboard_app.state.access.log_in(CHOSEN["dashboard_token"], "here").id
    for headers in (
        {"cookie": f"kith_session={operator}; kith_moderator={operator}"},
        {"authorization": f"Bearer {CHOSEN['dashboard_token']}"},
    ):
        assert (await asked(own_home, "/mod", headers))[0] == 401

    async with Browser(own_home).http as plain:
        moderator = Browser(own_home)
        moderator.http = plain
        await begin(own_home, moderator, own_home.moderator)
        value = {one.key: one.value for one in plain.cookie_jar}["kith_moderator"]
        for path in ("/", "/servers", "/memories", "/audit", "/settings", "/review", "/me"):
            headers = {"cookie": f"kith_session={value}; kith_member={value}"}
            status, location = await asked(own_home, path, headers)
            assert (status, location) in ((303, "/login"), (401, "")), path
        moderator.csrf = "made up"
        assert (await moderator.post("/mod/presets/quiet"))[0] == 403


async def test_two_moderators_never_reach_each_others_server(den):
    other = make_place(den.fake)
    places, animals = (den, other), ("zebra", "walrus")
    for place, animal in zip(places, animals, strict=True):
        place.guild.add_text_channel(f"only-{animal}")
    chooser = random.Random(48)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(den.awake(**CHOSEN))
        browsers, memories = [], []
        for place, animal in zip(places, animals, strict=True):
            guild_id, actor = place.guild.id, {"actor_id": place.moderator.id}
            manual = {"mode": "manual"}
            await den.app.guilds.settings.set_policy(guild_id, manual, reason="", **actor)
            await den.app.guilds.personas.create(guild_id, animal, f"Talk as a {animal}.", **actor)
            await den.teach(place.alice, f"I own a {animal}", place.general)
            (waiting,) = await den.app.memory.reviews.waiting(guild_id)
            memories.append(waiting.id)
            browser = Browser(den)
            await stack.enter_async_context(browser.http)
            await begin(den, browser, place.moderator, place.general)
            browsers.append(browser)
        insult = await den.fake.say(den.bob, den.general, "You are a fool, all of you.")
        await den.calm()
        await scored(den, (insult, BAD))
        alert = await alert_path(den)
        crossings, refused = [], 0
        for turn in (0, 1):
            browser, mine, theirs = browsers[turn], places[turn], places[1 - turn]
            entry = (await den.app.guilds.settings.logged(theirs.guild.id, 1))[0].id
            foreign, their_memory = theirs.general.id, memories[1 - turn]
            review = f"/mod/review/{mine.guild.id}/{their_memory}"
            speaking = {"after_minutes": 60, "per_day": 1, "quiet_from": 1, "quiet_until": 2}
            requests = [
                *((path, None) for path, _ in MODERATOR_PAGES),
                *((f"{path}?guild={theirs.guild.id}", None) for path, _ in MODERATOR_PAGES),
                *((f"/mod/presets/{preset}", {}) for preset in PRESETS),
                (f"/mod/log/{entry}/undo", {}),
                ("/mod/channels/purposes", {"chat": foreign, "never": foreign}),
                ("/mod/channels/purposes", {"log": foreign}),
                ("/mod/voice/mode", {"mode": "roast", "channel": foreign}),
                ("/mod/voice/mode", {"mode": animals[1 - turn]}),
                ("/mod/voice/own", {"act": "delete", "name": animals[1 - turn]}),
                ("/mod/voice/speaking", {"act": "on", "channel": foreign, **speaking}),
                ("/mod/memory/consent", {"choice": "lasting", "channel": foreign}),
                (f"/mod/memory/server/{their_memory}/forget", {}),
                *((review, {"decision": decision}) for decision in ("approve", "reject", "undo")),
                (f"{review}/text", {"text": "owns a mouse"}),
                (f"/mod/review/{theirs.guild.id}/{their_memory}", {"decision": "reject"}),
                (f"/mod/review/{theirs.guild.id}/{their_memory}/text", {"text": "x"}),
                *([(alert, None), (f"{alert}?lines=1", None)] * turn),
                *([(alert, {"decision": "dismiss"})] * turn),
            ]
            for path, form in chooser.sample(requests, len(requests)):
                if form is None:
                    status, text = await browser.get(path)
                else:
                    status, text = await browser.post(path, **form)
                is_own = path.split("?")[0] in dict(MODERATOR_PAGES) or "presets" in path
                strange = [f"{start}{animals[1 - turn]}" for start in ("only-", "a ")] + ["a fool"]
                crossings += [path] * any(words in text for words in strange)
                crossings += [path] * (is_own != (status in (200, 303)))
                refused += not is_own
        assert (crossings, refused > 25) == ([], True)
        assert "a fool" in (await browsers[0].get(f"{alert}?lines=1"))[1]
        for place, other_place in zip(places, reversed(places), strict=True):
            settings = await den.app.guilds.settings.latest(place.guild.id)
            assert not settings.channels and not settings.channel_modes
            assert len(await den.app.memory.reviews.waiting(place.guild.id)) == 1
            assert len(await den.app.guilds.personas.names(place.guild.id)) == 1
            actors = {
                entry.actor_id
                for entry in await den.app.guilds.settings.logged(place.guild.id, 500)
            }
            assert actors == {place.moderator.id} != {other_place.moderator.id}


async def test_a_planted_cookie_a_foreign_page_another_host_and_a_huge_form_open_nothing(
    home, browser
):
    link = await link_of(home, home.moderator)
    foreign = {"origin": "https://evil.example", "host": "localhost"}
    cross = {"sec-fetch-site": "cross-site"}
    for headers in (foreign, cross):  # somebody else's page presses Open
        async with browser.http.post(home.dashboard + link, headers=headers) as answer:
            assert answer.status == 403
    planted = {"cookie": "kith_moderator=planted"}
    async with browser.http.post(
        home.dashboard + link, headers=planted, allow_redirects=False
    ) as answer:
        cookie = answer.cookies["kith_moderator"]
        assert answer.status == 303 and cookie.value != "planted"
        assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == ("/mod", True, "strict")
    assert (await asked(home, "/mod", planted))[0] == 401
    assert (await browser.get("/mod"))[0] == 200
    own = {"cookie": f"kith_moderator={cookie.value}"}
    assert (await asked(home, "/mod", own))[0] == 200
    assert (await asked(home, "/mod", own | {"host": "evil.example"}))[0] == 421
    assert (await asked(home, "/me", own))[0] == 401
    path = "/mod/presets/quiet"
    async with browser.http.post(
        home.dashboard + path, data={"csrf": browser.csrf}, headers=foreign
    ) as answer:
        assert answer.status == 403
    assert (await browser.post("/mod/voice/own", act="create", text="x" * 200_000))[0] == 413
    many = [home.general.id] * 3_000
    assert (await browser.post("/mod/channels/purposes", chat=many, never=["x"]))[0] == 400
    csrf, browser.csrf = browser.csrf, ""
    assert (await browser.post(path))[0] == 403
    browser.csrf = csrf
    assert (await browser.get("/mod/log"))[1].count("<tr>") == 0  # nothing was changed
    assert (await browser.post("/mod/logout"))[0] == 200
    assert (await asked(home, "/mod", own))[0] == 401


async def test_nobody_who_lacks_manage_server_is_a_moderator_of_pages(home, browser):
    helper = home.guild.add_role("Helper", perms("manage_messages", "manage_channels"))
    member = home.guild.add_member("Hal", roles=[helper])
    boss = home.guild.add_role("Boss", perms("manage_guild"))
    await home.fake.change_member(member, roles=[helper, boss])
    await begin(home, browser, member)
    await home.fake.set_role_permissions(boss, 0)
    assert (await browser.get("/mod"))[0] == 401


def seen_in(text: str, action: str, field: str = "seen") -> str:
    """The hidden field of a form that says from which values it was made."""
    sought = rf'action="/mod/{action}".*?name="{field}" value="([^"]+)"'
    return re.search(sought, text, re.DOTALL)[1]


async def test_channels_are_chosen_and_what_the_moderator_does_not_see_stays(home, browser):
    secret = home.guild.add_text_channel("secret")
    log, forum = home.guild.add_text_channel("reports"), home.guild.add_channel("help", FORUM)
    await home.fake.set_overwrite(secret, home.guild.everyone, deny=perms("view_channel"))
    service, general = home.app.guilds.settings, home.general
    await service.add_channel(home.guild.id, secret.id, Purpose.CHAT)
    await begin(home, browser, home.moderator)
    _, text = await browser.get("/mod/channels")
    assert "secret" not in text and str(secret.id) not in text
    form = {"seen": seen_in(text, "channels/purposes"), "log": forum.id, "never": log.id}
    assert (await browser.post("/mod/channels/purposes", **form))[0] == 400  # it takes no reports
    form["log"] = log.id
    assert (await browser.post("/mod/channels/purposes", chat=general.id, **form))[0] == 303
    settings = await settings_of(home)
    assert settings.ids_for(Purpose.CHAT) == {secret.id, general.id}
    assert settings.ids_for(Purpose.LOG) == settings.ids_for(Purpose.NEVER) == {log.id}
    assert (await browser.post("/mod/channels/purposes", **form))[0] == 409  # an old form
    await service.add_channel(home.guild.id, forum.id, Purpose.LOG)  # as pages once let them
    _, text = await browser.get("/mod/channels")
    form["seen"] = seen_in(text, "channels/purposes")
    assert (await browser.post("/mod/channels/purposes", chat=secret.id, **form))[0] == 400
    assert (await browser.post("/mod/channels/purposes", **form | {"log": ""}))[0] == 303
    assert (await settings_of(home)).ids_for(Purpose.LOG) == {forum.id}
    _, text = await browser.get("/mod/log")
    assert "secret" not in text and "a hidden or deleted channel" in text
    boss = home.guild.add_role("Boss", perms("administrator"))
    await begin(home, browser, home.guild.add_member("Ruth", roles=[boss]))
    _, text = await browser.get("/mod/channels")  # Discord calls it ___hidden___
    assert str(log.id) in text and str(secret.id) not in text
    places = DiscordView(home.client).channels(home.guild.id)
    assert log.id in (ids := [place.id for place in places]) and secret.id not in ids

    _, text = await browser.get("/mod/channels")
    watch = {"seen": seen_in(text, "channels/watched"), "watched": general.id}
    assert (await browser.post("/mod/channels/watched", **watch))[0] == 303
    watched = await home.app.sentiment.channels.channels(home.guild.id)
    assert [one.channel_id for one in watched] == [general.id] and watched[0].notice_id

    role = home.guild.add_role("Verified", 0)
    assert (await browser.post("/mod/channels/role", role=4711))[0] == 400
    assert (await browser.post("/mod/channels/role", role=role.id))[0] == 303
    await home.fake.delete_role(role)
    _, text = await browser.get("/mod/channels")
    assert f'<option value="{role.id}" selected>' in text  # it is gone, which is not "everyone"
    assert (await browser.post("/mod/channels/role", role=""))[0] == 303


async def test_memory_is_set_and_a_longer_default_is_announced_to_all(home, browser):
    hidden = home.guild.add_text_channel("staff")
    await home.fake.set_overwrite(hidden, home.guild.everyone, deny=perms("view_channel"))
    staff = home.guild.roles[next(iter(home.moderator.role_ids))]
    await home.fake.set_overwrite(hidden, staff, allow=perms("view_channel"))
    await begin(home, browser, home.moderator)
    path = "/mod/memory/consent"
    for where, status in (("", 400), (hidden.id, 400), (home.general.id, 303)):
        assert (await browser.post(path, choice="lasting", channel=where))[0] == status
    assert (await settings_of(home)).consent_default is Consent.LASTING
    assert home.general.history()[-1].author.bot

    _, text = await browser.get("/mod/memory")
    switches = {
        "seen": seen_in(text, "memory/switches"),
        "lore": "off",
        "moderators_see_members": "on",
        "frozen": re.search(r'name="frozen".*?"(\w+)" selected', text, re.DOTALL)[1],
    }
    for status in (303, 409):  # in two tabs
        assert (await browser.post("/mod/memory/switches", **switches))[0] == status
    settings = await settings_of(home)
    assert (settings.lore, settings.moderators_see_members, settings.frozen) == (False, True, False)
    policy = {
        "base_version": seen_in(text, "memory/policy", "base_version"),
        "mode": "manual",
        "refused_kinds": ["task", "lore"],
        "cap": 50,
        "reason": "calm",
    }
    assert (await browser.post("/mod/memory/policy", **policy))[0] == 303
    assert (await browser.post("/mod/memory/policy", **(policy | {"cap": 60})))[0] == 409
    chosen = await home.app.guilds.settings.policy(home.guild.id)
    assert (chosen.mode, chosen.refused_kinds, chosen.cap) == ("manual", {"task", "lore"}, 50)


async def test_modes_and_speaking_first_are_set_on_the_page(home, browser):
    await begin(home, browser, home.moderator)
    general = home.general.id
    assert (await browser.post("/mod/voice/mode", mode="dry-wit"))[0] == 303
    assert (await browser.post("/mod/voice/mode", mode="loud"))[0] == 400
    own = {"act": "create", "name": "pirate", "text": "You talk like a pirate."}
    assert (await browser.post("/mod/voice/own", **own))[0] == 303
    assert (await browser.post("/mod/voice/mode", mode="pirate", channel=general))[0] == 303
    settings = await settings_of(home)
    assert (settings.mode, settings.mode_in(general)) == ("dry-wit", "pirate")
    page = (await browser.get("/mod/voice"))[1]
    assert "You talk like a pirate." in page
    edited = own | {"act": "edit", "text": "Arr!", "seen": seen_in(page, "voice/own")}
    for form, status in ((edited, 303), (edited, 409), (own | {"act": "delete"}, 303)):
        assert (await browser.post("/mod/voice/own", **form))[0] == status  # in two windows
    assert await home.app.guilds.personas.names(home.guild.id) == ()

    times = {"after_minutes": 60, "per_day": 2, "quiet_from": 22, "quiet_until": 8}
    speaking = {"channel": general, "act": "on", **times}
    voice, quiet = home.guild.add_channel("lounge", VOICE), home.guild.add_text_channel("quiet")
    await home.app.guilds.settings.add_channel(home.guild.id, quiet.id, Purpose.NEVER)
    for wrong in ({"per_day": 9}, {"channel": voice.id}, {"channel": quiet.id}):
        assert (await browser.post("/mod/voice/speaking", **(speaking | wrong)))[0] == 400
    assert (await browser.post("/mod/voice/speaking", **speaking))[0] == 303
    (place,) = await home.app.guilds.speaking.load(home.guild.id)
    assert (place.channel_id, place.after_minutes, place.per_day) == (general, 60, 2)
    assert "Speaks first in" in (await browser.get("/mod/voice"))[1]
    assert (await browser.post("/mod/voice/speaking", channel=general, act="off"))[0] == 303
    assert await home.app.guilds.speaking.load(home.guild.id) == []


async def test_a_moderator_decides_on_what_waits_and_reads_only_what_they_may(home, browser):
    await use(home, home.moderator, "mod policy set", mode="manual")
    await home.teach(home.alice, "I have a dog. I own a boat.")
    hidden = home.guild.add_text_channel("hidden")
    await home.fake.set_overwrite(
        hidden, home.guild.roles[next(iter(home.moderator.role_ids))], deny=perms("view_channel")
    )
    await home.teach(home.bob, "I own a submarine", hidden)
    waiting = {one.text: one.id for one in await home.app.memory.reviews.waiting(home.guild.id)}
    assert waiting.keys() == {"has a dog", "owns a boat", "owns a submarine"}
    await begin(home, browser, home.moderator)
    _, text = await browser.get("/mod/review")
    assert "I own a boat" in text and "submarine" not in text
    assert "/memories" not in text and "/servers" not in text
    at = f"/mod/review/{home.guild.id}"
    assert (await browser.post(f"{at}/{waiting['has a dog']}", decision="approve"))[0] == 303
    text = {"text": "owns a red boat"}
    assert (await browser.post(f"{at}/{waiting['owns a submarine']}/text", **text))[0] == 404
    refused = {"text": "has the password hunter2secret"}
    assert (await browser.post(f"{at}/{waiting['owns a boat']}/text", **refused))[0] == 400
    decisions = home.dashboard_app.state.decisions
    assert (await browser.post(f"{at}/{waiting['owns a boat']}/text", **text))[0] == 303
    other = f"/mod/review/{home.guild.id + 1}/{waiting['owns a submarine']}"
    assert (await browser.post(other, decision="approve"))[0] == 404
    await decisions.carry_out_all()
    late, said = await browser.post(f"{at}/{waiting['has a dog']}/text", **text)
    assert late == 409 and "Approved, and used from the next reply." in said
    assert "has a dog" in await home.known_of(home.alice)
    standing = await home.app.memory.reviews.standing(home.guild.id, waiting["has a dog"])
    assert standing.moderator_id == home.moderator.id
    left = {one.text for one in await home.app.memory.reviews.waiting(home.guild.id)}
    assert left == {"owns a submarine"}
    standing = await home.app.memory.reviews.standing(home.guild.id, waiting["owns a boat"])
    assert (standing.outcome, standing.moderator_id) == (Outcome.EDITED, home.moderator.id)
    assert "owns a red boat" in await home.known_of(home.alice)


async def test_an_alert_shows_its_lines_and_is_decided_by_who_reads_the_channel(home, browser):
    insult = await home.fake.say(home.bob, home.general, "You are a fool, all of you.")
    threat = await home.fake.say(home.bob, home.general, "You will be sorry.")
    passed_on = await home.fake.say(home.bob, home.general, "", forward=threat)
    await home.calm()
    await scored(home, (insult, BAD), (passed_on, BAD))
    at = await alert_path(home)
    alert_id = int(at.rpartition("/")[2])
    await begin(home, browser, home.moderator)
    assert f'href="{at}"' in (await browser.get("/mod/alerts"))[1]
    _, text = await browser.get(at)
    assert "Show the lines" in text and "a fool" not in text
    _, text = await browser.get(f"{at}?lines=1")
    assert "You are a fool" in text and "You will be sorry" in text
    assert (await browser.post(at, decision="explode"))[0] == 400
    assert (await browser.post(at, decision="case"))[0] == 303
    assert (await browser.post(at, decision="false"))[0] == 303
    assert (await browser.post(at, decision="dismiss"))[0] == 409
    decided = await home.app.sentiment.alerts.get(home.guild.id, alert_id)
    assert (decided.state, decided.decided_by) == (AlertState.FALSE_ALARM, home.moderator.id)

    staff = home.guild.roles[next(iter(home.moderator.role_ids))]
    await home.fake.set_overwrite(home.general, staff, deny=perms("view_channel"))
    assert f'href="{at}"' not in (await browser.get("/mod/alerts"))[1]
    assert (await browser.get(f"{at}?lines=1"))[0] == 404
    assert (await browser.post(at, decision="close"))[0] == 404
