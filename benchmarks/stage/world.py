"""Simulates Discord, its members and a model in their own process, for four benchmarks.

It prints its addresses and members as one line of JSON. Then it executes orders, one JSON object a
line, and answers each with one line. It ends when standard input ends. The orders (``do``):

- ``talk``: people send ``rate`` messages a second for ``seconds``, at random moments
  (a Poisson process), each by a random member in a random channel; a share of ``addressed``
  mentions the bot. Answered when everything was sent, or after ``hush``.
- ``hush``: stops ``talk``.
- ``answer``: answered when the bot gives its next answer.
- ``ledger``: what was said to the bot, what it answered, and how many requests it made.
- ``session``: answered when a new session is connected, ready for messages.
- ``prompts``: how many characters the prompts of answers had, with their tools.
- ``trouble``: gateway drops, 429s, 5xx and model errors for ``seconds``, seeded.
"""

import argparse
import asyncio
import contextlib
import json
import logging
import math
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from benchmarks.generated.words import NOUNS, SYLLABLES, VERBS
from benchmarks.stage.scripted_model import ANSWER, ScriptedModel
from cogs.bot.texts import AWAY, UNWRITABLE
from cogs.chat.question_queue import WAITING
from cogs.sentiment.watch_text import NOTICE
from tests.e2e.den import is_notice
from tests.fakes.discord import Channel, FakeDiscord, Guild, Member, Message
from tests.fakes.model_server import FakeModelServer, error
from utils.models.sentiment import PassiveMemory

OUTAGE = (AWAY, UNWRITABLE)  # said after an answer
WORDS = tuple({*NOUNS.split(), *VERBS.split()})
SAID_ONCE = ("One thing at a time", "I have … answers to give here")
JOINED_WITHIN_MS = 10_000
REFUSAL_STANDS_MS = 60_000  # at most: an answer takes no longer
_DIGITS = re.compile(r"\d+")


