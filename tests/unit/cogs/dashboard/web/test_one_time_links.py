"""One-time links: they log in once, within 15 minutes, and nobody else."""

import pytest

from cogs.dashboard.app import create_app
from cogs.dashboard.web.access import COOKIE, LINK_S, Access, UsedLink
from tests.fakes.clock import ManualClock
from tests.fakes.dashboard import visit


async def test_a_link_logs_in_once_and_leads_to_the_first_page(application, client):
    path = f"/enter/{application.state.access.create_link()}"
    first = await client.get(path)
    assert (first.status_code, first.headers["location"]) == (303, "/")
    assert first.headers["cache-control"] == "no-store"
    assert (await client.get("/settings")).status_code == 200
    client.cookies.clear()
    second = await client.get(path)
    assert second.status_code == 401
    assert "used already or is older than 15 minutes" in second.text
    assert COOKIE not in second.headers.get("set-cookie", "")


async def test_guesses_log_nobody_in_and_lock_nobody_out(application, client):
    code = application.state.access.create_link()
    for guess in ("", "x", code[:-1], code + "x", "%00", "\u00e9" * 9):
        assert (await client.get(f"/enter/{guess}")).status_code in (401, 303, 404)
        assert COOKIE not in client.cookies
    application.state.access.use_link(code)


def test_a_link_ends_after_fifteen_minutes():
    clock = ManualClock()
    access = Access(None, clock)
    early, late = access.create_link(), access.create_link()
    clock.advance(LINK_S - 1)
    assert access.session(access.use_link(early).id) is not None
    clock.advance(1)
    with pytest.raises(UsedLink):
        access.use_link(late)


async def test_without_a_token_no_token_logs_in_and_the_page_says_what_does(context):
    bare = context.app.settings.model_copy(update={"dashboard_token": None})
    object.__setattr__(context.app, "settings", bare)
    async with visit(create_app(context)) as client:
        page = await client.get("/login")
        assert "Open the link that the terminal shows" in page.text
        assert "DASHBOARD_TOKEN" not in page.text
        for token in ("", "None", "none"):
            assert (await client.post("/login", data={"token": token})).status_code == 401


async def test_a_question_for_the_headers_does_not_use_up_a_link(application, client):
    code = application.state.access.create_link()
    await client.head(f"/enter/{code}")
    application.state.access.use_link(code)
