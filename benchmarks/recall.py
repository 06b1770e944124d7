"""Measures evidence recall: how much recall finds in conversations with known answers.

    python -m benchmarks.recall --data FILE [--json] [--embeddings local] [--block-tokens 400]

FILE is in the format of LoCoMo, RealMem or LongMemEval. Everything uses the program's own code:
messages are recorded, and memories imported as trusted evidence (method import) with the time of
their message. Members have lasting consent; retention exceeds the data, the cap is 1,000, and there
are no rate limits and no safety categories. Then ``Reader.recall`` gets each question as in chat,
about the people it names, from another channel of the server: a day after the last session
(LoCoMo), or in its own session with as many memories as the file says (RealMem). Sessions stay in
order: one with an earlier day is moved to after the session before. RealMem does not say who wrote
a source: all are recorded as the member's. LongMemEval has a person's own messages and no facts:
those of its figures count that are about messages, blocks and search.

Evidence is a turn (LoCoMo) or a memory (RealMem). ``facts_at_10`` and ``messages_at_10`` are the
share of a question's evidence among the first 10 facts and messages, as means over questions. A
fact stands for the turn it comes from, a message for itself (RealMem: for every memory drawn from
it). Evidence without a memory, or whose row was refused, counts as missed; ``facts_ceiling`` is the
best possible figure. ``in_block``: a fact or a message counts only if the block contains its text,
or a part of the text if the message is cut. ``answer_words`` is the share of the content words of
the expected answer that are in the block, as stems; answers that the question itself contains are
left out. ``memory_words`` is the same for the text of each expected memory (RealMem has no
answers): unlike evidence, it does not take a message for all that its memories say.
``search_at_10`` is the evidence on the first page of ``/memory search`` when the people whom a
question names search for it. ``tokens`` is the size of the block.
"""

import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import islice, zip_longest
from pathlib import Path
from statistics import fmean, median
from typing import Annotated, Any

from benchmarks.datasets import load
from benchmarks.datasets.dialogues import Dialogue, DialogueQuestion
from benchmarks.stage.dialogue_replay import ASK_CHANNEL, MovedClock, World
from benchmarks.stage.expected_words import memory_words, words_in
from benchmarks.stage.import_memories import MemoryImporter
from benchmarks.stage.program import program
from utils.build import build
from utils.common.config import load_settings
from utils.common.errors import BadInput
from utils.common.text import clip, estimate_tokens
from utils.memory.member_data.search import MAX_SEARCH_LENGTH
from utils.memory.policy import write_policy
from utils.memory.policy.write_policy import WriteRules
from utils.models.guild import GuildSettings
from utils.models.memory import Consent, Memory
from utils.models.policy import WritePolicy
from utils.models.recall import Person, Recall

CAP = 1_000
RULES = WriteRules(WritePolicy(cap=CAP), forbidden=frozenset(), read_only=False)
NO_BUDGET = 10**12
DEPTH = 10


async def ask(world: World, question: DialogueQuestion) -> dict[str, float | None]:
    """Ask a question, and return its figures."""
    people = [
        Person(world.member(speaker).user_id, world.conversation.people[speaker])
        for speaker in question.about
    ]
    settings = GuildSettings(world.guild_id, consent_default=Consent.LASTING)
    started_at = time.perf_counter()
    recall = await world.app.memory.reader.recall(
        world.audience(ASK_CHANNEL), people, question.text, settings=settings
    )
    took_ms = (time.perf_counter() - started_at) * 1000
    matches = recall.matches_by_user.values()
    rows = _first(ranking for match in matches for ranking in match.rows)
    quotes = _first(ranking for match in matches for ranking in match.messages)
    evidence = {
        "facts_at_10": (world.evidence_of_row.get(row.id, ()) for row in rows),
        "messages_at_10": (world.evidence_of_message.get(quote.message_id, ()) for quote in quotes),
        "facts_ceiling": world.evidence_of_row.values(),
        "in_block": _in_block(world, recall),
        "search_at_10": await _on_first_page(world, question),
    }
    return {
        name: len(question.gold & set().union(*parts)) / len(question.gold)
        for name, parts in evidence.items()
    } | {
        "memory_words": memory_words(question, world.conversation.facts, recall.block),
        "answer_words": words_in(question.answer, question, recall.block),
        "tokens": estimate_tokens(recall.block) if recall.block else 0,
        "ms": took_ms,
    }


