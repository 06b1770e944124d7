"""Lore: stories and running jokes that several members told in one conversation. Pure.

The model that closes an episode proposes them with a sentence of each teller. Checks here are hard:
each sentence is verbatim in a message of its teller, there are at least two tellers, nobody else of
the conversation is named, and no word comes from its other messages, whose erasure would not erase
the story.
Then a second call judges each story; without it none is kept.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from utils.common.text import clean, clip, one_line
from utils.llm import prompts
from utils.memory.policy.categories import Category
from utils.memory.safety.filter import refusal_reason
from utils.models.llm import ChatMessage, ToolDefinition, object_schema
from utils.models.memory import MEMORY_LIMIT, Event, Role
from utils.nlp.stemming import repeats_others, stems

MAX_STORIES = 2
MAX_TELLERS = 8
MIN_TELLERS = 2
MIN_QUOTE_WORDS = 2
TOLD_SHARE = 1 / 2
"""The share of a story's content words that its sentences must have."""
TEXT_LIMIT = 200
ANSWER_TOKENS = 100
_MENTION = re.compile(r"<@!?([0-9]+)>")
_TEXT = {"type": "string"}
LORE_SCHEMA: dict[str, Any] = {
    "type": ["array", "null"],
    "items": object_schema(
        text=_TEXT,
        told={"type": "array", "items": object_schema(person=_TEXT, quote=_TEXT)},
    ),
}
JUDGE = ToolDefinition(
    name="judge_lore",
    description="Say which of the stories may be kept.",
    parameters=object_schema(kept={"type": "array", "items": {"type": "integer"}}),
)


@dataclass(frozen=True, slots=True)
class LoreCandidate:
    """A story that the model proposes: in a few words, and the tellers' ids and sentences."""

    text: str
    told: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Story:
    """A story that passed the checks, with each teller's message and sentence."""

    text: str
    told: tuple[tuple[Event, str], ...]


def read_lore(items: object, subjects: Mapping[str, int]) -> tuple[LoreCandidate, ...]:
    """Return the stories of a model's answer; malformed ones are left out."""
    candidates = []
    for item in items[:MAX_STORIES] if isinstance(items, list) else ():
        story = item if isinstance(item, dict) else {}
        text, told = story.get("text"), story.get("told")
        if isinstance(text, str) and isinstance(told, list):
            quotes = tuple(_read_quotes(told[:MAX_TELLERS], subjects))
            candidates.append(
                LoreCandidate(clip(one_line(clean(text)), TEXT_LIMIT, at_word=True), quotes)
            )
    return tuple(candidates)


def check(
    candidate: LoreCandidate,
    turns: Sequence[Event],
    forbidden: frozenset[Category],
    summarised: Sequence[str] = (),
) -> Story | None:
    """Return a story with the messages that tell it; None if it may not be kept.

    ``summarised`` are the summaries of what was said before the turns.
    """
    told: dict[int, tuple[Event, str]] = {}
    for user_id, quote in candidate.told:
        event = _message_with(quote, user_id, turns)
        if event is None:
            return None
        told.setdefault(user_id, (event, clip(quote, MEMORY_LIMIT, at_word=True)))
    texts = [candidate.text, *(quote for _, quote in told.values())]
    if len(told) < MIN_TELLERS or any(refusal_reason(text, forbidden) for text in texts):
        return None
    tellers = set(told)
    mentioned = {int(user_id) for text in texts for user_id in _MENTION.findall(text)}
    others = {
        _normalised(turn.author_name)
        for turn in turns
        if turn.role is Role.MEMBER and turn.author_id not in tellers
    }
    said = [f" {_normalised(text)} " for text in texts]
    names_others = any(name and f" {name} " in text for name in others for text in said)
    if names_others or not mentioned <= tellers or not _is_told(candidate.text, texts[1:]):
        return None
    story = Story(candidate.text, tuple(told.values()))
    return None if _has_other_words(story, turns, summarised) else story


def build_messages(stories: Sequence[Story]) -> list[ChatMessage]:
    """Return the prompt that asks which stories may be kept."""
    lines = []
    for number, story in enumerate(stories, 1):
        lines.append(f"STORY {number}: {story.text}")
        lines += [f"{one_line(event.author_name)}: {quote}" for event, quote in story.told]
    instructions = prompts.load("lore_judged").text
    return [ChatMessage("system", instructions), ChatMessage("user", "\n".join(lines))]


def kept(arguments: Mapping[str, Any], stories: Sequence[Story]) -> list[Story]:
    """Return the stories that the model says may be kept."""
    numbers = arguments.get("kept")
    chosen = numbers if isinstance(numbers, list) else []
    return [story for number, story in enumerate(stories, 1) if number in chosen]


def _read_quotes(told: Sequence[object], subjects: Mapping[str, int]) -> list[tuple[int, str]]:
    quotes = []
    for item in told:
        entry = item if isinstance(item, dict) else {}
        user_id = subjects.get(str(entry.get("person")).strip().casefold())
        quote = entry.get("quote")
        if user_id and isinstance(quote, str):
            quotes.append((user_id, one_line(clean(quote))))
    return quotes


def _message_with(quote: str, user_id: int, turns: Sequence[Event]) -> Event | None:
    """Return the member's message that has these words, in this order."""
    words = _normalised(quote)
    if len(words.split()) < MIN_QUOTE_WORDS:
        return None
    for turn in turns:
        is_theirs = turn.role is Role.MEMBER and turn.author_id == user_id
        if is_theirs and f" {words} " in f" {_normalised(turn.text)} ":
            return turn
    return None


def _is_told(text: str, quotes: Sequence[str]) -> bool:
    words = set(stems(text))
    told = {stem for quote in quotes for stem in stems(quote)}
    return bool(words) and len(words & told) >= TOLD_SHARE * len(words)


def _has_other_words(story: Story, turns: Sequence[Event], summarised: Sequence[str]) -> bool:
    """Whether a story has words of the conversation that none of its own messages has."""
    own_texts = {event.id: event.text for event, _ in story.told}
    other_texts = (*(turn.text for turn in turns if turn.id not in own_texts), *summarised)
    return repeats_others(story.text, own_texts.values(), other_texts)


def _normalised(text: str) -> str:
    """Return a text without case, punctuation and runs of space."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join("".join(c if c.isalnum() else " " for c in folded).split())
