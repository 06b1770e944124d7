"""What recall finds of what it should: evidence recall over conversations with known answers.

    python -m benchmarks.recall --data FILE [--json] [--kind episode]

FILE is in LoCoMo's or RealMem's format. Everything goes through the program's own paths: messages
are recorded, memories imported as trusted evidence (method import) at the time they were said,
under lasting consent, with a retention beyond the data, a cap of 1,000, no rate limits and no
safety categories; then each question is asked of ``Reader.recall`` as chat does, from another
channel of the server, a day after the last session (LoCoMo) or in its own session (RealMem, where
as many memories are known as the file says). Sessions follow each other: a day that a file gives
out of order is moved to after the session before. RealMem does not say who wrote a source: all are
recorded as the member's.

Evidence is a turn (LoCoMo) or a memory (RealMem). A question's *evidence recall at k* is the share
of its evidence among the first k facts, messages, or (``both``) k items taken from the two lists in
turn; printed is the mean over questions of categories 1 to 4. A fact stands for the turn it was
drawn from, a message for itself (RealMem: for every memory drawn from it). Evidence that nobody's
memories hold, or whose row was refused, counts as missed; ``ceiling`` is what could be found at
most. MRR is the mean of 1 / rank of the first evidence. *In a block*, a fact or a message counts
only if its text, or for a cut message a part of it, is really in it. Scope ``member`` asks about
the people that a question names, ``group`` about everybody. Category 5 asks what somebody else
said: ``wrong_person`` is the share of the first 10 facts that are about nobody it names.
``plain_layers`` are the 5 newest rows and the 5 newest in which a word of the question stands.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import zip_longest
from pathlib import Path
from statistics import fmean, quantiles
from typing import Any

import bot
from utils.config import load_settings
from utils.core import Core
from utils.memory import policy
from utils.memory.importing import Imported, Importer
from utils.memory.policy import ReadPolicy
from utils.memory.reader import Reader
from utils.memory.replay_data import REALMEM, Conversation, Fact, Question, load
from utils.memory.stems import query_stems
from utils.model.guild import GuildSettings
from utils.model.memory import MEMORY_LIMIT, Audience, Consent, Event, Kind, Member, Role
from utils.model.policy import WritePolicy
from utils.model.recall import Person, Recall
from utils.text import clip, estimate_tokens, utf16_length

CAP = 1_000
NO_BUDGET = 10**12
DEPTHS = (5, 10, 25)
BLOCKS = (200, 400, 600)
MAIN_BLOCK = 400
PLAIN_EACH = 5
SCOPES = ("member", "group")
TALK_CHANNEL, ASK_CHANNEL = 100, 200
SOURCES = frozenset([TALK_CHANNEL, ASK_CHANNEL])
FIRST_USER = 10


class MovedClock:
    """A clock that stands where it was moved to; durations are real."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def now(self) -> datetime:
        """Return where it was moved to."""
        return self._now

    def monotonic(self) -> float:
        """Return real seconds."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait really."""
        await asyncio.sleep(seconds)

    def move(self, now: datetime) -> None:
        """Go to a time, never back."""
        self._now = max(self._now, now)