def _first(ranked: Iterable[Any]) -> list[Any]:
    best = sorted(ranked, key=lambda ranking: ranking.score, reverse=True)
    return [ranking.row for ranking in best[:DEPTH]]


async def _on_first_page(world: World, question: DialogueQuestion) -> list[set[str]]:
    """Return the evidence on the first page of ``/memory search``, for each item."""
    pages = []
    for speaker in question.about:
        with suppress(BadInput):  # no word to search for, or too many
            result = await world.app.memory.ranked_search.of_member(
                world.member(speaker),
                clip(question.text, MAX_SEARCH_LENGTH),
                name=world.conversation.people[speaker],
            )
            pages.append((*result.rows, *result.messages, *result.others))
    in_turn = (item for items in zip_longest(*pages) for item in items if item is not None)
    return [
        world.evidence_of_row.get(item.id, set())
        if isinstance(item, Memory)
        else world.evidence_of_message.get(item.message_id, set())
        for item in islice(in_turn, DEPTH)
    ]


def _in_block(world: World, recall: Recall) -> list[set[str]]:
    """Return the evidence of each text that is in the block, including the profile's rows."""
    block = recall.block.casefold()
    return [
        world.evidence_of_row[row_id]
        for row_id, text in world.row_text.items()
        if text.casefold().rstrip(".") in block
    ] + [
        world.evidence_of_message[quote.message_id]
        for quote in recall.quotes
        if quote.text.replace('"', "'").casefold() in block
    ]


async def measure(
    folder: Path,
    data: Annotated[Path, "the JSON file of LoCoMo, RealMem or LongMemEval"],
    embeddings: Annotated[
        tuple[str, ...], "`local` or a model's directory; or a model and the endpoint that has it"
    ] = (),
    block_tokens: Annotated[int, "BLOCK_TOKENS"] = 400,
) -> dict[str, Any]:
    """Replay every conversation of a file, ask its questions, and report the means."""
    form, conversations = load(data)
    values: dict[str, list[float]] = defaultdict(list)
    counts: Counter[str] = Counter()
    model, address = [*embeddings, None, None][:2]
    settings = {
        "block_tokens": block_tokens,
        "embedding_base_url": address,
        "embedding_model": model,
    }
    for number, conversation in enumerate(conversations, 1):
        counts += await _replay(conversation, folder / f"recall-{number}.db", settings, values)
        print(f"{conversation.name}: done", file=sys.stderr, flush=True)
    times_ms = values.pop("ms", [0.0])
    return {
        "format": form,
        "rows": dict(counts),
        "questions": len(values["in_block"]),
        **{name: round(fmean(numbers), 4) for name, numbers in values.items() if numbers},
        "p50_ms": round(median(times_ms), 2),
    }


async def _replay(
    conversation: Dialogue, file: Path, chosen: dict[str, Any], values: dict[str, list[float]]
) -> Counter[str]:
    """Replay one conversation into its own file, and add the figures of each of its questions.

    Returns how many facts were imported, and why the others were not.
    """
    messages = conversation.messages
    begins = min((message.said_at for message in messages), default=datetime.now().astimezone())
    ends = max((question.asked_at for question in conversation.questions), default=begins)
    days = (ends - begins).days + 365
    write_policy.EVENT_DAYS[Consent.LASTING] = max(days, write_policy.EVENT_DAYS[Consent.LASTING])
    clock = MovedClock(begins - timedelta(days=1))
    settings = load_settings(
        env_file=None,
        database_url=f"sqlite:///{file}",
        memory_cap=CAP,
        forbidden_categories="none",
        daily_token_budget=NO_BUDGET,
        **chosen,
    )
    app = build(settings, clock)
    await app.database.open()  # not start(): nothing may be extracted here
    world = World(app, clock, MemoryImporter(app.database, clock, RULES), conversation)
    for speaker in range(len(conversation.people)):
        await app.memory.editor.set_consent(world.member(speaker), Consent.LASTING)
    for question in sorted(conversation.questions, key=lambda asked: (asked.after, asked.asked_at)):
        await world.replay_until(question.after, question.asked_at)
        if app.memory.embedding is not None:
            await app.memory.embedding.catch_up()
        for name, value in (await ask(world, question)).items():
            if value is not None:
                values[name].append(value)
    await app.close()
    return world.counts


main = program("recall", __doc__, measure)


if __name__ == "__main__":
    sys.exit(main())
