"""Lore: stories and running jokes that several members told in one conversation.

The model that closes an episode proposes them with a sentence of each teller. Checks here are hard:
each sentence is verbatim in a message of its teller, there are at least two tellers, nobody else of
the conversation is named, and no word comes from its other messages, whose erasure would not erase
the story.
Then a second call judges each story; without it none is kept. The server's memories have those that
are.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from utils.common.text import clean, clip, one_line
from utils.database.core.engine import Connection
from utils.database.erasure import lore as stored_lore
from utils.database.guilds import settings
from utils.database.memories import members, memories, write_policies
from utils.database.messages import events, summaries
from utils.llm import prompts
from utils.memory.policy import write_policy as policy
from utils.memory.policy.categories import Category
from utils.memory.privacy import consent_gate
from utils.memory.safety.filter import refusal_reason
from utils.memory.verification.sentences import normalised
from utils.models.llm import ChatMessage, ToolDefinition, object_schema
from utils.models.memory import (
    MEMORY_LIMIT,
    SERVER_USER_ID,
    Consent,
    Event,
    Evidence,
    Importance,
    Kind,
    Member,
    Method,
    Role,
    Source,
    Status,
    VerifiedBy,
)
from utils.models.plan import NewMemory, Plan
from utils.models.policy import WritePolicy
from utils.nlp.stemming import repeats_others, stems

MAX_STORIES = 2
MAX_TELLERS = 8
MIN_TELLERS = 2
MIN_QUOTE_WORDS = 2
TOLD_SHARE = 1 / 2
"""The share of a story's content words that its sentences must have."""
TEXT_LIMIT = 200
ANSWER_TOKENS = 100
CONFIDENCE = 0.9
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
        text, quotes_by_teller = story.get("text"), story.get("told")
        if isinstance(text, str) and isinstance(quotes_by_teller, list):
            quotes = tuple(_read_quotes(quotes_by_teller[:MAX_TELLERS], subjects))
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
    quotes_by_teller: dict[int, tuple[Event, str]] = {}
    for user_id, quote in candidate.told:
        event = _message_with(quote, user_id, turns)
        if event is None:
            return None
        quotes_by_teller.setdefault(user_id, (event, clip(quote, MEMORY_LIMIT, at_word=True)))
    texts = [candidate.text, *(quote for _, quote in quotes_by_teller.values())]
    if len(quotes_by_teller) < MIN_TELLERS or any(
        refusal_reason(text, forbidden) for text in texts
    ):
        return None
    tellers = set(quotes_by_teller)
    mentioned = {int(user_id) for text in texts for user_id in _MENTION.findall(text)}
    other_names = {
        normalised(turn.author_name)
        for turn in turns
        if turn.role is Role.MEMBER and turn.author_id not in tellers
    }
    normalised_texts = [f" {normalised(text)} " for text in texts]
    names_others = any(
        name and f" {name} " in text for name in other_names for text in normalised_texts
    )
    words = set(stems(candidate.text))
    told = words.intersection(stem for quote in texts[1:] for stem in stems(quote))
    is_told = bool(words) and len(told) >= TOLD_SHARE * len(words)
    if names_others or not mentioned <= tellers or not is_told:
        return None
    # It may have no words of the conversation that none of its own messages has.
    own_texts = {event.id: event.text for event, _ in quotes_by_teller.values()}
    other_texts = (*(turn.text for turn in turns if turn.id not in own_texts), *summarised)
    if repeats_others(candidate.text, own_texts.values(), other_texts):
        return None
    return Story(candidate.text, tuple(quotes_by_teller.values()))


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
    chosen = {str(n).strip(" []#:.") for n in numbers} if isinstance(numbers, list) else set()
    return [story for number, story in enumerate(stories, 1) if str(number) in chosen]


def _read_quotes(told: Sequence[object], subjects: Mapping[str, int]) -> list[tuple[int, str]]:
    quotes = []
    for item in told:
        entry = item if isinstance(item, dict) else {}
        user_id = subjects.get(str(entry.get("person")).casefold().strip(" <[(#)]>:."))
        quote = entry.get("quote")
        if user_id and isinstance(quote, str):
            quotes.append((user_id, one_line(clean(quote))))
    return quotes


