"""Measures every API call and dashboard page at a million memories, in milliseconds.

    python -m benchmarks.dashboard [--json] [--rows 1000000] [--rounds 20] [--keep FILE]

The benchmark makes a SQLite file of generated memories, messages, evidence, audit lines and daily
counts of forty servers of very different sizes. It refreshes the census and serves the application
with uvicorn on the loopback address. Every round requests every address once, in random order, over
one connection, with the operator's token. Most calls also write, because each view of member data
is audited.

``--keep`` keeps the file there, or uses the one that exists.
"""

import asyncio
import platform
import random
import socket
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import httpx2
import uvicorn
from sqlalchemy import select

from benchmarks.generated.many_servers import CHANNEL, GUILD, NOTHING_WAITS, SERVERS, fill
from benchmarks.stage.program import program
from cogs.dashboard.app import create_app
from cogs.dashboard.pages.write_policy import form_values
from cogs.dashboard.web.context import Server
from tests.fakes.dashboard import BEARER, FakeDiscord, make_context
from utils.app import App
from utils.common.clock import SystemClock
from utils.database.schema.memory_tables import (
    user_memory,
)
from utils.models.memory import Kind, Member, Status

GOAL_MS = 300.0
UNWELL = 503  # of /health: no client is connected to Discord here


class ManyServersDiscord(FakeDiscord):
    """A loopback Discord that knows every server of the file."""

    def servers(self) -> Sequence[Server]:
        """Return the servers."""
        return [
            Server(guild_id, f"Server {guild_id}") for guild_id in range(GUILD, GUILD + SERVERS)
        ]


async def example_member(kith: App) -> tuple[Member, int]:
    """Return a member of the largest server, and their oldest memory."""
    member = Member(GUILD, (await kith.admin.browser.members(GUILD)).rows[0].user_id)
    oldest = (
        select(user_memory.c.Id)
        .where(user_memory.c.GuildId == member.guild_id, user_memory.c.UserId == member.user_id)
        .order_by(user_memory.c.Id)
        .limit(1)
    )
    return member, await kith.database.read(lambda session: session.execute(oldest).scalar_one())


async def page_requests(kith: App) -> list[tuple[str, str, str, Any]]:
    """Return name, method, address and form of every page."""
    member, this = await example_member(kith)
    looks = {
        "overview of all": "/",
        "overview of a server": f"/?guild={GUILD}",
        "servers": "/servers",
        "members": f"/servers/{GUILD}",
        "members by name": f"/servers/{GUILD}?text=member+12",
        "members by no name": f"/servers/{GUILD}?text=nobody",
        "a member": f"/servers/{GUILD}/members/{member.user_id}",
        "the server itself": f"/servers/{GUILD}/members/0",
        "a memory": f"/memories/{this}",
        "review": f"/review?guild={GUILD}",
        "review where nothing waits": f"/review?guild={NOTHING_WAITS}",
        "recall": f"/recall?guild={GUILD}",
        "audit of all": "/audit",
        "audit of a server": f"/audit?guild={GUILD}",
        "audit of a member": f"/audit?guild={GUILD}&member={member.user_id}",
        "audit by action": f"/audit?guild={GUILD}&action=changed",
        "audit of all by no action": "/audit?action=nothing",
        "policies": "/policy",
        "a policy": "/policy/recall/0",
        "recall's policy, to be changed": "/policy/recall/edit",
        "write policy": f"/policy/servers/{GUILD}",
        "jobs": "/jobs",
        "settings": f"/settings?guild={GUILD}",
        "login": "/login",
    }
    question = {
        "guild": str(GUILD),
        "channel": str(CHANNEL),
        "member": str(member.user_id),
        "text": "what did I say about the dog and the guitar?",
    }
    chosen = form_values(await kith.guilds.settings.policy(GUILD)) | {
        "active_from": "0.9",
        "cap": "50",
    }
    chosen["base_version"] = str((await kith.guilds.settings.latest(GUILD)).policy_version)
    fewer = {
        "base_version": str((await kith.policies.versions.active()).version),
        "block_tokens": "300",
    }
    requests: list[tuple[str, str, str, Any]] = [
        (f"page: {name}", "GET", address, None) for name, address in looks.items()
    ]
    requests.append(("page: recall explained", "POST", "/recall", question))
    preview = f"/policy/servers/{GUILD}/preview"
    requests.append(("page: write policy, previewed", "POST", preview, chosen))
    preview = "/policy/recall/edit/preview"
    requests.append(("page: recall's policy, previewed", "POST", preview, fewer))
    return requests


