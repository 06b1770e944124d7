"""Who gets into the dashboard, and how it lives and dies with the bot."""

import asyncio
import logging
import signal
import socket
from contextlib import suppress
from datetime import timedelta

import aiohttp
import pytest

from cogs.dashboard.web import connections
from cogs.dashboard.web.access import COOKIE
from tests.e2e.eyes import TOKEN
from tests.rows import each_row
from utils.models.memory import Member
from utils.models.operator import OPERATOR


@pytest.fixture
async def home(den):
    async with den.awake(dashboard_token=TOKEN, dashboard_port=0):
        yield den


@pytest.fixture
async def http():
    jar = aiohttp.CookieJar(unsafe=True)  # cookies of an address without a name
    async with aiohttp.ClientSession(cookie_jar=jar) as session:
        yield session


def log_in(http, home, token=TOKEN, **given):
    return http.post(
        f"{home.dashboard}/login", data={"token": token}, allow_redirects=False, **given
    )


async def test_a_session_is_kept_from_other_sites_and_ends_itself_when_logged_out(home, http):
    async with http.get(f"{home.dashboard}/login") as answer:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert "server" not in answer.headers
    async with log_in(http, home) as answer:
        cookie = answer.headers["set-cookie"]
        kept = answer.cookies[COOKIE].value
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and "Secure" not in cookie
    for given in ({}, {"data": {"csrf": "made up"}}, {"headers": {"X-CSRF-Token": "made up"}}):
        async with http.post(f"{home.dashboard}/settings/check", **given) as answer:
            assert answer.status == 403
            assert "Reload it and try again" in await answer.text()
    ((session, _),) = home.dashboard_app.state.access._sessions._entries.values()
    async with http.post(f"{home.dashboard}/logout", data={"csrf": session.csrf}):
        pass
    headers = {"Cookie": f"{COOKIE}={kept}"}
    async with http.get(home.dashboard, headers=headers, allow_redirects=False) as answer:
        assert answer.headers["location"] == "/login"
    async with log_in(http, home, headers={"X-Forwarded-Proto": "https"}) as answer:
        assert "Secure" in answer.headers["set-cookie"]


async def test_a_proxy_is_believed_only_where_it_is_named(den, http):
    chosen = {"dashboard_token": TOKEN, "dashboard_port": 0, "dashboard_proxies": "192.0.2.0/24"}
    behind_tls = {"X-Forwarded-Proto": "https"}
    async with den.awake(**chosen), log_in(http, den, headers=behind_tls) as answer:
        assert "Secure" not in answer.headers["set-cookie"]


async def test_five_wrong_tokens_are_enough_for_a_while(home, http):
    for _ in range(5):
        async with log_in(http, home, "a-wrong-token-of-some-length") as answer:
            assert answer.status == 401
    async with log_in(http, home) as answer:
        assert answer.status == 429
        assert "Too many wrong tokens; try again in 5 minutes." in await answer.text()
        assert 0 < int(answer.headers["retry-after"]) <= 301
    home.clock.pass_time(301)
    async with log_in(http, home) as answer:
        assert answer.status == 303


async def test_every_look_at_a_members_memory_is_in_their_audit(home, http):
    await home.teach(home.alice, "I have a cat named Miso")
    chosen = {"mode": "manual"}
    await home.app.guilds.settings.set_policy(home.guild.id, chosen, actor_id=1, reason="a test")
    await home.teach(home.alice, "I live in Bristol")
    (waits,) = await home.app.memory.reviews.waiting(home.guild.id)
    alice = Member(home.guild.id, home.alice.id)
    recall = {
        "guild": home.guild.id,
        "channel": home.general.id,
        "member": home.alice.id,
        "text": "where do I live?",
    }
    looks = (
        ("GET", f"/servers/{alice.guild_id}/members/{alice.user_id}", {}),
        ("GET", f"/memories/{waits.id}", {}),
        ("GET", f"/review?guild={alice.guild_id}", {}),
        ("POST", "/recall", recall),
    )
    for seen, (method, path, data) in enumerate(looks, 1):
        home.clock.shift(timedelta(hours=1))  # the next visit
        headers = {"Authorization": f"Bearer {TOKEN}"}
        url = home.dashboard + path
        async with http.request(method, url, data=data, headers=headers) as answer:
            assert "Bristol" in await answer.text(), path
        page = await home.app.admin.browser.audit(alice.guild_id, alice.user_id, action="viewed")
        assert [one.actor_id for one in page.rows] == [OPERATOR] * seen, path


@each_row(("limit", "value"), [("MAX_CONNECTIONS", 0), ("HEADER_TIMEOUT_S", 0.05)])
async def test_a_connection_without_a_request_is_closed_soon_or_for_others(
    home, monkeypatch, limit, value
):
    monkeypatch.setattr(connections, limit, value)
    port = int(home.dashboard.rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /login HTTP/1.1\r\nHost: x\r\nX-Slow: ")
    async with asyncio.timeout(5):
        with suppress(ConnectionResetError):
            assert await reader.read() == b""
    writer.close()


async def test_another_sites_name_is_refused_and_never_redirected_to(den, http):
    chosen = {"dashboard_token": TOKEN, "dashboard_port": 0, "dashboard_names": "kith.example.org"}
    async with den.awake(**chosen), log_in(http, den):
        for host in ("evil.example", "6.6.6.6", "kith.example.org"):
            headers = {"Host": host, "Authorization": f"Bearer {TOKEN}"}
            url = f"{den.dashboard}/servers/"
            async with http.get(url, headers=headers, allow_redirects=False) as answer:
                is_refused = host == "evil.example"
                assert answer.status == (421 if is_refused else 307), host
                assert answer.headers.get("location") == (None if is_refused else "/servers")
                assert "DASHBOARD_NAMES" in await answer.text() or not is_refused
        headers = {"Host": "evil.example"}
        async with http.get(f"{den.dashboard}/api/memory/health", headers=headers) as answer:
            assert answer.status in (200, 503)  # whatever it says, it is not refused


async def test_without_a_token_nothing_listens(kith):
    assert kith.client.get_cog("Dashboard") is None


async def test_a_port_that_is_taken_is_told_in_one_sentence_and_the_bot_goes_on(den, caplog):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        async with den.awake(dashboard_token=TOKEN, dashboard_port=port):
            (told,) = [r for r in caplog.records if r.name == "cogs.dashboard.server"]
            assert told.levelno == logging.ERROR
            assert f"port {port}" in told.getMessage() and "DASHBOARD_PORT" in told.getMessage()
            assert await den.talk(den.alice, "hello")


async def test_a_process_with_a_browser_connected_ends_when_it_is_told_to(den, http):
    chosen = {"DASHBOARD_TOKEN": TOKEN, "DASHBOARD_PORT": "0"}
    async with den.process(**chosen) as kith:
        told = await kith.read_until("the dashboard listens on", in_log=True)
        url = told.rpartition("the dashboard listens on ")[2].strip()
        async with http.get(f"{url}/login") as answer:  # and the connection is kept open
            assert answer.status == 200
        kith.tell(signal.SIGTERM)
        assert await kith.ends() == 0
    assert "Traceback" not in kith.err
