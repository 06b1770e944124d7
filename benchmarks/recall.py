"""Measures evidence recall: how much recall finds in conversations with known answers.

    python -m benchmarks.recall --data FILE [--json]

FILE is in the format of LoCoMo, RealMem or LongMemEval. Everything uses the program's own code:
messages are recorded, and memories imported as trusted evidence (method import) with the time of
their message. Members have lasting consent; retention exceeds the data, the cap is 1,000, and there
are no rate limits and no safety categories. Then ``Reader.recall`` gets each question as in chat,
from another channel of the server: a day after the last session (LoCoMo), or in its own session
with as many memories as the file says (RealMem). Sessions stay in order: one with an earlier day is
moved to after the session before. RealMem does not say who wrote a source: all are recorded as the
member's. LongMemEval has a person's own messages and no facts: those of its figures count that are
about messages, blocks and search.

Evidence is a turn (LoCoMo) or a memory (RealMem). A question's *evidence recall at k* is the share
of its evidence among the first k facts, messages, or (``both``) k entries taken alternately from
the two lists. The report has the mean over questions of categories 1 to 4. A fact stands for the
turn it comes from, a message for itself (RealMem: for every memory drawn from it). Evidence without
a memory, or whose row was refused, counts as missed; ``ceiling`` is the best possible figure. MRR
is the mean of 1 / rank of the first evidence. *In a block*, a fact or a message counts only if the
block contains its text, or a part of the text if the message is cut. ``answer_words`` is the share
of the content words of the expected answer that are in the block, as stems; answers that the
question itself contains are left out. ``memory_words`` is the same for the text of each expected
memory (RealMem has no answers): unlike evidence, it does not take a message for all that its
memories say. ``search_at_10`` is the evidence on the first page of ``/memory search`` when the
people whom a question names search for it.

Scope ``member`` asks about the people that a question names, ``group`` about all members. Category
5 asks what another person said: ``wrong_person`` is the share of the first 10 facts that are about
none of the people it names.
"""

import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice, zip_longest
from pathlib import Path
from statistics import fmean, quantiles
from typing import Annotated, Any

from benchmarks.datasets import LOCOMO, load
from benchmarks.datasets.dialogues import Dialogue, DialogueQuestion
from benchmarks.stage.dialogue_replay import ASK_CHANNEL, MovedClock, World
from benchmarks.stage.expected_words import memory_words, words_in
from benchmarks.stage.import_memories import MemoryImporter
from benchmarks.stage.program import program
from utils.app import App
from utils.build import build
from utils.common.config import load_settings
from utils.common.errors import BadInput
from utils.common.text import clip, estimate_tokens
from utils.llm.token_calibration import TokenCalibration
from utils.memory.member_data.search import MAX_SEARCH_LENGTH
from utils.memory.policy import write_policy
from utils.memory.policy.recall_policy import RecallPolicy
from utils.memory.policy.write_policy import WriteRules
from utils.memory.recall.active_policy import PolicyCache
from utils.memory.recall.reader import Reader
from utils.models.guild import GuildSettings
from utils.models.memory import Consent, Memory
from utils.models.policy import WritePolicy
from utils.models.recall import Person, Recall

CAP = 1_000
RULES = WriteRules(WritePolicy(cap=CAP), forbidden=frozenset(), read_only=False)
NO_BUDGET = 10**12
DEPTHS = (5, 10, 25)
BLOCKS = (200, 400, 600)
MAIN_BLOCK = 400
SCOPES = ("member", "group")


@dataclass(slots=True)
class ScopeResults:
    """The measurements of one scope: a list of values for each name."""

    values: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    by_category: dict[int, dict[str, list[float]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(list))
    )

    def note(self, question: DialogueQuestion, name: str, value: float) -> None:
        """Record one value of one question."""
        self.values[name].append(value)
        self.by_category[question.category][name].append(value)

    def summary(self) -> dict[str, Any]:
        """Return the printed means, and the percentiles of the times."""
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
    return {name: round(fmean(numbers), 4) for name, numbers in values.items() if numbers}