@dataclass(slots=True)
class World:
    """One conversation replayed into one server, as far as it has gone."""

    core: Core
    clock: MovedClock
    importer: Importer
    guild_id: int
    conversation: Conversation
    kind: Kind
    message_ids: dict[str, int] = field(default_factory=dict)
    evidence_of_row: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    evidence_of_message: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    row_text: dict[int, str] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    done_messages: int = 0
    done_facts: int = 0

    def member(self, speaker: int) -> Member:
        """Return a speaker as a member."""
        return Member(self.guild_id, FIRST_USER + speaker)

    def audience(self, channel_id: int) -> Audience:
        """Return the audience of one of the two channels, which everybody reads."""
        return Audience(self.guild_id, channel_id, None, SOURCES, is_open=True)

    async def go_on(self, facts: int, until: datetime) -> None:
        """Record what was said until then, and import so many facts in all."""
        said, notes = self.conversation.messages, self.conversation.facts
        while self.done_messages < len(said) and (
            said[self.done_messages].said_at <= until
            or any(one.message == said[self.done_messages].evidence for one in notes[:facts])
        ):
            await self._record(self.done_messages)
        while self.done_facts < facts:
            await self._import(notes[self.done_facts])
            self.done_facts += 1
        self.clock.move(until)

    async def _record(self, number: int) -> None:
        one = self.conversation.messages[number]
        self.clock.move(one.said_at)
        message_id = self.message_ids[one.evidence] = 1_000 + number
        self.evidence_of_message[message_id].add(one.evidence)
        event = Event(
            guild_id=self.guild_id,
            channel_id=TALK_CHANNEL,
            source_id=TALK_CHANNEL,
            message_id=message_id,
            author_id=FIRST_USER + one.speaker,
            author_name=self.conversation.people[one.speaker],
            role=Role.MEMBER,
            text=one.text,
            created_at=one.said_at,
        )
        await self.core.recorder.record(event, self.audience(TALK_CHANNEL))
        self.done_messages += 1

    async def _import(self, fact: Fact) -> None:
        message_id = self.message_ids.get(fact.message)
        if message_id is None:
            self.counts["refused: no message"] += 1
            return
        self.counts["cut"] += utf16_length(fact.text) > MEMORY_LIMIT
        text = clip(fact.text, MEMORY_LIMIT, at_word=True)
        member = self.member(fact.about)
        row = Imported(text, fact.topics, self.kind)
        plan = await self.importer.take_in(member, message_id, [row])
        row_ids = [*plan.inserted, *(one.row_id for one in plan.confirmations)]
        self.counts["written"] += len(plan.inserted)
        self.counts["merged"] += len(plan.confirmations)
        for reason, times in plan.refused.items():
            self.counts[f"refused: {reason}"] += times
        for row_id in row_ids:
            self.evidence_of_row[row_id].add(fact.evidence)
            self.evidence_of_message[message_id].add(fact.evidence)
        for row_id in plan.inserted:
            self.row_text[row_id] = text


# --- asking ----------------------------------------------------------------------------------


@dataclass(slots=True)
class Answers:
    """What was measured in one scope: a list of values for each name."""

    values: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    by_category: dict[int, dict[str, list[float]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(list))
    )

    def note(self, question: Question, name: str, value: float) -> None:
        """Note one value of one question."""
        self.values[name].append(value)
        self.by_category[question.category][name].append(value)

    def summary(self) -> dict[str, Any]:
        """Return means, with the percentiles of times, as they are printed."""
        return {
            **_means(self.values),
            "p95_ms": round(quantiles([0.0, *self.values["ms"]], n=100)[94], 2),
            "p50_ms": round(quantiles([0.0, *self.values["ms"]], n=2)[0], 2),
            "questions": len(self.values["ms"]),
            "categories": {
                str(number): {
                    name: mean
                    for name, mean in _means(values).items()
                    if name.endswith("at_10") or "block" in name or name == "wrong_person"
                }
                for number, values in sorted(self.by_category.items())
            },
        }


def _means(values: dict[str, list[float]]) -> dict[str, float]:
    return {name: round(fmean(found), 4) for name, found in values.items() if found}


