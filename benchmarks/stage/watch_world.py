"""Simulates Discord, a model and the members for benchmarks.watch, in its own process.

It prints its addresses as one line of JSON, and replays the exports, each in its own channel, when
it gets the order ``replay``. It ends when standard input ends.
"""

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.fakes.discord import Channel, FakeDiscord, Guild, Member
from tests.fakes.model_server import ChatRequest, FakeModelServer, prompt_of

MAX_GAP = timedelta(minutes=15)  # nights are left out
HOT_EVERY, TOXIC_EVERY, QUARREL_LENGTH = 400, 150, 8


def score(number: int) -> dict[str, Any]:
    """Return the scripted score of the nth message: mostly calm, an insult now and then, and a
    quarrel of eight messages in every four hundred."""
    plain = {"sentiment": 0.1, "toxicity": 0.02, "tension": 0.1, "reason": "", "note_update": None}
    if number % HOT_EVERY < QUARREL_LENGTH:
        hot = {"sentiment": -0.8, "toxicity": 0.6, "tension": 0.95, "reason": "a quarrel"}
        return plain | hot
    if number % TOXIC_EVERY == TOXIC_EVERY - 1:
        return plain | {"sentiment": -0.9, "toxicity": 0.9, "tension": 0.7, "reason": "an insult"}
    return plain


class Scorer:
    """Answers every analysis with scripted scores, in the order of the messages."""

    def __init__(self) -> None:
        self.calls = self.seen = 0

    def answer(self, request: ChatRequest) -> dict[str, Any]:
        """Return a score for each message of a request's batch."""
        lines = prompt_of(request, "user").split("MESSAGES\n")[1].split("\n")
        self.calls += 1
        scores = []
        for line in lines:
            scores.append({"id": int(line[1 : line.index("]")]), **score(self.seen)})
            self.seen += 1
        return {"messages": scores}


async def replay(
    fake: FakeDiscord,
    guild: Guild,
    channel: Channel,
    messages: Sequence[dict[str, Any]],
    speed: float,
) -> int:
    """Say message export's messages at their own pace, sped up; returns how many people said."""
    people: dict[str, Member] = {}
    moments = [datetime.fromisoformat(message["timestamp"]) for message in messages]
    gaps = [min(b - a, MAX_GAP) for a, b in pairwise(moments)]
    offsets = [timedelta()]
    for gap in gaps:
        offsets.append(offsets[-1] + gap)
    said_count, began = 0, time.monotonic()
    first = datetime.now(UTC) - offsets[-1]
    for message, offset in zip(messages, offsets, strict=True):
        author = message["author"]
        if author["id"] not in people:
            name = str(author["name"])[:30]
            people[author["id"]] = guild.add_member(name, bot=bool(author["isBot"]))
        await asyncio.sleep(began + offset.total_seconds() / speed - time.monotonic())
        if not message["content"]:
            continue
        await fake.say(people[author["id"]], channel, message["content"][:2000], at=first + offset)
        said_count += not author["isBot"]
    return said_count


async def stage(files: Sequence[Path]) -> None:
    """Start the simulation and take orders until standard input ends."""
    scorer = Scorer()
    async with FakeModelServer() as model, FakeDiscord(point_here=False) as fake:
        model.extract_with(scorer.answer)
        guild = fake.add_guild("Replay")
        channels = [guild.add_text_channel(file.stem) for file in files]
        place = {
            "api": fake.api_url,
            "gateway": fake.gateway_url,
            "model": model.base_url,
            "guild": guild.id,
            "channels": [(guild.id, channel.id) for channel in channels],
        }
        print_json(place)
        exports = [json.loads(file.read_text(encoding="utf-8"))["messages"] for file in files]

        async def execute(order: dict[str, Any]) -> dict[str, Any]:
            """Replay the exports, the only order; ``limit``: only their first messages."""
            parts = [messages[: order["limit"]] for messages in exports]
            said_counts = await asyncio.gather(
                *(
                    replay(fake, guild, channel, messages, order["speed"])
                    for channel, messages in zip(channels, parts, strict=True)
                )
            )
            return {"said": sum(said_counts), "messages": sum(map(len, parts))}

        await take_orders(execute)


async def take_orders(execute: Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]) -> None:
    """Execute the orders of standard input concurrently, until it ends, and print the answers."""
    running: set[asyncio.Task[None]] = set()

    async def answer(order: dict[str, Any]) -> None:
        number = order.pop("number")
        try:
            reply = await execute(order)
        except Exception as error:
            reply = {"failed": repr(error)}
        print_json({"number": number, **reply})

    while line := await asyncio.to_thread(sys.stdin.readline):
        running.add(task := asyncio.create_task(answer(json.loads(line))))
        task.add_done_callback(running.discard)
    for task in running:
        task.cancel()


def print_json(message: dict[str, Any]) -> None:
    """Print one line of JSON."""
    print(json.dumps(message), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    asyncio.run(stage(parser.parse_args().files))
