"""What orchestrators and Prometheus ask of the dashboard, over HTTP."""

from types import SimpleNamespace

import pytest
from fastapi import FastAPI

from cogs.dashboard import operations
from tests.fakes.builders import make_event, make_turn
from tests.fakes.dashboard import visit
from utils.admin import health
from utils.build import build
from utils.common.config import Settings


@pytest.fixture
async def kith(database_url, clock, until_end):
    made = until_end(build(Settings(_env_file=None, database_url=database_url), clock))
    await made.start()
    return made


@pytest.fixture
async def client(kith):
    app = FastAPI()
    app.state.context = SimpleNamespace(app=kith)
    app.include_router(operations.router)
    app.add_middleware(operations.CountRequests, kith.runtime.metrics)
    async with visit(app) as client:
        yield client


async def test_health_is_200_then_503_with_reasons_then_200_again(client, kith, clock):
    async def no_jobs():
        return []

    response = await client.get("/api/memory/health")
    assert response.status_code == 200
    assert response.json()["status"] == "ok"
    assert response.json()["figures"]["queue"] == 0
    latency_s = None
    kith.admin.health.watch(gateway=lambda: latency_s, late_jobs=no_jobs)
    clock.advance(health.CACHE_S)
    response = await client.get("/api/memory/health")
    assert response.status_code == 503
    assert response.json()["reasons"] == [health.GATEWAY_AWAY]
    latency_s = 0.04
    assert (await client.get("/api/memory/health")).status_code == 503  # of the same five seconds
    clock.advance(health.CACHE_S)
    assert (await client.get("/api/memory/health")).status_code == 200


async def test_prometheus_reads_what_happened(client, kith):
    await kith.conversation.answer(make_turn(make_event("Hi")))
    response = await client.get("/metrics")
    assert response.headers["content-type"].startswith("text/plain; version=")
    lines = response.text.splitlines()
    for line in (
        'kith_messages_total{how="chat"} 1.0',
        'kith_replies_total{outcome="plain"} 0.0',  # whoever says it counts it
        "kith_queue_events 1.0",
        "kith_healthy 1.0",
        "kith_gateway_latency_seconds NaN",
    ):
        assert line in lines


async def test_no_label_tells_of_a_server_a_member_or_a_word(client, kith):
    event = make_event(
        "remember that I have a dog named Zanzibar", guild_id=987654321, author_id=123456789
    )
    await kith.conversation.answer(make_turn(event))
    await kith.memory.recorder.settle()
    text = (await client.get("/metrics")).text.casefold()
    assert 'kith_memories_learnt_total{kind="fact"} 1.0' in text  # it was read
    assert not any(word in text for word in ("987654321", "123456789", "zanzibar"))
