"""The assembled application: nothing of it is seen without the token but health and the login."""

import re

from fastapi.routing import iter_route_contexts

from cogs.dashboard.app import create_app
from tests.fakes.dashboard import TOKEN
from utils.admin import health

HEALTH = "/api/memory/health"
OPEN = {
    HEALTH,
    "/login",
    "/enter/{code}",
    "/language/{code}",
}  # test_one_time_links.py has the one-time links


def calls(app):
    """Every method and path that the application answers."""
    routes = iter_route_contexts(app.routes)
    return {(method, route.path) for route in routes for method in route.methods or ()}


async def test_every_call_and_page_without_the_token_is_refused_or_sent_to_the_login(
    context, client
):
    guarded = [call for call in calls(create_app(context)) if call[1] not in OPEN]
    assert {("GET", "/"), ("POST", "/settings/check"), ("GET", "/metrics")} <= {*guarded}
    assert {("GET", "/api/memory/items"), ("POST", "/api/memory/prune")} <= {*guarded}
    for method, path in guarded:
        response = await client.request(method, re.sub(r"{[^}]*}", "1", path))
        if path.startswith(("/api/", "/metrics")):
            assert response.status_code == 401, (method, path)
        else:
            assert response.status_code == 303, (method, path)
            assert response.headers["location"] == "/login"


async def test_metrics_are_for_the_token_alone_and_health_is_for_everybody(context, client):
    assert (await client.get("/metrics")).status_code == 401
    wrong = {"authorization": f"Bearer {TOKEN}x"}
    assert (await client.get("/metrics", headers=wrong)).status_code == 401
    right = {"authorization": f"Bearer {TOKEN}"}
    scraped = await client.get("/metrics", headers=right)
    assert scraped.status_code == 200
    assert "kith_healthy 1.0" in scraped.text.splitlines()
    assert (await client.get(HEALTH)).json()["status"] == "ok"

    async def no_jobs():
        return []

    context.app.admin.health.watch(gateway=lambda: None, late_jobs=no_jobs)
    context.app.clock.advance(health.CACHE_S)
    unwell = await client.get(HEALTH)
    assert (unwell.status_code, unwell.json()["reasons"]) == (503, [health.GATEWAY_AWAY])
