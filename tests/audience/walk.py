"""A random walk through a server whose permissions change, with recalls that the oracle judges.

Before each round of recalls something changes: a permission, a role, a category, a thread, an age
restriction, what moderators said of the base role, or what was said. Alice tells every channel
secrets in every form in which Kith keeps what was said. Then people ask Kith about Alice and some
secrets, through the program's own audience rule and recall. No secret may stand in the prompt of an
answer that somebody could see who could not have read its source.
"""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Protocol

from tests.audience.changing_server import VIEW, ChangingServer
from tests.audience.judging import server_of
from tests.audience.told import (
    LINKED,
    NEEDS_MEMORY,
    ONCE_A_CHANNEL,
    WORKSHOP,
    Form,
    Place,
    Teller,
    link,
    secret_words,
)
from tests.fakes.discord import Channel, Member
from tests.oracles.permissions import Judge, reads
from utils.common.clock import Clock
from utils.database.core.engine import Database
from utils.models.memory import DIRECT_MESSAGES, Audience
from utils.models.memory import Member as Known

RECALLS_A_ROUND = 25
SECRETS_A_QUESTION = 5
FORMS_A_CHANNEL = 4
RESTARTS = 0.15
MAX_EXAMPLES = 20


class Program(Protocol):
    """Kith, as the walk uses it."""

    async def notice(self, server: ChangingServer, *, restarts: bool) -> bool:
        """Take in all that happened on Discord; returns False if members' roles are unknown."""

    def audience(self, channel: Channel, speaker: Member) -> Audience:
        """Return who reads an answer to somebody in a channel."""

    def source_id(self, channel: Channel) -> int:
        """Return the channel that what is said there belongs to."""

    def shown_to(self, person: Member, place: Channel) -> frozenset[int]:
        """Return the channels that may be quoted to one person in a place, for them alone."""

    async def recalled(
        self, channel: Channel, speaker: Member, about: Sequence[Member], text: str
    ) -> str:
        """Return what a prompt would hold of what is remembered, without the last turns."""

    async def found(self, channel: Channel, speaker: Member, topic: str) -> str:
        """Return what the tool `who` would return for a topic, and the topic if it is a name."""


@dataclass(frozen=True, slots=True)
class Secret:
    """A word, where it was told and in which form; ``other`` is what else it rests on."""

    word: str
    channel: Channel
    form: Form
    other: Channel | None = None


@dataclass(frozen=True, slots=True)
class Leak:
    """A secret in an answer that it must not stand in, and what happened last."""

    secret: Secret
    answer: Channel
    speaker: Member
    recall: int
    last_change: str

    def __str__(self) -> str:
        return (
            f"recall {self.recall}: {self.secret.form.value} of {self.secret.channel.label} was "
            f"used in {self.answer.label} for {self.speaker.name}, after: {self.last_change}"
        )


@dataclass(slots=True)
class Tally:
    """What a walk came to.

    ``pairs`` counts channel pairs by (may it be used, is it used). Where something is withheld,
    pairs with private threads are left out, and those after a restart: Kith does not know who is in
    them, or has not asked for anybody's roles yet.
    """

    recalls: int = 0
    found: int = 0
    changes: Counter[str] = field(default_factory=Counter)
    shown: Counter[Form] = field(default_factory=Counter)
    shown_elsewhere: Counter[Form] = field(default_factory=Counter)
    pairs: Counter[tuple[bool, bool]] = field(default_factory=Counter)
    leaks: list[Leak] = field(default_factory=list)
    open_pairs: list[str] = field(default_factory=list)
    withheld_pairs: list[str] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        """Add another walk's figures."""
        self.recalls += other.recalls
        self.found += other.found
        for name in ("changes", "shown", "shown_elsewhere", "pairs"):
            getattr(self, name).update(getattr(other, name))
        for name in ("leaks", "open_pairs", "withheld_pairs"):
            getattr(self, name).extend(getattr(other, name))

    def report(self) -> str:
        """Return the figures as lines of text, with examples of what went wrong."""
        readable = self.pairs[True, True] + self.pairs[True, False]
        share = self.pairs[True, False] / max(readable, 1)
        shown = ", ".join(f"{form.value} {n}" for form, n in self.shown.most_common())
        lines = [
            f"recalls: {self.recalls}, leaks: {len(self.leaks)}",
            f"members found by a topic or a name: {self.found}",
            f"changes: {self.changes.total()} of {len(self.changes)} kinds",
            f"secrets recalled: {self.shown.total()} ({shown})",
            f"of them in another channel: {self.shown_elsewhere.total()}",
            f"pairs that all readers could read: {readable}, withheld {share:.2%}",
            f"pairs that they could not: {self.pairs[False, True] + self.pairs[False, False]}, "
            f"used all the same: {self.pairs[False, True]}",
        ]
        examples = (self.leaks, self.open_pairs, self.withheld_pairs)
        for title, cases in zip(("leak", "open", "withheld"), examples, strict=True):
            lines += [f"  {title}: {case}" for case in cases[:MAX_EXAMPLES]]
        return "\n".join(lines)


