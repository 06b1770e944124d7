"""The other side of load, crash, soak and start, in a process of its own: Discord, model, people.

It prints where it listens and who is there as one line of JSON, then takes orders, one JSON object
a line, and answers each with one line. Standard input's end is its own. The orders (``do``):

- ``talk``: let people speak, ``rate`` messages a second for ``seconds``, at random moments
  (a Poisson process), each by a random member in a random channel, a share of ``addressed`` by
  mention. Answered when everything was said, or with ``hush``.
- ``answer``: answered when the bot gives its next answer.
- ``ledger``: what was said to the bot, and what it answered.
- ``session``: answered when somebody has connected anew, ready for what is said.
- ``handshake``: when (seconds since 1970) the newest process was first heard, logged in, connected.
- ``trouble``: gateway drops, 429s, 5xx and model errors for ``seconds``, seeded.
"""

import argparse
import asyncio
import contextlib
import json
import logging
import random
import re
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from benchmarks.hot_path import NOUNS, VERBS
from benchmarks.watch_stage import Scorer, tell
from cogs.texts import AWAY, UNWRITABLE
from tests.e2e.den import attentive, is_notice
from tests.fakes.discord import Channel, FakeDiscord, Guild, Member, Message
from tests.fakes.model_server import (
    ChatRequest,
    FakeModelServer,
    _least,
    _schema,
    error,
    prompt_of,
    summarises,
)
from tests.fakes.scribe import lines_said

OUTAGE = (AWAY, UNWRITABLE)  # said after an answer
ANSWER = "That is good to know."
WORDS = tuple({*NOUNS.split(), *VERBS.split()})
_DIGITS = re.compile(r"\d+")


@dataclass(slots=True)
class Stage:
    """The servers, their people, and what was said."""

    fake: FakeDiscord
    model: FakeModelServer
    guilds: list[Guild] = field(default_factory=list)
    people: dict[int, list[Member]] = field(default_factory=dict)
    channels: list[Channel] = field(default_factory=list)
    asked: list[Message] = field(default_factory=list)
    connected_at: list[float] = field(default_factory=list)
    known_sessions: set[str] = field(default_factory=set)
    hushed: bool = False
    said: int = 0
    troubles: Counter[str] = field(default_factory=Counter)

    def note_connections(self) -> None:
        """Note when somebody opens the gateway's socket; to be called before the fake listens."""
        handle = self.fake.gateway.handle

        async def noted(request: web.Request) -> web.StreamResponse:
            self.connected_at.append(time.time())
            return await handle(request)

        self.fake.gateway.handle = noted  # type: ignore[method-assign]

    def build(self, servers: int, channels: int, members: int) -> None:
        """Make servers, each with that many channels and members."""
        for number in range(servers):
            guild = self.fake.add_guild(f"Server {number}")
            self.guilds.append(guild)
            self.channels += [guild.add_text_channel(f"channel-{n}") for n in range(channels)]
            self.people[guild.id] = [guild.add_member(f"Member {n}") for n in range(members)]
        self.model.reply_with(ANSWER)
        self.model.extract_with(Reader().answer)
        self.model.summarise_with(Reader().answer)

    def place(self) -> dict[str, Any]:
        """Return where everything is."""
        return {
            "api": self.fake.api_url,
            "gateway": self.fake.gateway_url,
            "model": self.model.base_url,
            "channels": [
                [channel.guild.id, channel.id] for channel in self.channels if channel.guild
            ],
        }

    # --- orders --------------------------------------------------------------------------------

    async def obey(self, order: dict[str, Any]) -> dict[str, Any]:
        """Carry out one order and return the answer."""
        match order.pop("do"):
            case "talk":
                return await self.talk(**order)
            case "ledger":
                return self.ledger()
            case "hush":
                self.hushed = True
                return {}
            case "answer":
                await self.fake.wait_message(
                    after=self.asked[-1] if self.asked else None,
                    where=lambda message: message.reply_to is not None,
                    timeout=60.0,
                )
                return {}
            case "session":
                await self.fake.wait_until(self._new_session, "a session", timeout=60.0)
                return {}
            case "handshake":
                return self.handshake()
            case "trouble":
                return await self.trouble(**order)
            case unknown:
                raise ValueError(unknown)

    def _new_session(self) -> bool:
        """Whether somebody is connected who was not when this was last true."""
        here = {session.id for session in self.fake.gateway.connected()}
        is_new = bool(here - self.known_sessions)
        if is_new:
            self.known_sessions |= here
        return is_new

    async def talk(
        self, rate: float, seconds: float, addressed: float, seed: int
    ) -> dict[str, Any]:
        """Let people speak; who is late speaks at once, so that the rate holds on the whole."""
        chance = random.Random(seed)
        began, at = time.monotonic(), 0.0
        said = 0
        self.hushed = False
        while not self.hushed and (at := at + chance.expovariate(rate)) < seconds:
            if (wait := began + at - time.monotonic()) > 0:
                await asyncio.sleep(wait)
            channel = chance.choice(self.channels)
            await self._say(chance, channel, chance.random() < addressed)
            said += 1
        self.said += said
        return {"said": said, "took_s": round(time.monotonic() - began, 2)}

    async def _say(self, chance: random.Random, channel: Channel, is_addressed: bool) -> None:
        assert channel.guild is not None
        who = chance.choice(self.people[channel.guild.id])
        words = " ".join(chance.choices(WORDS, k=chance.randint(4, 14)))
        if not is_addressed:
            await self.fake.say(who, channel, words)
            return
        text = f"<@bot> I own a {chance.choice(WORDS)} named {chance.getrandbits(40):x}. {words}?"
        self.asked.append(await self.fake.say(who, channel, text))

    def ledger(self) -> dict[str, Any]:
        """Return every message to the bot, and how often, how late and with what it answered."""
        answers: dict[int, list[Message]] = {}
        notices = told_away = 0
        for message in self.fake.world.messages_in_order:
            if message.author is not self.fake.bot_user:
                continue
            notices += is_notice(message)
            told_away += message.content in OUTAGE
            if message.reply_to is not None and message.content not in OUTAGE:
                answers.setdefault(message.reply_to.id, []).append(message)
        return {
            "said": self.said,
            "asked": [self._entry(one, answers.get(one.id, [])) for one in self.asked],
            "notices": notices,
            "told_away": told_away,
            "troubles": dict(self.troubles),
        }

    @staticmethod
    def _entry(asked: Message, answers: list[Message]) -> dict[str, Any]:
        asked_ms = asked.id >> 22
        return {
            "id": asked.id,
            "answers": sum(answer.content == ANSWER for answer in answers),
            "refusals": [
                _DIGITS.sub("…", answer.content) for answer in answers if answer.content != ANSWER
            ],
            "after_ms": [(answer.id >> 22) - asked_ms for answer in answers],
        }

    def handshake(self) -> dict[str, Any]:
        """Return when the newest process logged in, finished what it asked first, connected."""
        connected = self.connected_at[-1]
        logins = [one.at_s for one in self.fake.requests if one.path.endswith("/users/@me")]
        before = [one.at_s for one in self.fake.requests if logins[-1] <= one.at_s <= connected]
        return {"login_at": logins[-1], "requests": len(before), "connected_at": connected}

    # --- trouble -------------------------------------------------------------------------------

    async def trouble(self, seconds: float, every_s: float, seed: int) -> dict[str, Any]:
        """Let one misfortune after another happen, ``every_s`` apart on average."""
        chance, ends = random.Random(seed), time.monotonic() + seconds
        while (wait := chance.expovariate(1 / every_s)) < ends - time.monotonic():
            await asyncio.sleep(wait)
            await self._misfortune(chance)
        return {"troubles": dict(self.troubles)}

    async def _misfortune(self, chance: random.Random) -> None:
        posts = ("POST", "/channels/*/messages")
        what = chance.choice(("drop", "op 7", "repeat", "429", "502", "lost answer", "model"))
        self.troubles[what] += 1
        match what:
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


