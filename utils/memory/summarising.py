"""Turns of a chapter -> its summary: what the model is asked, and what of its answer is kept. Pure.

A summary is data, told again weeks later: sentences that hold what is never kept, that read like
orders, or that have hardly a word of what was said, are left out. What a summary proposes to
remember is no more than a proposal, which goes the way of everything that is learnt.
"""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from utils import prompts
from utils.memory import extraction
from utils.memory.asking import sentences_of
from utils.memory.categories import Category
from utils.memory.safety import refusal_reason
from utils.memory.stems import stems
from utils.model.episode import LOOP_LIMIT, SUMMARY_LIMIT, Episode, LoopKind, Part, Summary
from utils.model.llm import ChatMessage, ToolDefinition
from utils.model.memory import Candidate, Event, Role
from utils.text import clean, clip, one_line

MOST_PARAGRAPHS = 2
MOST_EARLIER_CHARACTERS = 12_000
TURN_LIMIT = 600
MOST_ITEMS, ITEM_LIMIT = 8, 200
MOST_LOOPS = 5
SAID_SHARE = 1 / 3
"""Of a sentence's content words, at least so many must have been said; a rule of thumb: it stops
what was made up as a whole, and no more."""
SUMMARY_STEMS = 200
KITH = "KITH"
LISTS = ("decisions", "todos", "entities", "artifacts", "open_questions")
_LOOP_KINDS = (LoopKind.GOAL, LoopKind.PROMISE, LoopKind.QUESTION)


@dataclass(frozen=True, slots=True)
class Draft:
    """What is to be summarised: turns of a chapter, after the chunks of it that are written."""

    episode: Episode
    part: Part
    turns: tuple[Event, ...]
    chunks: tuple[Summary, ...]
    time_zone: str

    @property
    def people(self) -> dict[int, str]:
        """Short ids for the members who spoke: p1, p2 …, by first word."""
        found: dict[int, str] = {}
        for turn in self.turns:
            if turn.role is Role.MEMBER:
                found.setdefault(turn.author_id, f"p{len(found) + 1}")
        return found

    @property
    def first_id(self) -> int:
        """The first message that the summary covers."""
        return self.chunks[0].first_event_id if self.chunks else self.turns[0].id

    @property
    def last_id(self) -> int:
        """The last message that the summary covers."""
        return self.turns[-1].id if self.turns else self.chunks[-1].last_event_id

    @property
    def tool(self) -> ToolDefinition:
        """The tool that the model must call."""
        return SUMMARISE if self.part is Part.RUNNING else CLOSE

    @property
    def prompt(self) -> prompts.Prompt:
        """What the model is told to do."""
        return prompts.load("chapter_so_far" if self.part is Part.RUNNING else "chapter_closed")


@dataclass(frozen=True, slots=True)
class Loop:
    """Something a member may have left open; not yet believed."""

    user_id: int
    kind: LoopKind
    text: str
    quote: str