class Walk:
    """What Alice told in a server that changes, who asks for it, and what the oracle says."""

    def __init__(
        self, server: ChangingServer, program: Program, database: Database, clock: Clock, seed: int
    ) -> None:
        self.server, self._program = server, program
        self._database, self._clock = database, clock
        self._dice = random.Random(seed)
        self.tally = Tally()
        self._secrets: dict[str, Secret] = {}
        self._words = secret_words()
        self._last_change = "the beginning"
        alice_id, second_id = server.alice.id, server.second.id
        message_ids = count(10**15)
        self._tellers = {
            place: Teller(Known(place, alice_id), "Alice", Known(place, second_id), message_ids)
            for place in (server.guild.id, DIRECT_MESSAGES)
        }
        self._direct = server.fake.dm(server.alice)
        self._told: set[int] = set()
        self._channels: dict[int, Channel] = {}
        self._knows_roles = True
        self._judge = Judge(server_of(server.guild))

    async def prepare(self) -> None:
        """Link Alice's accounts, and have her tell every channel something."""
        for teller in self._tellers.values():
            await self._database.write(teller.begin)
        teller, now = self._tellers[self.server.guild.id], self._clock.now()
        await self._database.write(link, teller.member, teller.linked, now)
        for form in (Form.MEMORY, Form.MESSAGE):
            await self._tell(self._direct, form)
        await self._tell_new_channels()

    async def go(self, recalls: int, a_round: int = RECALLS_A_ROUND) -> Tally:
        """Change something and recall, until so many recalls were judged; returns the figures."""
        while self.tally.recalls < recalls:
            await self._change_something()
            self._check_pairs()
            self._check_one_reader()
            for _ in range(min(a_round, recalls - self.tally.recalls)):
                await self._recall()
        return self.tally

    # --- what happens --------------------------------------------------------------------------

    async def _change_something(self) -> None:
        kind, self._last_change = self.server.change()
        self.tally.changes[kind] += 1
        await self._tell_new_channels()
        if self._dice.random() < 0.3:
            place = self._dice.choice(self.server.chats())
            await self._tell(place, self._dice.choice(list(Form)))
        restarts = self._dice.random() < RESTARTS
        self._knows_roles = await self._program.notice(self.server, restarts=restarts)
        server = self.server
        self._judge = Judge(server_of(server.guild, server.base_role_id, server.implied_role_ids))

    async def _tell_new_channels(self) -> None:
        forms = [form for form in Form if form not in ONCE_A_CHANNEL | NEEDS_MEMORY]
        for channel in self.server.chats():
            if channel.id not in self._told:
                self._told.add(channel.id)
                for form in (*ONCE_A_CHANNEL, *self._dice.sample(forms, FORMS_A_CHANNEL)):
                    await self._tell(channel, form)

    async def _tell(self, channel: Channel, form: Form) -> None:
        if form in ONCE_A_CHANNEL and any(
            secret.form is form and secret.channel is channel for secret in self._secrets.values()
        ):
            return
        word = next(self._words)
        guild_id = DIRECT_MESSAGES if channel.guild is None else channel.guild.id
        is_public = channel.is_thread and not channel.is_private_thread
        source = channel.parent if is_public and channel.parent is not None else channel
        place = Place(guild_id, channel.id, source.id)
        teller, now = self._tellers[guild_id], self._clock.now()
        await self._database.write(teller.tell, place, form, word, now)
        self._channels[channel.id] = channel
        other = self._channels[teller.last_memory[1]] if form is Form.PROFILE else None
        self._secrets[word] = Secret(word, channel, form, other)

    # --- what the oracle says ------------------------------------------------------------------

    def _may_be_used(self, source: Channel, answer: Channel) -> bool:
        """Ask the oracle whether what was said in one channel may be used in the other."""
        if source.guild is None or answer.guild is None:
            return source is answer
        if source.id not in self.server.guild.channels:
            return False  # deleted: nobody can read it any more
        channels = self._judge.server.channels
        return not self._judge.leaks(channels[answer.id], channels[source.id])

    def _speakers(self, answer: Channel) -> list[Member]:
        if answer.guild is None:
            return [self.server.alice]
        return [who for who in self.server.people if answer.permissions_of(who) & VIEW]

    def _check_pairs(self) -> None:
        """Compare the sources of every channel with what the oracle says of every pair."""
        for answer in self.server.chats():
            speakers = self._speakers(answer)
            if not speakers:
                continue
            audience = self._program.audience(answer, self._dice.choice(speakers))
            for source in self.server.chats():
                may_be_used = self._may_be_used(source, answer)
                is_used = self._program.source_id(source) in audience.sources
                has_private = answer.is_private_thread or source.is_private_thread
                is_unsure = has_private or not self._knows_roles
                if is_unsure and may_be_used and not is_used:
                    continue
                self.tally.pairs[may_be_used, is_used] += 1
                if may_be_used != is_used:
                    cases = self.tally.open_pairs if is_used else self.tally.withheld_pairs
                    cases.append(f"{source.label} in {answer.label} after: {self._last_change}")

    def _check_one_reader(self) -> None:
        """Compare what may be quoted to one person alone with what they can read."""
        person = self._dice.choice(self.server.people)
        place = self._dice.choice(self.server.chats())
        shown, judged = self._program.shown_to(person, place), self._judge.server
        is_adult = judged.is_age_restricted(judged.channels[place.id])
        for channel in self.server.homes():
            source = judged.channels[channel.id]
            can_read = reads(judged, judged.people[person.id], source)
            may_be_shown = can_read and (is_adult or not judged.is_age_restricted(source))
            self.tally.pairs[may_be_shown, source.id in shown] += 1
            if may_be_shown != (source.id in shown):
                cases = self.tally.withheld_pairs if may_be_shown else self.tally.open_pairs
                cases.append(f"{channel.label} for {person.name} in {place.label} alone")

    async def _recall(self) -> None:
        """Let somebody ask about Alice and some secrets, and judge what the prompt would hold."""
        answer = self._dice.choice([*self.server.chats(), self._direct])
        speakers = self._speakers(answer)
        if not speakers:
            return
        speaker = self._dice.choice(speakers)
        asked = self._dice.sample(list(self._secrets), SECRETS_A_QUESTION)
        text = f"What about the {' and the '.join(asked)} in the {WORKSHOP}?"
        if self._dice.random() < 0.1:
            text = "hello, how are you?"
        recalled = await self._program.recalled(answer, speaker, [self.server.alice], text)
        self.tally.recalls += 1
        self._judge_answer(recalled, answer, speaker)
        found = await self._program.found(answer, speaker, asked[0])
        self.tally.found += bool(found)
        self._judge_answer(found, answer, speaker, names_owner=True)

    def _judge_answer(
        self, text: str, answer: Channel, speaker: Member, *, names_owner: bool = False
    ) -> None:
        """Judge the secrets in what an answer would be made of.

        ``names_owner``: each stands beside the account that told it, so a link is not told.
        """
        owners = (self.server.alice, self.server.second)
        for word in self._secrets.keys() & set(_words_of(text)):
            secret = self._secrets[word]
            self.tally.shown[secret.form] += 1
            self.tally.shown_elsewhere[secret.form] += secret.channel is not answer
            is_of_link = secret.form in LINKED and speaker not in owners and not names_owner
            sources = [c for c in (secret.channel, secret.other) if c is not None]
            if is_of_link or not all(self._may_be_used(source, answer) for source in sources):
                self.tally.leaks.append(
                    Leak(secret, answer, speaker, self.tally.recalls, self._last_change)
                )


def _words_of(text: str) -> list[str]:
    return [word.strip(".,;:!?()|\"'").lower() for word in text.split()]
