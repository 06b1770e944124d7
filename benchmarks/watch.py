"""Measures watched channels on real chats: calls and tokens per 100 messages, stalls, alerts.

    python -m benchmarks.watch [--json] --data DIR [--speed 300] [--limit 200] [--prefilter heated]

It replays the DiscordChatExporter files ``groupchat_*.json`` of DIR through a loopback Discord and
a loopback model, both in their own process. Each file has its own watched channel. The gaps between
messages are the real ones; nights are shortened to 15 minutes. Time runs ``speed`` times as fast
for both sides, so the default waiting times apply. The bot runs in this process, unchanged.
``stall`` is the longest delay of its event loop, ``yardstick`` that of an idle loop in another
process: what the machine adds. Scores are scripted (benchmarks/stage/scripted_model.py), so alerts
can be compared between runs.
"""

import asyncio
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, Literal

from benchmarks.stage.client import run_stage, running
from benchmarks.stage.measuring import Observations, goal, observing
from benchmarks.stage.program import program
from utils.app import App
from utils.common.clock import SystemClock
from utils.database.admin import token_usage
from utils.models.alert import INCIDENT_WINDOW
from utils.models.sentiment import AlertTrigger, ScoredBatch
from utils.sentiment.alert_rules import alert_crossings, alert_messages

GOAL_CALLS = 8.0
NO_FILES = "There are no groupchat_*.json files; name their folder with --data DIR."


class FastClock(SystemClock):
    """A clock whose durations pass ``speed`` times as fast."""

    def __init__(self, speed: float) -> None:
        super().__init__()
        self._speed = speed

    def monotonic(self) -> float:
        """Return sped-up seconds."""
        return super().monotonic() * self._speed

    async def sleep(self, seconds: float) -> None:
        """Wait for that many sped-up seconds."""
        await super().sleep(seconds / self._speed)


async def measure(
    folder: Path,
    data: Annotated[Path | None, "the folder of groupchat_*.json"] = None,
    speed: Annotated[float, "how much faster time runs"] = 300.0,
    limit: Annotated[int | None, "only the first messages of each file"] = None,
    prefilter: Literal["off", "heated"] = "off",
) -> dict[str, Any]:
    """Replay the files and return the figures."""
    files = sorted(map(str, data.glob("groupchat_*.json"))) if data else []
    if not files:
        return {"skipped": NO_FILES}
    url, batches = f"sqlite:///{folder / 'watch.db'}", list[ScoredBatch]()

    async def keep(batch: ScoredBatch) -> None:
        batches.append(batch)

    async with (
        run_stage(servers=1, channels=len(files), members=0, model_s=0.0) as stage,
        running(stage.place, url, FastClock(speed), watch_prefilter=prefilter) as app,
    ):
        app.sentiment.watcher.add_listener(keep)
        async with observing() as observations:
            traffic = await stage.order("replay", files=files, speed=speed, limit=limit)
            await wait_until_heard(app, traffic["said"])
        await app.sentiment.watcher.settle()
        (guild_id, _), *_ = stage.place["channels"]
        return await figures(app, guild_id, traffic, batches, observations, speed)


async def wait_until_heard(app: App, message_count: int, within_s: float = 30.0) -> None:
    """Wait until all messages have arrived; missing ones are reported as lost later."""
    with suppress(TimeoutError):
        async with asyncio.timeout(within_s):
            while app.sentiment.watcher.counts["heard"] < message_count:  # noqa: ASYNC110  # a counter sends no signal
                await asyncio.sleep(0.05)


def count_alerts(batches: Iterable[ScoredBatch], incident_window: timedelta) -> int:
    """Return how many alerts batches (oldest first) raise without any decision."""
    last_alert_at: dict[int, datetime] = {}
    count = 0
    for batch in batches:
        raised = alert_crossings(batch, None)
        last_at = last_alert_at.get(batch.place_id)
        is_same_incident = last_at is not None and batch.at - last_at < incident_window
        if raised and not is_same_incident:
            count += 1
        if raised or (is_same_incident and alert_messages(batch, raised, None)):
            last_alert_at[batch.place_id] = batch.at
    return count


async def figures(
    app: App,
    guild_id: int,
    traffic: dict[str, Any],
    batches: Sequence[ScoredBatch],
    observations: Observations,
    speed: float,
) -> dict[str, Any]:
    """Return the report."""
    counts = app.sentiment.watcher.counts
    used = await app.database.read(token_usage.by_day, guild_id, date.min)
    spent = [use for use in used if use.purpose == "watch"]
    calls = sum(use.calls for use in spent)
    tokens = sum(use.usage.total for use in spent)
    hundreds = traffic["messages"] / 100
    scored = sum(len(batch.messages) for batch in batches)
    crossed = [crossing for batch in batches for crossing in batch.crossings]
    alerts = count_alerts(batches, INCIDENT_WINDOW / speed)  # batches bear the real time
    lost = traffic["said"] - counts["trivial"] - counts["calm"] - scored
    per_hundred = round(calls / hundreds, 2)
    return {
        "messages": traffic["messages"],
        "said_by_people": traffic["said"],
        "trivial": counts["trivial"],
        "scored": scored,
        "calm": counts["calm"],
        "lost": lost,
        "calls": calls,
        "calls_per_100": per_hundred,
        "tokens_per_100": round(tokens / hundreds),
        **observations.figures(),
        "p99_stall_ms": observations.stalls.worst(0.99),
        "crossings_per_1000": {
            trigger.value: round(
                sum(crossing.trigger is trigger for crossing in crossed) / hundreds * 10, 2
            )
            for trigger in AlertTrigger
        },
        "alerts_per_1000": round(alerts / hundreds * 10, 2),
        "counts": dict(counts),
        "goals": [
            goal("model calls per 100 messages", per_hundred, GOAL_CALLS),
            goal("messages lost", lost, 0),
        ],
    }


main = program("watch", __doc__, measure)


if __name__ == "__main__":
    sys.exit(main())