@dataclass(slots=True)
class SimulatedServers:
    """The simulated servers, their members, and the messages so far."""

    fake: FakeDiscord
    model: FakeModelServer
    guilds: list[Guild] = field(default_factory=list)
    people: dict[int, list[Member]] = field(default_factory=dict)
    channels: list[Channel] = field(default_factory=list)
    questions: list[Message] = field(default_factory=list)
    joined_ids: set[int] = field(default_factory=set)
    known_sessions: set[str] = field(default_factory=set)
    is_stopped: bool = False
    said_ids: list[int] = field(default_factory=list)
    troubles: Counter[str] = field(default_factory=Counter)

    def build(self, servers: int, channels: int, members: int, shards: int = 1) -> None:
        """Make servers, each with that many channels and members, the shards in turn."""
        for number in range(servers):
            guild = self.fake.add_guild(f"Server {number}", shard=(number % shards, shards))
            self.guilds.append(guild)
            self.channels += [guild.add_text_channel(f"channel-{n}") for n in range(channels)]
            self.people[guild.id] = [guild.add_member(f"Member {n}") for n in range(members)]
        self.model.reply_with(ANSWER)
        self.model.extract_with(ScriptedModel().answer)
        self.model.summarise_with(ScriptedModel().answer)

    def place(self) -> dict[str, Any]:
        """Return the addresses and the channels."""
        notice = {"content": NOTICE[PassiveMemory.OPT_IN]}  # without it a channel is not watched
        notices = {
            str(channel.id): self.fake.post.post(channel, self.fake.bot_user, notice).id
            for channel in self.channels
        }
        return {
            "api": self.fake.api_url,
            "gateway": self.fake.gateway_url,
            "model": self.model.base_url,
            "channels": [
                [channel.guild.id, channel.id] for channel in self.channels if channel.guild
            ],
            "notices": notices,
        }

    # --- orders --------------------------------------------------------------------------------

    async def execute(self, order: dict[str, Any]) -> dict[str, Any]:
        """Execute one order and return the answer."""
        match order.pop("do"):
            case "talk":
                return await self.talk(**order)
            case "ledger":
                return self.ledger()
            case "hush":
                self.is_stopped = True
                return {}
            case "answer":
                await self.fake.wait_message(
                    after=self.questions[-1] if self.questions else None,
                    where=lambda message: message.reply_to is not None,
                    timeout=60.0,
                )
                return {}
            case "session":
                await self.fake.wait_until(self._new_session, "a session", timeout=60.0)
                return {}
            case "trouble":
                return await self.trouble(**order)
            case "prompts":
                chats = [chat for chat in self.model.chats if chat.get("stream")]
                return {"answers": [len(json.dumps([c["messages"], c["tools"]])) for c in chats]}
            case unknown:
                raise ValueError(unknown)

    def _new_session(self) -> bool:
        """Whether a session is connected that was not there at the last true result."""
        connected = {session.id for session in self.fake.gateway.connected()}
        is_new = bool(connected - self.known_sessions)
        if is_new:
            self.known_sessions |= connected
        return is_new

    async def talk(
        self, rate: float, seconds: float, addressed: float, seed: int
    ) -> dict[str, Any]:
        """Send messages at random moments; late ones are sent at once, to hold the mean rate."""
        chance = random.Random(seed)
        began, at = time.monotonic(), 0.0
        said_count = 0
        self.is_stopped = False
        while not self.is_stopped and (at := at + chance.expovariate(rate)) < seconds:
            if (wait := began + at - time.monotonic()) > 0:
                await asyncio.sleep(wait)
            channel = chance.choice(self.channels)
            await self._say(chance, channel, chance.random() < addressed)
            said_count += 1
        return {"said": said_count, "took_s": round(time.monotonic() - began, 2)}

    async def _say(self, chance: random.Random, channel: Channel, is_addressed: bool) -> None:
        assert channel.guild is not None
        who = chance.choice(self.people[channel.guild.id])
        words = " ".join(chance.choices(WORDS, k=chance.randint(4, 14)))
        if is_addressed:
            name = "".join(chance.choices(SYLLABLES.split(), k=6)).capitalize()
            belonging = f"a {chance.choice(NOUNS.split())} named {name}"
            words = f"<@bot> I own {belonging}. {words}?"
        if is_addressed:
            self.joined_ids |= waiting_ids(self.questions, who.id, channel.id)
        message = await self.fake.say(who, channel, words)
        self.said_ids.append(message.id)
        if is_addressed:
            self.questions.append(message)

    def ledger(self) -> dict[str, Any]:
        """Return every message to the bot, with the number, delay and kind of its answers.

        An answer that was broken off is deleted and given again, so ``standing`` counts those
        that were not deleted.
        """
        answers: dict[int, list[Message]] = {}
        notices = away_answers = 0
        for message in self.fake.world.messages_in_order:
            if message.author is not self.fake.bot_user:
                continue
            notices += is_notice(message)
            away_answers += message.content in OUTAGE
            if message.reply_to is not None and message.content not in OUTAGE:
                answers.setdefault(message.reply_to.id, []).append(message)
        asked = [self._entry(question, answers.get(question.id, [])) for question in self.questions]
        mark_repeats(self.questions, asked, self.joined_ids)
        return {
            "said_ids": self.said_ids,
            "requests": len(self.fake.requests),
            "asked": asked,
            "notices": notices,
            "told_away": away_answers,
            "troubles": dict(self.troubles),
        }

    @staticmethod
    def _entry(question: Message, answers: list[Message]) -> dict[str, Any]:
        asked_ms = question.id >> 22
        return {
            "id": question.id,
            "answers": sum(answer.content == ANSWER for answer in answers),
            "refusals": [
                _DIGITS.sub("…", answer.content) for answer in answers if answer.content != ANSWER
            ],
            "standing": sum(not answer.deleted for answer in answers),
            "after_ms": [(answer.id >> 22) - asked_ms for answer in answers],
        }

    # --- trouble -------------------------------------------------------------------------------

    async def trouble(self, seconds: float, every_s: float, seed: int) -> dict[str, Any]:
        """Cause faults for ``seconds``, ``every_s`` apart on average."""
        chance, ends = random.Random(seed), time.monotonic() + seconds
        while (wait := chance.expovariate(1 / every_s)) < ends - time.monotonic():
            await asyncio.sleep(wait)
            posts = ("POST", "/channels/*/messages")
            trouble = chance.choice(
                ("drop", "op 7", "repeat", "429", "502", "lost answer", "model")
            )
            self.troubles[trouble] += 1
            match trouble:
                case "drop":
                    await self.fake.drop_connection()
                case "op 7":
                    self.fake.gateway.ask_to_reconnect()
                case "repeat":
                    await self.fake.duplicate_last_dispatch("MESSAGE_CREATE")
                case "429":
                    self.fake.rate_limit(*posts, times=chance.randint(1, 3), retry_after=0.5)
                case "502":
                    self.fake.fail(*posts, status=502, times=chance.randint(1, 3))
                case "lost answer":
                    self.fake.fail(*posts, status=502, after=True)
                case _:
                    status = chance.choice((429, 500, 503))
                    self.model.script(*(error(status) for _ in range(chance.randint(1, 6))))
        return {"troubles": dict(self.troubles)}