class Reader:
    """Answers every analysis of a watched batch, and every extraction, as their prompts ask."""

    def __init__(self) -> None:
        self._scorer = Scorer()

    def answer(self, request: ChatRequest) -> dict[str, Any]:
        """Score a batch, note what was said of belongings, or write down a chapter."""
        if summarises(request):
            said = ". ".join(lines_said(prompt_of(request, "user"))[:3])
            return {**_least(_schema(request)), "summary": said}
        if "MESSAGES\n" in prompt_of(request, "user"):
            return self._scorer.answer(request)
        return attentive(request)


async def take_orders(stage: Stage) -> None:
    """Carry out what standard input asks for, side by side, until it ends."""
    running: set[asyncio.Task[None]] = set()

    async def obey(order: dict[str, Any]) -> None:
        number = order.pop("number")
        try:
            answer = await stage.obey(order)
        except Exception as error:
            answer = {"failed": repr(error)}
        tell({"number": number, **answer})

    while line := await asyncio.to_thread(sys.stdin.readline):
        running.add(task := asyncio.create_task(obey(json.loads(line))))
        task.add_done_callback(running.discard)
    for task in running:
        task.cancel()


async def main(options: argparse.Namespace) -> None:
    """Open the stage and take orders."""
    logging.getLogger("aiohttp.server").setLevel(
        logging.CRITICAL
    )  # bots are killed in mid-sentence
    fake, model = FakeDiscord(point_here=False), FakeModelServer(latency_s=options.model_s)
    stage = Stage(fake, model)
    stage.note_connections()
    async with model, fake:
        stage.build(options.servers, options.channels, options.members)
        tell(stage.place())
        await take_orders(stage)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--servers", type=int, required=True)
    parser.add_argument("--channels", type=int, required=True, help="of each server")
    parser.add_argument("--members", type=int, required=True, help="of each server")
    parser.add_argument("--model-s", type=float, required=True, help="what a model call takes")
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main(parser.parse_args()))
