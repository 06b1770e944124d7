"""Measures event-loop stalls, memory, losses and refusals under load.

    python -m benchmarks.load [--json] [--seconds 60] [--rate 200] [--concurrency 8]

There are twenty servers of twenty channels and fifty members each. Every channel is watched, so
every message is queued, stored, and scored when its batch is full. People speak at random moments.
One message in ten mentions the bot; it is recorded, answered and searched for memories. The model
takes a second. Discord, the model and the people run in their own process
(benchmarks/stage/world.py). The bot runs here, unchanged, with its default settings except the
token budget. More questions arrive than MODEL_CONCURRENCY allows: those are answered late, or
refused with a sentence, which is counted separately.

``lost`` counts messages to the bot that are not in the database, and watched messages that are
neither queued nor scored. ``silent`` counts questions without any reply, unless the same person or
channel was refused shortly before, which Kith says only once. What was stored, scored or answered
twice is counted by itself, so that it can't hide a loss. ``stall`` is the longest delay of the
event loop. Memory growth leaves out the first third of the time, when caches are cold.
"""

import asyncio
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import quantiles
from typing import Annotated, Any

from sqlalchemy import select, union_all

from benchmarks.stage.client import running
from benchmarks.stage.measuring import Observations, goal, observing, slope
from benchmarks.stage.processes import StageClient, run_stage
from benchmarks.stage.program import program
from utils.app import App
from utils.database.core.engine import Connection
from utils.database.schema.memory_tables import memory_event, message_score, waiting_message
from utils.models.memory import Role

SERVERS, CHANNELS, MEMBERS = 20, 20, 50
MODEL_S = 1.0
ADDRESSED = 0.1
STALL_MS = 100.0
GROWTH_MB = 10.0  # from a third of the time on
CALM_S = 5.0
SETTLE_S = 65.0  # a question waits for the model for 60 s at most


async def measure(
    folder: Path,
    *,
    seconds: Annotated[float, "how long people talk"] = 60.0,
    rate: Annotated[float, "messages a second, in all"] = 200.0,
    concurrency: Annotated[int, "MODEL_CONCURRENCY"] = 8,
    seed: int = 6,
) -> dict[str, Any]:
    """Run the simulated conversation, and return the figures."""
    url = f"sqlite:///{folder / 'load.db'}"
    async with (
        run_stage(servers=SERVERS, channels=CHANNELS, members=MEMBERS, model_s=MODEL_S) as stage,
        running(stage.place, url, model_concurrency=concurrency) as app,
    ):
        async with observing() as observations:
            traffic = await stage.order(
                "talk", rate=rate, seconds=seconds, addressed=ADDRESSED, seed=seed
            )
        ledger = await wait_until_settled(stage, app)
        lost = await count_losses(app, ledger)
        return report(traffic, ledger, lost, observations)


async def wait_until_settled(stage: StageClient, app: App) -> dict[str, Any]:
    """Return the ledger once all messages have arrived and no question waits for its answer.

    On a busy machine that takes long; what does not go on for 65 seconds is not waited for.
    """
    calm_s, before = 0.0, (0, dict[str, Any]())
    while True:
        ledger = await stage.order("ledger")
        heard_count = app.sentiment.watcher.counts["heard"]
        calm_s = calm_s + CALM_S if before == (heard_count, ledger) else 0.0
        if calm_s >= (SETTLE_S if is_busy(heard_count, ledger) else CALM_S):
            return ledger
        before = heard_count, ledger
        await asyncio.sleep(CALM_S)


def is_busy(heard_count: int, ledger: dict[str, Any]) -> bool:
    """Return whether messages are still to arrive, or a question (a task of its own) to be done."""
    waiting = (task.get_name().startswith("question ") for task in asyncio.all_tasks())
    return heard_count < len(ledger["said_ids"]) or any(waiting)


async def count_losses(app: App, ledger: dict[str, Any]) -> dict[str, int]:
    """Count messages that are not in the database, and those in it twice, each by its id.

    Every simulated message has at least four words, so the prefilter leaves none of them out.
    """
    await asyncio.sleep(1.0)  # what was heard last is written within half a second

    def unit(connection: Connection) -> tuple[Counter[int], Counter[int]]:
        events = select(memory_event.c.MessageId).where(memory_event.c.Role == Role.MEMBER)
        waiting, scored = select(waiting_message.c.MessageId), select(message_score.c.MessageId)
        watched = union_all(waiting, scored)
        recorded = Counter(connection.execute(events).scalars())
        return recorded, Counter(connection.execute(watched).scalars())

    recorded, watched = await app.database.read(unit)
    asked = ledger["asked"]
    return {
        "lost_questions": len({question["id"] for question in asked} - recorded.keys()),
        "lost_overheard": len(set(ledger["said_ids"]) - watched.keys()),
        "silent": sum(not (question["after_ms"] or question["is_repeat"]) for question in asked),
        "silent_repeats": sum(
            question["is_repeat"] and not question["after_ms"] for question in asked
        ),
        "recorded_twice": sum(count > 1 for count in recorded.values()),
        "watched_twice": sum(count > 1 for count in watched.values()),
        "answered_twice": sum(question["standing"] > 1 for question in asked),
    }


def goals_of_losses(counts: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the goals for what may be neither lost nor doubled."""
    return [
        goal("messages to the bot lost", counts["lost_questions"], 0),
        goal("watched messages lost", counts["lost_overheard"], 0),
        goal("questions without any reply", counts["silent"], 0),
        goal("recorded twice", counts["recorded_twice"], 0),
        goal("queued or scored twice", counts["watched_twice"], 0),
        goal("answered twice", counts["answered_twice"], 0),
    ]


def report(
    traffic: dict[str, Any],
    ledger: dict[str, Any],
    lost: dict[str, int],
    observations: Observations,
) -> dict[str, Any]:
    """Return the report."""
    questions = ledger["asked"]
    answered = [question for question in questions if question["answers"]]
    refusals = Counter(words for question in questions for words in question["refusals"])
    warm = observations.warm_memory
    growth = round(slope(warm) * (warm[-1][0] - warm[0][0]), 1) if warm else 0.0
    waits = sorted(question["after_ms"][0] / 1000 for question in answered)
    return {
        "said": traffic["said"],
        "took_s": traffic["took_s"],
        "asked": len(questions),
        "answered": len(answered),
        "refused": sum(refusals.values()),
        "refusals": dict(refusals.most_common()),
        "answer_after_s": percentiles(waits),
        **lost,
        **observations.figures(),
        "cpu_s": round(time.process_time(), 1),
        "memory_growth_mb": growth,
        "goals": [
            goal("longest event-loop stall in ms", observations.longest_stall_ms, STALL_MS),
            goal("memory growth in MB, once warm", growth, GROWTH_MB),
            *goals_of_losses(lost),
        ],
    }


def percentiles(ranked: Sequence[float]) -> dict[str, float]:
    """Return the median, the 95th percentile and the longest of figures."""
    if len(ranked) < 2:
        return {}
    cuts = quantiles(ranked, n=20, method="inclusive")
    return {"p50": round(cuts[9], 2), "p95": round(cuts[18], 2), "most": round(ranked[-1], 2)}


main = program("load", __doc__, measure)


if __name__ == "__main__":
    sys.exit(main())
