"""One-time links: they log in once, within 15 minutes, and nobody else."""

import pytest

from cogs.dashboard.web.access import COOKIE, LINK_S, Access, UsedLink
from tests.fakes.clock import ManualClock


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


def test_a_link_ends_after_fifteen_minutes():
    clock = ManualClock()
    access = Access(None, clock)
    early, late = access.create_link(), access.create_link()
    clock.advance(LINK_S - 1)
    assert access.session(access.use_link(early).id) is not None
    clock.advance(1)
    with pytest.raises(UsedLink):
        access.use_link(late)