async def api_requests(kith: App) -> list[tuple[str, str, str, Any]]:
    """Return name, method, address and body of every call: of large servers and small ones."""
    largest, smallest = GUILD, GUILD + SERVERS - 1
    member, this = await example_member(kith)
    person = f"guild_id={largest}&user_id={member.user_id}"
    soon = (kith.clock.now() + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
    items = f"/api/memory/items?guild_id={largest}"
    question = {
        "guild_id": str(largest),
        "channel_id": str(CHANNEL),
        "user_id": str(member.user_id),
        "text": "what did I say about the dog and the guitar?",
    }
    reads = {
        "items of all": "/api/memory/items",
        "items of a server": items,
        "items of a small server": f"/api/memory/items?guild_id={smallest}",
        "items of a member": f"/api/memory/items?{person}",
        "items of a person": f"/api/memory/items?user_id={member.user_id}",
        "items, 200 of them": f"{items}&limit=200",
        "items, far back": f"{items}&cursor={this}",
        "items by kind": f"{items}&kind={Kind.LORE}",
        "items by status": f"{items}&status={Status.PROPOSED}",
        "items by what is not there": f"{items}&status={Status.FORGOTTEN}",
        "items of all by what is not there": f"/api/memory/items?status={Status.FORGOTTEN}",
        "items by topic": f"{items}&topic=gaming",
        "items by end": f"{items}&expiring_before={soon}",
        "items by a common word": f"{items}&text=dog",
        "items by rare words": f"{items}&text=thesis+ramen+dentist",
        "items of all by a common word": "/api/memory/items?text=dog",
        "items of all by word and status": f"/api/memory/items?text=dog&status={Status.PROPOSED}",
        "items of a member by word": f"/api/memory/items?{person}&text=dog",
        "one item": f"/api/memory/items/{this}",
        "events": f"/api/memory/events?guild_id={largest}",
        "events of a channel": f"/api/memory/events?guild_id={largest}&channel_id={CHANNEL + 3}",
        "events of a member": f"/api/memory/events?{person}",
        "audit of all": "/api/memory/audit",
        "audit of a server": f"/api/memory/audit?guild_id={largest}",
        "audit of a member": f"/api/memory/audit?{person}",
        "audit by action": f"/api/memory/audit?guild_id={largest}&action=changed",
        "stats of all": "/api/memory/stats",
        "stats of a server": f"/api/memory/stats?guild_id={largest}&days=90",
        "policy": f"/api/memory/policy?guild_id={largest}",
        "recall's policy": "/api/memory/recall-policy",
        "health": "/api/memory/health",
        "metrics": "/metrics",
        "document": "/api/openapi.json",
        "documentation": "/api/docs",
    }
    requests: list[tuple[str, str, str, Any]] = [
        (name, "GET", address, None) for name, address in reads.items()
    ]
    requests.append(("recall", "POST", "/api/memory/recall", question))
    requests.append(("change", "PATCH", f"/api/memory/items/{this}", {"importance": "low"}))
    requests.append(("change back", "PATCH", f"/api/memory/items/{this}", {"importance": "high"}))
    return requests


async def measure(address: str, requests: Sequence[tuple[str, str, str, Any]], rounds: int) -> Any:
    """Send every request ``rounds`` times in random order; returns milliseconds by name."""
    times_ms: dict[str, list[float]] = defaultdict(list)
    dice = random.Random(3)
    async with httpx2.AsyncClient(base_url=address, headers=BEARER, timeout=60) as client:
        for round_ in range(rounds + 1):  # the first one only warms up
            for name, method, path, body in dice.sample(requests, len(requests)):
                sent = {"json": body} if path.startswith("/api") else {"data": body}
                began = time.perf_counter()
                answer = await client.request(method, path, **sent)
                took_ms = (time.perf_counter() - began) * 1000
                if answer.status_code not in (200, UNWELL):
                    raise RuntimeError(f"{method} {path}: {answer.status_code} {answer.text}")
                if round_:
                    times_ms[name].append(took_ms)
    return times_ms


def result(name: str, times_ms: Sequence[float]) -> dict[str, Any]:
    """Return the printed figures of one request."""
    p95 = quantiles(times_ms, n=100, method="inclusive")[94]
    return {
        "what": name,
        "p50_ms": round(median(times_ms), 1),
        "p95_ms": round(p95, 1),
        "worst_ms": round(max(times_ms), 1),
        "is_met": p95 <= GOAL_MS,
    }


async def run(
    folder: Path, rows: int = 1_000_000, rounds: int = 20, keep: Path | None = None
) -> dict[str, Any]:
    """Fill the file, refresh the census, serve the application and measure it."""
    file = keep or folder / "kith.db"
    is_new = not file.exists()
    context = replace(
        make_context(f"sqlite:///{file}", SystemClock()), discord=ManyServersDiscord()
    )
    kith, began = context.app, time.perf_counter()
    await kith.database.open()
    if is_new:
        await asyncio.to_thread(fill, file, rows, kith.clock.now())
    filled_s, began = time.perf_counter() - began, time.perf_counter()
    await kith.admin.statistics.refresh()
    census_s = time.perf_counter() - began
    listening = socket.create_server(("127.0.0.1", 0))
    # asyncio sets it only if a socket has the protocol's number; without it, answers take 40 ms.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    config = uvicorn.Config(create_app(context), log_level="error", lifespan="off", ws="none")
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve([listening]))
    try:
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        times_ms = await measure(
            address, [*await api_requests(kith), *await page_requests(kith)], rounds
        )
    finally:
        server.should_exit = True
        await serving
        await kith.close()
    results = [result(name, times) for name, times in times_ms.items()]
    return {
        "machine": platform.machine(),
        "python": platform.python_version(),
        "rows": rows,
        "file_mb": round(file.stat().st_size / 2**20),
        "rounds": rounds,
        "filled_s": round(filled_s, 1),
        "census_s": round(census_s, 1),
        "goal_ms": GOAL_MS,
        "results": sorted(results, key=lambda call: -call["p95_ms"]),
        "is_met": all(call["is_met"] for call in results),
    }


def text(report: dict[str, Any]) -> str:
    """Return the report as text."""
    lines = [f"{report['rows']:,} rows, {report['file_mb']} MB; census {report['census_s']} s"]
    lines += [
        f"{call['what']:36} p50 {call['p50_ms']:7.1f}  p95 {call['p95_ms']:7.1f} ms"
        for call in report["results"]
    ]
    return "\n".join(lines)


main = program("dashboard", __doc__, run, text=text, is_failure=lambda report: not report["is_met"])


if __name__ == "__main__":
    sys.exit(main())
