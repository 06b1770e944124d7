"""Build the prompt for an episode's summary, and filter the model's answer. Pure.

A summary is shown again weeks later. So sentences are left out that the safety filter refuses, that
read like instructions, or that share hardly a word with the turns. Its candidates are only
proposals and are checked like all others.
"""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from utils.common.text import clean, clip, one_line
from utils.llm import prompts
from utils.memory.episodes.lore import LORE_SCHEMA, LoreCandidate, read_lore
from utils.memory.extraction import llm_extractor
from utils.memory.policy.categories import Category
from utils.memory.safety.filter import refusal_reason
from utils.memory.verification.sentences import split
from utils.models.episode import (
    LOOP_LIMIT,
    SUMMARY_LIMIT,
    Episode,
    LoopKind,
    Summary,
    SummaryPart,
    topic_of,
)
from utils.models.extraction import Candidate
from utils.models.llm import ChatMessage, ToolDefinition, object_schema
from utils.models.memory import Event, Role
from utils.nlp.stemming import stems

MAX_PARAGRAPHS = 2
MAX_EARLIER_CHARACTERS = 12_000
TURN_LIMIT = 600
MAX_ITEMS, ITEM_LIMIT = 8, 200
MAX_LOOPS = 5
SAID_SHARE = 1 / 3
"""The share of a sentence's content words that the turns must contain. A rule of thumb: it only
stops sentences that are entirely made up."""
SUMMARY_STEMS = 200
KITH, NOTED = "KITH", "(noted)"
LISTS = ("decisions", "todos", "entities", "artifacts", "open_questions")
_LOOP_KINDS = (LoopKind.GOAL, LoopKind.PROMISE, LoopKind.QUESTION)


@dataclass(frozen=True, slots=True)
class SummaryJob:
    """What to summarise: an episode's turns, after the chunks that are summarised already.

    ``noted`` are the sentences from which notes were made already, each with its message's id.
    """

    episode: Episode
    part: SummaryPart
    turns: tuple[Event, ...]
    chunks: tuple[Summary, ...]
    time_zone: str
    noted: frozenset[tuple[int, str]] = frozenset()

    @property
    def people(self) -> dict[int, str]:
        """Short ids of the members who spoke: p1, p2 …, in the order they spoke."""
        short_ids: dict[int, str] = {}
        for turn in self.turns:
            if turn.role is Role.MEMBER:
                short_ids.setdefault(turn.author_id, f"p{len(short_ids) + 1}")
        return short_ids

    @property
    def last_id(self) -> int:
        """The id of the last message that the summary covers."""
        return self.turns[-1].id if self.turns else self.chunks[-1].last_event_id

    @property
    def tool(self) -> ToolDefinition:
        """The tool that the model must call."""
        return SUMMARISE if self.part is SummaryPart.RUNNING else CLOSE

    @property
    def prompt(self) -> prompts.Prompt:
        """The model's instructions."""
        return prompts.load(
            "chapter_so_far" if self.part is SummaryPart.RUNNING else "chapter_closed"
        )


@dataclass(frozen=True, slots=True)
class LoopCandidate:
    """An open loop that the model proposes; not verified yet."""

    user_id: int
    kind: LoopKind
    text: str
    quote: str


