"""What Prometheus and an orchestrator see after a conversation on Discord, and in an outage."""

from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI
from prometheus_client.parser import text_string_to_metric_families

from cogs.bot.login import latency_s
from cogs.dashboard import operations
from cogs.dashboard.web.context import DashboardContext
from tests.e2e.den import Den
from tests.fakes.dashboard import visit
from tests.fakes.model_server import error
from utils.admin import health
from utils.admin.health import CACHE_S


@pytest.fixture
async def page(own_kith: Den, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[httpx2.AsyncClient]:
    """Somebody who asks what machines ask; other tests at the same time are no reason."""
    for limit in ("STALL_LIMIT_S", "DATABASE_LIMIT_S", "DATABASE_TIMEOUT_S"):
        monkeypatch.setattr(health, limit, 60.0)
    app = FastAPI()
    view: Any = None  # nothing here asks for names
    app.state.context = DashboardContext(own_kith.app, view)
    app.include_router(operations.router)
    async with visit(app) as client:
        yield client


async def scraped(page: httpx2.AsyncClient) -> dict[str, float]:
    """Every sample, by its name and the values of its labels."""
    text = (await page.get("/metrics")).text
    return {
        " ".join([sample.name, *sample.labels.values()]): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def test_a_conversation_is_counted_where_it_happens(own_kith: Den, page) -> None:
    kith = own_kith
    await kith.caught_up()
    await kith.teach(kith.alice, "I have a dog named Rex")
    await kith.talk(kith.bob, "hello")
    asked = await kith.fake.say(
        kith.bob,
        kith.general,
        "<@bot> what is this?",
        files=[("notes.md", b"# Notes\n\nhello")],
    )
    await kith.answer_to(asked)
    kith.model.script(*[error(401)] * 2)
    await kith.talk(kith.bob, "and now?")
    used = await kith.fake.slash(kith.moderator, kith.general, "mod watch add", {})
    await used.reply()
    await kith.fake.say(kith.alice, kith.general, "what a lovely day it is")
    await kith.calm()
    kith.clock.pass_time(CACHE_S)
    found = await scraped(page)
    counted = {
        "kith_messages_total chat": 4,
        "kith_messages_total passive": 1,
        "kith_replies_total model": 3,
        "kith_replies_total ModelRefused": 1,
        "kith_memories_learnt_total fact": 1,
        "kith_attachments_read_total document done": 1,
        "kith_model_calls_total extraction": 1,
        "kith_reply_stage_seconds_count queueing": 4,
        "kith_reply_stage_seconds_count recall": 4,
        "kith_reply_stage_seconds_count sending": 3,
        "kith_queue_events": 3,
        "kith_healthy": 1,
    }
    assert {name: found[name] for name in counted} == counted
    assert found["kith_job_last_success_timestamp_seconds prune"] > 0
    assert found["kith_gateway_latency_seconds"] == latency_s(kith.client) > 0