class QuestionRunner:
    """Asks the questions of a conversation, with blocks of each size."""

    def __init__(self, world: World) -> None:
        self._world = world
        app = world.app
        self._readers = {
            tokens: app.memory.reader
            if tokens == MAIN_BLOCK
            else self._reader(app, RecallPolicy(block_tokens=tokens))
            for tokens in BLOCKS
        }

    @staticmethod
    def _reader(app: App, policy: RecallPolicy) -> Reader:
        similar = app.memory.embedding.index if app.memory.embedding else None
        reader = Reader(app.database, app.clock, RULES, TokenCalibration(), similar)
        reader.policies = PolicyCache(policy)
        return reader

    async def ask(self, question: DialogueQuestion, scope: str, answers: ScopeResults) -> None:
        """Ask a question in a scope, and record what recall returns."""
        everybody = range(len(self._world.conversation.people))
        about = question.about if scope == "member" else tuple(everybody)
        facts = self._world.conversation.facts
        for tokens, reader in self._readers.items():
            started_at = time.perf_counter()
            recall = await self._recall(reader, question, about)
            took_ms = (time.perf_counter() - started_at) * 1000
            if question.category != 5:
                evidence = self._in_block(recall)
                answers.note(question, f"in_block_{tokens}", _share(evidence, question.gold))
                used = estimate_tokens(recall.block) if recall.block else 0
                answers.note(question, f"tokens_{tokens}", used)
                if (share := memory_words(question, facts, recall.block)) is not None:
                    answers.note(question, f"memory_words_{tokens}", share)
                if (share := words_in(question.answer, question, recall.block)) is not None:
                    answers.note(question, f"answer_words_{tokens}", share)
            if tokens == MAIN_BLOCK:
                answers.values["ms"].append(took_ms)
                self._note_ranks(question, recall, answers)
        if question.category != 5 and scope == "member":
            await self._note_search(question, about, answers)

    async def _recall(
        self, reader: Reader, question: DialogueQuestion, about: Sequence[int]
    ) -> Recall:
        world = self._world
        members = [world.member(speaker) for speaker in about]
        people = [
            Person(member.user_id, world.conversation.people[speaker])
            for member, speaker in zip(members, about, strict=True)
        ]
        return await reader.recall(
            world.audience(ASK_CHANNEL),
            people,
            question.text,
            settings=GuildSettings(world.guild_id, consent_default=Consent.LASTING),
        )

    def _note_ranks(
        self, question: DialogueQuestion, recall: Recall, answers: ScopeResults
    ) -> None:
        world = self._world
        fitting = recall.matches_by_user.values()
        rows = _by_score(ranking for fit in fitting for ranking in fit.rows)
        quotes = _by_score(ranking for fit in fitting for ranking in fit.messages)
        if question.category == 5:
            subject_ids = {world.member(speaker).user_id for speaker in question.about}
            owner = {
                ranking.row.id: user_id
                for user_id, fit in recall.matches_by_user.items()
                for ranking in fit.rows
            }
            wrong = [owner[row.id] not in subject_ids for row in rows[:10]]
            answers.note(question, "wrong_person", fmean(wrong) if wrong else 0.0)
            return
        facts = [world.evidence_of_row.get(row.id, set()) for row in rows]
        messages = [world.evidence_of_message.get(quote.message_id, set()) for quote in quotes]
        both = [
            evidence
            for pair in zip_longest(facts, messages)
            for evidence in pair
            if evidence is not None
        ]
        for name, ranks in (("facts", facts), ("messages", messages), ("both", both)):
            for depth in DEPTHS:
                evidence = set().union(*ranks[:depth])
                answers.note(question, f"{name}_at_{depth}", _share(evidence, question.gold))
            first = next(
                (i for i, evidence in enumerate(ranks, 1) if evidence & question.gold), None
            )
            answers.note(question, f"{name}_mrr", 1 / first if first else 0.0)
        imported = set().union(*world.evidence_of_row.values())
        answers.note(question, "facts_ceiling", _share(imported, question.gold))

    async def _note_search(
        self, question: DialogueQuestion, about: Sequence[int], answers: ScopeResults
    ) -> None:
        """Record the evidence on the first page of ``/memory search``, asked by these people."""
        world, pages, evidence = self._world, [], set[str]()
        words = clip(question.text, MAX_SEARCH_LENGTH)
        for speaker in about:
            name = world.conversation.people[speaker]
            with suppress(BadInput):  # no word to search for, or too many
                result = await world.app.memory.ranked_search.of_member(
                    world.member(speaker), words, name=name
                )
                pages.append((*result.rows, *result.messages, *result.others))
        in_turn = (item for items in zip_longest(*pages) for item in items if item is not None)
        for item in islice(in_turn, 10):
            if isinstance(item, Memory):
                evidence |= world.evidence_of_row.get(item.id, set())
            else:
                evidence |= world.evidence_of_message.get(item.message_id, set())
        answers.note(question, "search_at_10", _share(evidence, question.gold))

    def _in_block(self, recall: Recall) -> set[str]:
        """Return the evidence whose text is in the block, including the profile's rows."""
        world, evidence = self._world, set[str]()
        block = recall.block.casefold()
        for row_id, text in world.row_text.items():
            if text.casefold().rstrip(".") in block:
                evidence |= world.evidence_of_row[row_id]
        for quote in recall.quotes:
            if quote.text.replace('"', "'").casefold() in block:
                evidence |= world.evidence_of_message[quote.message_id]
        return evidence