@dataclass(frozen=True, slots=True)
class SummaryResult:
    """A model's answer about an episode after filtering; ``text`` may be empty.

    ``model`` is the model that answered; "" if none did.
    """

    text: str
    structure: str = ""
    loops: tuple[LoopCandidate, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    lore: tuple[LoreCandidate, ...] = ()
    refused: Counter[str] | None = None
    model: str = ""


def build_messages(job: SummaryJob) -> list[ChatMessage]:
    """Return the prompt: instructions that never change, then all data."""
    zone = ZoneInfo(job.time_zone)
    people = job.people
    names = {turn.author_id: turn.author_name for turn in job.turns}
    local = job.episode.last_at.astimezone(zone)
    lines = [
        f"NOW {local:%A, %Y-%m-%d %H:%M} ({job.time_zone})",
        "WHO IS WHO",
        *(f"{short} = {one_line(names[user_id])}" for user_id, short in people.items()),
    ]
    if job.chunks:
        limit = MAX_EARLIER_CHARACTERS // len(job.chunks)
        earlier = (clip(one_line(chunk.text), limit) for chunk in job.chunks)
        lines += ["EARLIER", *filter(None, earlier)]
    lines.append("SAID")
    noted_ids = {message_id for message_id, _ in job.noted}
    for turn in job.turns:
        who = KITH if turn.role is Role.KITH else people[turn.author_id]
        who = f"{who} {NOTED}" if turn.message_id in noted_ids else who
        words = clip(one_line(clean(turn.text)), TURN_LIMIT)
        lines.append(f"[{turn.created_at.astimezone(zone):%Y-%m-%d %H:%M}] {who}: {words}")
    lines.append("END OF WHAT WAS SAID")
    instructions = job.prompt.fill(limit=str(SUMMARY_LIMIT))
    return [ChatMessage("system", instructions), ChatMessage("user", "\n".join(lines))]


def parse(
    arguments: Mapping[str, Any], job: SummaryJob, forbidden: frozenset[Category]
) -> SummaryResult:
    """Return the model's answer after filtering."""
    texts = [
        *(f"{turn.author_name} {turn.text}" for turn in job.turns),
        *(chunk.text for chunk in job.chunks),
    ]
    turn_stems = {stem for text in texts for stem in stems(text)}
    text = _filtered(arguments.get("summary"), turn_stems, forbidden)
    if job.part is SummaryPart.RUNNING:
        return SummaryResult(text)
    subjects = {short: user_id for user_id, short in job.people.items()}
    candidates, refused = llm_extractor.read_candidates(
        arguments.get("memories"),
        lambda item: subjects.get(" ".join(llm_extractor.short_ids_in(item["person"], "p")), 0),
        {},
        {},
    )
    return SummaryResult(
        text,
        json.dumps(_structure(arguments, forbidden), ensure_ascii=False) if text else "",
        tuple(_loops(arguments.get("loops"), subjects)),
        candidates,
        read_lore(arguments.get("lore"), subjects),
        refused,
    )


def summary_of(job: SummaryJob, result: SummaryResult, ends_at: datetime, model: str) -> Summary:
    """Return the summary to store; ``ends_at`` is the earliest end of the messages it covers."""
    episode, chunks = job.episode, job.chunks
    times = [
        *(turn.created_at for turn in job.turns),
        *(time for chunk in chunks for time in (chunk.said_from, chunk.said_to)),
    ]
    return Summary(
        guild_id=episode.guild_id,
        channel_id=episode.channel_id,
        source_id=episode.source_id,
        episode_id=episode.id,
        part=job.part,
        first_event_id=chunks[0].first_event_id if chunks else job.turns[0].id,
        last_event_id=job.last_id,
        text=result.text,
        structure=result.structure,
        stems=" ".join(stems(f"{result.text}\n{topic_of(result.structure)}", limit=SUMMARY_STEMS)),
        said_from=min(times),
        said_to=max(times),
        expires_at=min([ends_at, *(chunk.expires_at for chunk in chunks)]),
        model=clip(model, 100),
        prompt_hash=job.prompt.hash,
    )


def _filtered(text: object, turn_stems: set[str], forbidden: frozenset[Category]) -> str:
    if not isinstance(text, str):
        return ""
    paragraphs = []
    for paragraph in filter(None, (line.strip() for line in clean(text).split("\n"))):
        accepted = " ".join(
            sentence
            for sentence in split(paragraph)
            if _is_grounded(sentence, turn_stems) and _is_safe(sentence, forbidden)
        )
        if accepted:
            paragraphs.append(accepted)
    first, last = paragraphs[: MAX_PARAGRAPHS - 1], paragraphs[MAX_PARAGRAPHS - 1 :]
    summary = clip("\n".join([*first, " ".join(last)]).strip(), SUMMARY_LIMIT, at_word=True)
    return summary if _is_safe(summary, forbidden) else ""


def _is_grounded(sentence: str, turn_stems: set[str]) -> bool:
    words = stems(sentence)
    return bool(words) and sum(word in turn_stems for word in words) >= SAID_SHARE * len(words)


def _is_safe(text: str, forbidden: frozenset[Category]) -> bool:
    return refusal_reason(text, forbidden) is None


def _structure(arguments: Mapping[str, Any], forbidden: frozenset[Category]) -> dict[str, Any]:
    structure: dict[str, Any] = {"topic": ""}
    topic = _item(arguments.get("topic"))
    if topic and _is_safe(topic, forbidden):
        structure["topic"] = topic
    for name in LISTS:
        values = arguments.get(name)
        items = dict.fromkeys(map(_item, values)) if isinstance(values, list) else {}
        structure[name] = [item for item in items if item and _is_safe(item, forbidden)][:MAX_ITEMS]
    return structure


def _item(value: object) -> str:
    return clip(one_line(clean(value)), ITEM_LIMIT, at_word=True) if isinstance(value, str) else ""


def _loops(items: object, subjects: Mapping[str, int]) -> list[LoopCandidate]:
    loops = []
    for item in items if isinstance(items, list) else ():
        loop = item if isinstance(item, dict) else {}
        user_id = subjects.get(" ".join(llm_extractor.short_ids_in(loop.get("person"), "p")))
        kind = str(loop.get("kind")).strip().casefold()
        text, quote = loop.get("text"), loop.get("quote")
        if user_id and kind in _LOOP_KINDS and isinstance(text, str) and isinstance(quote, str):
            words = clip(one_line(clean(text)), LOOP_LIMIT, at_word=True)
            loops.append(LoopCandidate(user_id, LoopKind(kind), words, one_line(quote)))
    return list(dict.fromkeys(loops))[:MAX_LOOPS]


# --- tools --------------------------------------------------------------------------------------


_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
SUMMARISE = ToolDefinition(
    name="summarise_chapter",
    description="Note what the conversation is about so far.",
    parameters=object_schema(summary=_TEXT),
)
CLOSE = ToolDefinition(
    name="close_chapter",
    description="Write down a conversation that is over, or a long stretch of one.",
    parameters=object_schema(
        summary=_TEXT,
        topic=_TEXT,
        **dict.fromkeys(LISTS, _TEXTS),
        loops={
            "type": "array",
            "items": object_schema(
                person=_TEXT,
                kind={"type": "string", "enum": [kind.value for kind in _LOOP_KINDS]},
                text=_TEXT,
                quote=_TEXT,
            ),
        },
        lore=LORE_SCHEMA,
        memories={
            "type": "array",
            "items": llm_extractor.memory_schema(is_of_burst=False, person=_TEXT),
        },
    ),
)