def _message_with(quote: str, user_id: int, turns: Sequence[Event]) -> Event | None:
    """Return the member's message that has these words, in this order."""
    words = normalised(quote)
    if len(words.split()) < MIN_QUOTE_WORDS:
        return None
    for turn in turns:
        is_theirs = turn.role is Role.MEMBER and turn.author_id == user_id
        if is_theirs and f" {words} " in f" {normalised(turn.text)} ":
            return turn
    return None


def store_story(
    connection: Connection,
    guild_id: int,
    story: Story,
    *,
    write_policy: WritePolicy,
    model: str,
    prompt_hash: str,
    verifier_model: str,
    verifier_hash: str,
    now: datetime,
) -> int | None:
    """Store a story; returns its id if it waits for approval, None otherwise.

    It is not stored if moderators or a teller do not allow it, if one of its messages was edited,
    erased or marked as confidential since, or if it is known already. It expires with the first of
    its messages.
    """
    teller_ids = sorted(event.author_id for event, _ in story.told)
    members.lock_existing(connection, guild_id, teller_ids)
    event_ids = [event.id for event, _ in story.told]
    server = Member(guild_id, SERVER_USER_ID)
    members.lock(connection, server)
    current = settings.load(connection, guild_id)
    message_ids = [event.message_id for event, _ in story.told]
    is_known = bool(stored_lore.of_messages(connection, guild_id, message_ids)) or any(
        set(stems(row.text)) == set(stems(story.text))
        for row in memories.load_current(connection, server, now)
    )
    existing = consent_gate.told_openly(events.load_existing(connection, event_ids))
    stored = [(event.id, event.text) for event in existing]
    is_changed = stored != sorted((event.id, event.text) for event, _ in story.told)
    if current.frozen or not current.lore or is_known or is_changed:
        return None
    tellers = (Member(guild_id, user_id) for user_id in teller_ids)
    if any(members.effective_consent(connection, teller) is Consent.OFF for teller in tellers):
        return None
    rules = policy.in_force(write_policies.load(connection, guild_id), write_policy)
    status = policy.status_for(Kind.LORE, CONFIDENCE, 1, rules)
    ends_at = _end(connection, event_ids, story, rules)
    if status is None or ends_at is None or ends_at <= now:
        return None
    evidence = [
        Evidence(
            message_id=event.message_id,
            channel_id=event.channel_id,
            quote=quote,
            method=Method.MODEL,
            said_at=event.created_at,
            model=model,
            prompt_hash=prompt_hash,
            verified_by=VerifiedBy.MODEL,
            verifier_model=verifier_model,
            verifier_hash=verifier_hash,
        )
        for event, quote in story.told
    ]
    new = NewMemory(
        text=story.text,
        topics=(),
        importance=Importance.LOW,
        kind=Kind.LORE,
        fact_key="",
        source=Source.CHAT,
        status=status,
        confidence=CONFIDENCE,
        channel_id=story.told[0][0].source_id,
        stems=" ".join(stems(story.text)),
        expires_at=ends_at,
        evidence=evidence[0],
    )
    (row_id,) = memories.apply_plan(connection, server, Plan(inserts=(new,)), now=now, actor_id=0)
    memories.add_evidence(connection, server, row_id, evidence[1:])
    members.invalidate_guild(connection, guild_id)
    return row_id if status is Status.PROPOSED else None


def _end(
    connection: Connection, event_ids: list[int], story: Story, rules: WritePolicy
) -> datetime | None:
    """Return when the first of a story's messages ends, or lore does at the latest."""
    first_said = min(event.created_at for event, _ in story.told)
    by_kind = policy.memory_end(Kind.LORE, None, first_said, Consent.LASTING, rules.longest_days)
    ends = [summaries.earliest_expiry(connection, event_ids), by_kind]
    dates = [end for end in ends if end is not None]
    return min(dates, default=first_said + policy.MAX_TEMPORARY)