def _by_score(ranked: Iterable[Any]) -> list[Any]:
    return [
        ranking.row for ranking in sorted(ranked, key=lambda ranking: ranking.score, reverse=True)
    ]


def _share(evidence: set[str], gold: frozenset[str]) -> float:
    return len(evidence & gold) / len(gold)


async def measure(
    folder: Path,
    data: Annotated[Path, "the JSON file of LoCoMo, RealMem or LongMemEval"],
    embeddings: Annotated[
        tuple[str, ...], "`local` or a model's directory; or a model and the endpoint that has it"
    ] = (),
) -> dict[str, Any]:
    """Replay every conversation of a file, ask its questions, and report."""
    form, conversations = load(data)
    answers = {scope: ScopeResults() for scope in SCOPES if scope == "member" or form == LOCOMO}
    counts: Counter[str] = Counter()
    by_conversation = {}
    for number, conversation in enumerate(conversations, 1):
        conversation_answers = {scope: ScopeResults() for scope in answers}
        counts += await _replay(conversation, number, folder, embeddings, conversation_answers)
        by_conversation[conversation.name] = _means(conversation_answers["member"].values)
        for scope, scope_answers in conversation_answers.items():
            into = answers[scope]
            for name, values in scope_answers.values.items():
                into.values[name] += values
            for category, by_name in scope_answers.by_category.items():
                for name, values in by_name.items():
                    into.by_category[category][name] += values
        print(f"{conversation.name}: done", file=sys.stderr, flush=True)
    return {
        "benchmark": "recall",
        "format": form,
        "rows": dict(counts),
        "scopes": {scope: scope_answers.summary() for scope, scope_answers in answers.items()},
        "member_by_conversation": by_conversation,
    }


async def _replay(
    conversation: Dialogue,
    number: int,
    folder: Path,
    embeddings: Sequence[str],
    answers: dict[str, ScopeResults],
) -> Counter[str]:
    """Replay one conversation into its own file and ask each question at its time."""
    messages = conversation.messages
    begins = min((message.said_at for message in messages), default=datetime.now().astimezone())
    ends = max((question.asked_at for question in conversation.questions), default=begins)
    days = (ends - begins).days + 365
    write_policy.EVENT_DAYS[Consent.LASTING] = max(days, write_policy.EVENT_DAYS[Consent.LASTING])
    clock = MovedClock(begins - timedelta(days=1))
    url = f"sqlite:///{folder / f'recall-{number}.db'}"
    model, address = [*embeddings, None, None][:2]
    settings = load_settings(
        env_file=None,
        database_url=url,
        memory_cap=CAP,
        forbidden_categories="none",
        daily_token_budget=NO_BUDGET,
        embedding_base_url=address,
        embedding_model=model,
    )
    app = build(settings, clock)
    await app.database.open()  # not start(): nothing may be extracted here
    importer = MemoryImporter(app.database, clock, RULES)
    world = World(app, clock, importer, number, conversation)
    for speaker in range(len(conversation.people)):
        await app.memory.editor.set_consent(world.member(speaker), Consent.LASTING)
    runner = QuestionRunner(world)
    for question in sorted(conversation.questions, key=lambda asked: (asked.after, asked.asked_at)):
        await world.replay_until(question.after, question.asked_at)
        if app.memory.embedding is not None:
            await app.memory.embedding.catch_up()
        for scope, noted in answers.items():
            await runner.ask(question, scope, noted)
    await app.close()
    return world.counts


def table(result: dict[str, Any]) -> str:
    """Return the report as text."""
    lines = [f"{result['format']}: {result['rows']}"]
    for scope, values in result["scopes"].items():
        lines.append(f"{scope}: {values['questions']} questions")
        lines += [
            f"  {name:<22} {value:8.3f}"
            for name, value in values.items()
            if isinstance(value, float)
        ]
    return "\n".join(lines)


main = program("recall", __doc__, measure, text=table)


if __name__ == "__main__":
    sys.exit(main())