def waiting_ids(questions: Sequence[Message], author_id: int, channel_id: int) -> set[int]:
    """Return the ids of a person's questions in a channel that Kith has marked as waiting."""
    return {
        question.id
        for question in questions
        if WAITING in question.reactions
        and (question.author.id, question.channel.id) == (author_id, channel_id)
    }


def mark_repeats(
    questions: Sequence[Message],
    entries: Sequence[dict[str, Any]],
    joined_ids: Set[int] = frozenset(),
) -> None:
    """Mark questions soon after a refusal to their author or in their channel as ``is_repeat``.

    Kith tells a person once that they ask too soon, and a channel once that its queue is full. It
    is silent to further questions until that is over. What is asked while a channel is busy is
    answered together with the same person's next question, so that counts as a repeat as well:
    ``joined_ids`` are the questions that still waited when the next one was asked.
    """
    answered_ms: dict[tuple[int, int], float] = {}  # the person's next answered question
    for question, entry in zip(reversed(questions), reversed(entries), strict=True):
        asker, now = (question.author.id, question.channel.id), question.id >> 22
        wait_ms = answered_ms.get(asker, math.inf) - now
        joins = question.id in joined_ids and wait_ms < math.inf
        entry["is_joined"] = joins or wait_ms < JOINED_WITHIN_MS
        if entry["after_ms"]:
            answered_ms[asker] = now
    refused_ms: dict[int, int] = {}  # by author, and by channel
    for question, entry in zip(questions, entries, strict=True):
        keys = (question.author.id, question.channel.id)
        now = question.id >> 22
        entry["is_repeat"] = entry.pop("is_joined") or any(
            now - refused_ms.get(key, -REFUSAL_STANDS_MS) < REFUSAL_STANDS_MS for key in keys
        )
        if any(refusal.startswith(SAID_ONCE) for refusal in entry["refusals"]):
            refused_ms.update(dict.fromkeys(keys, now))


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


async def main(options: argparse.Namespace) -> None:
    """Start the simulation and execute orders."""
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)  # the bots are killed
    fake, model = FakeDiscord(point_here=False), FakeModelServer(latency_s=options.model_s)
    stage = SimulatedServers(fake, model)
    async with model, fake:
        stage.build(options.servers, options.channels, options.members, options.shards)
        print_json(stage.place())
        await take_orders(stage.execute)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--servers", type=int, required=True)
    parser.add_argument("--channels", type=int, required=True, help="of each server")
    parser.add_argument("--members", type=int, required=True, help="of each server")
    parser.add_argument("--shards", type=int, default=1, help="that the servers are spread over")
    parser.add_argument("--model-s", type=float, required=True, help="what a model call takes")
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main(parser.parse_args()))