class Asker:
    """Asks a world's questions, with blocks of each size."""

    def __init__(self, world: World) -> None:
        self._world = world
        core, clock = world.core, world.clock
        similar = core.embedding.index if core.embedding else None
        self._readers = {
            tokens: core.reader
            if tokens == MAIN_BLOCK
            else Reader(
                core.database,
                clock,
                ReadPolicy(block_tokens=tokens),
                forbidden=frozenset(),
                similar=similar,
            )
            for tokens in BLOCKS
        }

    async def ask(self, question: Question, scope: str, answers: Answers) -> None:
        """Ask a question in a scope, and note what was found."""
        everybody = range(len(self._world.conversation.people))
        about = question.about if scope == "member" else tuple(everybody)
        for tokens, reader in self._readers.items():
            begun = time.perf_counter()
            recall = await self._recall(reader, question, about)
            took_ms = (time.perf_counter() - begun) * 1000
            if question.category != 5:
                found = self._in_block(recall)
                answers.note(question, f"in_block_{tokens}", _share(found, question.gold))
                used = estimate_tokens(recall.block) if recall.block else 0
                answers.note(question, f"tokens_{tokens}", used)
            if tokens == MAIN_BLOCK:
                answers.values["ms"].append(took_ms)
                self._note_ranks(question, recall, answers)
        if question.category != 5 and scope == "member":
            self._note_plain_layers(question, about, answers)

    async def _recall(self, reader: Reader, question: Question, about: Sequence[int]) -> Recall:
        world = self._world
        members = [world.member(one) for one in about]
        people = [
            Person(member.user_id, world.conversation.people[one])
            for member, one in zip(members, about, strict=True)
        ]
        return await reader.recall(
            world.audience(ASK_CHANNEL),
            people,
            question.text,
            settings=GuildSettings(world.guild_id, consent_default=Consent.LASTING),
        )

    def _note_ranks(self, question: Question, recall: Recall, answers: Answers) -> None:
        world = self._world
        fitting = recall.fitting.values()
        rows = _by_score(one for each in fitting for one in each.rows)
        said = _by_score(one for each in fitting for one in each.said)
        if question.category == 5:
            wanted = {world.member(one).user_id for one in question.about}
            owner = {
                one.row.id: user_id for user_id, each in recall.fitting.items() for one in each.rows
            }
            wrong = [owner[row.id] not in wanted for row in rows[:10]]
            answers.note(question, "wrong_person", fmean(wrong) if wrong else 0.0)
            return
        facts = [world.evidence_of_row.get(row.id, set()) for row in rows]
        messages = [world.evidence_of_message.get(one.message_id, set()) for one in said]
        both = [one for pair in zip_longest(facts, messages) for one in pair if one is not None]
        for name, ranks in (("facts", facts), ("messages", messages), ("both", both)):
            for depth in DEPTHS:
                found = set().union(*ranks[:depth])
                answers.note(question, f"{name}_at_{depth}", _share(found, question.gold))
            first = next((i for i, one in enumerate(ranks, 1) if one & question.gold), None)
            answers.note(question, f"{name}_mrr", 1 / first if first else 0.0)
        held = set().union(*world.evidence_of_row.values())
        answers.note(question, "facts_ceiling", _share(held, question.gold))

    def _note_plain_layers(
        self, question: Question, about: Sequence[int], answers: Answers
    ) -> None:
        """Note what the 5 newest rows and the 5 newest with a word of the question hold."""
        world = self._world
        ids = [fact for fact in world.conversation.facts[: question.after] if fact.about in about][
            ::-1
        ]
        words = [word for options in query_stems(question.text) for word in options[1:2] or options]
        names = {name.casefold() for name in world.conversation.people}
        words = [word for word in words if word not in names]
        matching = [
            fact
            for fact in ids
            if any(word in ",".join([fact.text, *fact.topics]).casefold() for word in words)
        ]
        found = {one.evidence for one in (*ids[:PLAIN_EACH], *matching[:PLAIN_EACH])}
        answers.note(question, "plain_layers_at_10", _share(found, question.gold))

    def _in_block(self, recall: Recall) -> set[str]:
        """Return the evidence whose text is really in the block, the profile's rows too."""
        world, found = self._world, set[str]()
        block = recall.block.casefold()
        for row_id, text in world.row_text.items():
            if text.casefold().rstrip(".") in block:
                found |= world.evidence_of_row[row_id]
        for quote in recall.said:
            if quote.text.replace('"', "'").casefold() in block:
                found |= world.evidence_of_message[quote.message_id]
        return found


def _by_score(ranked: Iterable[Any]) -> list[Any]:
    return [one.row for one in sorted(ranked, key=lambda one: one.score, reverse=True)]


def _share(found: set[str], gold: frozenset[str]) -> float:
    return len(found & gold) / len(gold)


