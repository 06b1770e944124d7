"""The demo's community: built by the services, it shows everything that Kith can store."""

import shutil
from datetime import UTC, datetime

import pytest
import pytest_asyncio

from cogs.console.ids import GUILD_ID
from cogs.dashboard.app import create_app
from cogs.dashboard.web import middleware
from cogs.dashboard.web.context import DashboardContext
from cogs.dashboard.web.language import languages
from cogs.demo.command import NOTICE, CommunityView, build_community, demo_settings
from cogs.demo.community import Community
from tests.fakes.dashboard import visit
from tests.page_texts import marked_language, untranslated
from utils.build import build
from utils.common.clock import Clock
from utils.models.admin import MemoryFilter
from utils.models.alert import AlertState
from utils.models.memory import Form, Kind, Status

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def demo(demo_file, tmp_path_factory):
    """The finished community, opened again without a model."""
    file = shutil.copy(demo_file, tmp_path_factory.mktemp("demo") / "demo.db")
    app = build(demo_settings(file), Clock())
    await app.database.open()
    yield app, {person.name: person.member for person in Community.load().members}
    await app.close()


async def memories(app, member=None):
    chosen = MemoryFilter(GUILD_ID, None if member is None else member.user_id)
    return (await app.admin.browser.items(chosen, limit=100)).rows


async def test_every_kind_form_and_status_of_memory_is_there(demo):
    app, _ = demo
    rows = await memories(app)
    assert {row.kind for row in rows} == set(Kind)
    assert {row.form for row in rows} == set(Form)
    assert {row.status for row in rows} == set(Status)
    habits = {row.status for row in rows if row.kind is Kind.PATTERN}
    assert {Status.ACTIVE, Status.SHADOW} <= habits


async def test_nothing_was_said_or_done_in_the_future(demo):
    app, _ = demo
    now = app.clock.now()
    times = [item.last_confirmed_at for item in await memories(app)]
    times += [
        (await app.admin.job_runs.last_success(name)).at for name in ("prune", "census", "drift")
    ]
    assert [time for time in times if time is None or time > now] == []


async def test_moderators_have_alerts_cases_reviews_and_a_policy_with_versions(demo):
    app, _ = demo
    states = {(await app.sentiment.alerts.get(GUILD_ID, number)).state for number in range(1, 5)}
    assert {
        AlertState.CASE,
        AlertState.DISMISSED,
        AlertState.FALSE_ALARM,
        AlertState.OPEN,
    } == states
    assert len(await app.memory.reviews.waiting(GUILD_ID)) >= 3
    assert len(await app.guilds.settings.policy_versions(GUILD_ID)) == 2
    assert len(await app.policies.versions.versions()) == 3


@pytest.mark.slow  # each builds a community, which the other tests share
@pytest.mark.parametrize(
    "now",
    [
        pytest.param(
            datetime(2026, 3, 29, 0, 10, tzinfo=UTC), id="minutes after midnight, the clocks change"
        ),
        pytest.param(datetime(2028, 2, 29, 23, 59, tzinfo=UTC), id="leap day"),
    ],
)
async def test_it_can_be_built_at_any_time_of_the_day(tmp_path, now):
    settings = demo_settings(tmp_path / "demo.db")
    await build_community(settings, Community.load(), now)


NO_WORDS = {"Kith", "UTC", "English", "Deutsch", "API", "ms", "kith", "viewed"}
PAGES = (
    *("/", "/?days=90", "/login", "/servers", f"/servers/{GUILD_ID}", "/review", "/watching"),
    *("/recall", "/audit", "/policy", "/policy/recall/0", "/policy/recall/edit?block_tokens=555"),
    *(f"/policy/servers/{GUILD_ID}", "/jobs", "/settings", "/api/docs", "/nothing-here"),
    *("/memories", "/memories?kind=fact"),
)
MAX_PAGE_BYTES = 120_000  # 90 days have a column each, with its value, in five charts


@pytest_asyncio.fixture(loop_scope="module")
async def visitor(demo):
    """Somebody logged in, in a language that marks every translated text, and the names shown."""
    app, members = demo
    community = Community.load()
    context = DashboardContext(app, CommunityView(community), NOTICE)
    application = create_app(context)
    async with visit(application) as client:
        await client.get(f"/enter/{application.state.access.create_link()}")
        member = members["Maya"]
        item = (await memories(app, member))[0]
        paths = [*PAGES, f"/servers/{GUILD_ID}/members/{member.user_id}", f"/memories/{item.id}"]
        names = {*members, community.name, *(f"#{place.name}" for place in community.channels)}
        yield client, paths, names


async def test_every_page_is_small_and_says_nothing_in_english_where_german_is_chosen(
    visitor, monkeypatch
):
    client, paths, names = visitor
    marked, found, large = marked_language(), {}, {}
    german = languages()["de"].texts
    monkeypatch.setattr(middleware, "choose", lambda *_: marked)
    for path in paths:
        page = await client.get(path, follow_redirects=True)
        if page.status_code != 200 and path != "/nothing-here":
            continue  # a page of another version of Kith
        if len(page.content) > MAX_PAGE_BYTES:
            large[path] = len(page.content)
        if english := untranslated(page.text, names | NO_WORDS):
            found[path] = english
    assert not large
    assert not found
    assert sorted(text for text in marked.texts if text not in german) == []