@dataclass(frozen=True, slots=True)
class Written:
    """What a model wrote of a chapter, as far as it is kept; ``text`` may be empty."""

    text: str
    structure: str = ""
    loops: tuple[Loop, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    refused: Counter[str] | None = None


def request(draft: Draft) -> list[ChatMessage]:
    """Return the prompt: fixed instructions, then everything as data."""
    zone = ZoneInfo(draft.time_zone)
    people = draft.people
    names = {turn.author_id: turn.author_name for turn in draft.turns}
    lines = ["WHO IS WHO"]
    lines += [f"{short} = {one_line(names[user_id])}" for user_id, short in people.items()]
    if draft.chunks:
        room = MOST_EARLIER_CHARACTERS // len(draft.chunks)
        earlier = (clip(one_line(one.text), room) for one in draft.chunks)
        lines += ["EARLIER", *filter(None, earlier)]
    lines.append("SAID")
    for turn in draft.turns:
        who = KITH if turn.role is Role.KITH else people[turn.author_id]
        words = clip(one_line(clean(turn.text)), TURN_LIMIT)
        lines.append(f"[{turn.created_at.astimezone(zone):%Y-%m-%d %H:%M}] {who}: {words}")
    lines.append("END OF WHAT WAS SAID")
    local = draft.episode.last_at.astimezone(zone)
    instructions = draft.prompt.fill(
        now=f"{local:%A, %d %B %Y, %H:%M}", time_zone=draft.time_zone, limit=str(SUMMARY_LIMIT)
    )
    return [ChatMessage("system", instructions), ChatMessage("user", "\n".join(lines))]


def read(arguments: Mapping[str, Any], draft: Draft, forbidden: frozenset[Category]) -> Written:
    """Return what is kept of the model's answer; nothing in it is believed for its own sake."""
    said = _said(draft)
    text = _kept(arguments.get("summary"), said, forbidden)
    if draft.part is Part.RUNNING or not text:
        return Written(text)
    subjects = {short: user_id for user_id, short in draft.people.items()}
    candidates, refused = extraction.read_candidates(arguments.get("memories"), subjects, {})
    return Written(
        text,
        json.dumps(_structure(arguments, forbidden), ensure_ascii=False),
        tuple(_loops(arguments.get("loops"), subjects)),
        candidates,
        refused,
    )


def summary_of(draft: Draft, written: Written, ends_at: datetime, model: str) -> Summary:
    """Return what is stored; ``ends_at`` is the first end of what it was made from."""
    place, chunks = draft.episode, draft.chunks
    times = [turn.created_at for turn in draft.turns]
    times += [at for one in chunks for at in (one.said_from, one.said_to)]
    return Summary(
        guild_id=place.guild_id,
        channel_id=place.channel_id,
        source_id=place.source_id,
        episode_id=place.id,
        part=draft.part,
        first_event_id=draft.first_id,
        last_event_id=draft.last_id,
        text=written.text,
        structure=written.structure,
        stems=" ".join(stems(f"{written.text}\n{_topic(written)}", limit=SUMMARY_STEMS)),
        said_from=min(times),
        said_to=max(times),
        expires_at=min([ends_at, *(one.expires_at for one in chunks)]),
        model=clip(model, 100),
        prompt_hash=draft.prompt.hash,
    )


# --- what is kept -------------------------------------------------------------------------------


def _said(draft: Draft) -> set[str]:
    """Return the stems of all that the summary is made from, names included."""
    texts = [f"{turn.author_name} {turn.text}" for turn in draft.turns]
    texts += [one.text for one in draft.chunks]
    return {stem for text in texts for stem in stems(text)}


def _kept(text: object, said: set[str], forbidden: frozenset[Category]) -> str:
    if not isinstance(text, str):
        return ""
    paragraphs = []
    for paragraph in filter(None, (one.strip() for one in clean(text).split("\n"))):
        sentences = [one_line(one) for one in sentences_of(paragraph)]
        fit = " ".join(one for one in sentences if _was_said(one, said) and _may(one, forbidden))
        if fit:
            paragraphs.append(fit)
    first, rest = paragraphs[: MOST_PARAGRAPHS - 1], paragraphs[MOST_PARAGRAPHS - 1 :]
    whole = clip("\n".join([*first, " ".join(rest)]).strip(), SUMMARY_LIMIT, at_word=True)
    return whole if _may(whole, forbidden) else ""


def _was_said(sentence: str, said: set[str]) -> bool:
    words = stems(sentence)
    return bool(words) and sum(word in said for word in words) >= SAID_SHARE * len(words)


def _may(text: str, forbidden: frozenset[Category]) -> bool:
    return refusal_reason(text, forbidden) is None


def _structure(arguments: Mapping[str, Any], forbidden: frozenset[Category]) -> dict[str, Any]:
    found: dict[str, Any] = {"topic": ""}
    topic = _item(arguments.get("topic"))
    if topic and _may(topic, forbidden):
        found["topic"] = topic
    for name in LISTS:
        given = arguments.get(name)
        items = [_item(one) for one in given] if isinstance(given, list) else []
        found[name] = [one for one in items if one and _may(one, forbidden)][:MOST_ITEMS]
    return found


def _item(value: object) -> str:
    return clip(one_line(clean(value)), ITEM_LIMIT, at_word=True) if isinstance(value, str) else ""


def _topic(written: Written) -> str:
    return str(json.loads(written.structure)["topic"]) if written.structure else ""


def _loops(items: object, subjects: Mapping[str, int]) -> list[Loop]:
    found = []
    for item in items[:MOST_LOOPS] if isinstance(items, list) else ():
        given = item if isinstance(item, dict) else {}
        user_id = subjects.get(str(given.get("person")).strip().casefold())
        kind, text, quote = given.get("kind"), given.get("text"), given.get("quote")
        if user_id and kind in _LOOP_KINDS and isinstance(text, str) and isinstance(quote, str):
            words = clip(one_line(clean(text)), LOOP_LIMIT, at_word=True)
            found.append(Loop(user_id, LoopKind(kind), words, one_line(quote)))
    return found


# --- tools --------------------------------------------------------------------------------------


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
SUMMARISE = ToolDefinition(
    name="summarise_chapter",
    description="Note what the conversation is about so far.",
    parameters=_object({"summary": _TEXT}),
)
CLOSE = ToolDefinition(
    name="close_chapter",
    description="Write down a conversation that is over, or a long stretch of one.",
    parameters=_object(
        {
            "summary": _TEXT,
            "topic": _TEXT,
            **dict.fromkeys(LISTS, _TEXTS),
            "loops": {
                "type": "array",
                "items": _object(
                    {
                        "person": _TEXT,
                        "kind": {"type": "string", "enum": [kind.value for kind in _LOOP_KINDS]},
                        "text": _TEXT,
                        "quote": _TEXT,
                    }
                ),
            },
            "memories": {"type": "array", "items": extraction.MEMORY_SCHEMA},
        }
    ),
)