# --- running ---------------------------------------------------------------------------------


async def measure(file: Path, folder: Path, kind: Kind, embeddings: Sequence[str] = ()) -> Any:
    """Replay every conversation of a file, ask its questions, and report.

    ``embeddings`` are the address of an endpoint and the name of a model on it, or none.
    """
    form, conversations = load(file)
    answers = {scope: Answers() for scope in SCOPES if scope == "member" or form != REALMEM}
    counts: Counter[str] = Counter()
    by_conversation = {}
    for number, conversation in enumerate(conversations, 1):
        own = {scope: Answers() for scope in answers}
        counts += await _replay(conversation, number, folder, kind, embeddings, own)
        by_conversation[conversation.name] = _means(own["member"].values)
        for scope, one in own.items():
            _merge(answers[scope], one)
        print(f"{conversation.name}: done", file=sys.stderr, flush=True)
    return {
        "benchmark": "recall",
        "format": form,
        "kind": kind.value,
        "rows": dict(counts),
        "scopes": {scope: one.summary() for scope, one in answers.items()},
        "member_by_conversation": by_conversation,
    }


async def _replay(
    conversation: Conversation,
    number: int,
    folder: Path,
    kind: Kind,
    embeddings: Sequence[str],
    answers: dict[str, Answers],
) -> Counter[str]:
    """Replay one conversation into a file of its own and ask its questions as they fall due."""
    said = conversation.messages
    begins = min((one.said_at for one in said), default=datetime.now().astimezone())
    ends = max((one.asked_at for one in conversation.questions), default=begins)
    days = (ends - begins).days + 365
    policy.EVENT_DAYS[Consent.LASTING] = max(days, policy.EVENT_DAYS[Consent.LASTING])
    clock = MovedClock(begins - timedelta(days=1))
    url = f"sqlite:///{folder / f'recall-{number}.db'}"
    address, model = embeddings or ("", None)
    settings = load_settings(
        env_file=None,
        database_url=url,
        memory_cap=CAP,
        forbidden_categories="none",
        daily_token_budget=NO_BUDGET,
        embedding_base_url=address or None,
        embedding_model=model,
    )
    core = bot.build(settings, clock)
    await core.database.open()  # not start(): nothing is to be extracted meanwhile
    importer = Importer(core.database, clock, WritePolicy(cap=CAP), forbidden=frozenset())
    world = World(core, clock, importer, number, conversation, kind)
    for speaker in range(len(conversation.people)):
        await core.keeper.set_consent(world.member(speaker), Consent.LASTING)
    asker = Asker(world)
    for question in sorted(conversation.questions, key=lambda one: (one.after, one.asked_at)):
        await world.go_on(question.after, question.asked_at)
        if core.embedding is not None:
            await core.embedding.catch_up()
        for scope, noted in answers.items():
            await asker.ask(question, scope, noted)
    await core.close()
    return world.counts


def _merge(into: Answers, one: Answers) -> None:
    for name, values in one.values.items():
        into.values[name] += values
    for category, by_name in one.by_category.items():
        for name, values in by_name.items():
            into.by_category[category][name] += values


def table(result: dict[str, Any]) -> str:
    """Return the report for people."""
    lines = [f"{result['format']}, kind {result['kind']}: {result['rows']}"]
    for scope, values in result["scopes"].items():
        lines.append(f"{scope}: {values['questions']} questions")
        lines += [
            f"  {name:<22} {value:8.3f}"
            for name, value in values.items()
            if isinstance(value, float)
        ]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.recall",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, required=True, help="LoCoMo's or RealMem's JSON file")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--kind", type=Kind, default=Kind.EPISODE, help="what rows are stored as")
    parser.add_argument(
        "--embeddings",
        nargs=2,
        default=(),
        metavar=("URL", "MODEL"),
        help="an OpenAI-compatible endpoint and a model on it; or '' and a model's directory",
    )
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="kith-recall-") as folder:
        result = asyncio.run(measure(options.data, Path(folder), options.kind, options.embeddings))
    print(json.dumps(result, indent=2) if options.json else table(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
