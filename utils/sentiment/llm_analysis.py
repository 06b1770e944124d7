"""Analyse a batch of messages with one call of the triage model: scores and notes.

The model's answer is only a proposal. Items that match no message of the batch or are out of range
are counted and left out, and so is a reason with words of others' messages: it is erased only with
its own message. Implausible scores are not used at all.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from zoneinfo import ZoneInfo

from utils.common.text import clean, clip, one_line
from utils.llm import prompts
from utils.llm.client import LanguageModel
from utils.llm.token_budget import TokenBudget
from utils.memory.verification.note_text import without_subject
from utils.models.extraction import Candidate
from utils.models.llm import ChatMessage, ToolDefinition, object_schema
from utils.models.memory import MEMORY_LIMIT, Event, Importance, Kind, Member, Source
from utils.models.sentiment import REASON_LIMIT, Score
from utils.nlp.stemming import repeats_others
from utils.sentiment.prefilter import looks_heated

PURPOSE = "watch"
TEXT_LIMIT = 700
NAME_LIMIT = 40
TOKENS_PER_MESSAGE, EXTRA_TOKENS = 90, 200  # of the answer
MIN_DOUBTED_SCORES = 5
HEATED_SCORE = 0.3
HEATED_SHARE = 0.25
PASSING_DAYS = 7  # of a note that is not durable


@dataclass(frozen=True, slots=True)
class Analysis:
    """Scores by message id, notes, and the number of refused items by reason."""

    scores: Mapping[int, Score]
    notes: tuple[Candidate, ...] = ()
    refused: Counter[str] = field(default_factory=Counter)
    model: str = ""
    prompt_hash: str = ""


async def analyse(
    model: LanguageModel, budget: TokenBudget, messages: Sequence[Event], time_zone: str
) -> Analysis:
    """Score a batch of one channel, oldest message first, within the server's daily budget.

    Raises ModelError or BudgetSpent.
    """
    prompt = request(messages, time_zone)
    max_tokens = EXTRA_TOKENS + TOKENS_PER_MESSAGE * len(messages)
    server = Member(messages[0].guild_id, 0)
    result = await budget.ask(server, PURPOSE, prompt, max_tokens, model.call_tool, tool=TOOL)
    scores, notes, refused = parse(result.arguments, messages)
    if not is_plausible(scores, messages):
        refused["unbelievable"] = len(scores)
        scores, notes = {}, ()
    return Analysis(scores, notes, refused, result.model, prompts.load("watch").hash)


def request(messages: Sequence[Event], time_zone: str) -> list[ChatMessage]:
    """Return the prompt: fixed instructions, then the messages as data."""
    zone = ZoneInfo(time_zone)
    labels: dict[int, str] = {}
    for message in messages:
        labels.setdefault(message.author_id, f"p{len(labels) + 1}")
    names = {message.author_id: message.author_name for message in messages}
    lines = [
        "WHO IS WHO",
        *(
            f"{label} = {clip(one_line(names[user_id]), NAME_LIMIT)}"
            for user_id, label in labels.items()
        ),
    ]
    lines.append("MESSAGES")
    numbers = {message.message_id: number for number, message in enumerate(messages, start=1)}
    for message in messages:
        sent_at = message.created_at.astimezone(zone)
        replied_to = numbers.get(message.reply_to_id or 0)
        reply = f" (answers [{replied_to}])" if replied_to else ""
        text = clip(one_line(message.text), TEXT_LIMIT)
        lines.append(
            f"[{numbers[message.message_id]}] {sent_at:%H:%M}"
            f" {labels[message.author_id]}{reply}: {text}"
        )
    last = messages[-1].created_at.astimezone(zone)
    instructions = prompts.load("watch").fill(now=f"{last:%A, %d %B %Y}", time_zone=time_zone)
    return [ChatMessage("system", instructions), ChatMessage("user", "\n".join(lines))]


def parse(
    arguments: Mapping[str, Any], messages: Sequence[Event]
) -> tuple[dict[int, Score], tuple[Candidate, ...], Counter[str]]:
    """Return the scores, the notes, and the number of refused items by reason."""
    refused: Counter[str] = Counter()
    scores: dict[int, Score] = {}
    notes: list[Candidate] = []
    reports = arguments.get("messages")
    for report in reports if isinstance(reports, list) else []:
        message = _message_of(report, messages)
        if message is None:
            refused["unknown id"] += 1
        elif message.message_id in scores:
            refused["repeated"] += 1
        else:
            try:
                reason = report.get("reason")
                words = one_line(clean(reason)) if isinstance(reason, str) else ""
                score = Score(
                    sentiment=_number(report["sentiment"], minimum=-1.0),
                    toxicity=_number(report["toxicity"], minimum=0.0),
                    tension=_number(report["tension"], minimum=0.0),
                    reason=clip(words, REASON_LIMIT),
                )
            except (KeyError, TypeError, ValueError, OverflowError):
                refused["out of range"] += 1
                continue
            other_texts = [
                watched.text for watched in messages if watched.author_id != message.author_id
            ]
            if repeats_others(score.reason, [message.text], other_texts):
                refused["others' words"] += 1
                score = replace(score, reason="")
            scores[message.message_id] = score
            note = _note(report.get("note_update"), message)
            if note is not None:
                notes.append(note)
    if missing := len(messages) - len(scores) - refused["out of range"]:
        refused["missing"] = max(0, missing)
    return scores, tuple(notes), +refused


def is_plausible(scores: Mapping[int, Score], messages: Sequence[Event]) -> bool:
    """Whether scores can be used: not if every message has the same high score.

    A model that answers 1.0 for everything is broken, unless the words confirm it: in a raid every
    message may be equally bad.
    """
    distinct = {(score.toxicity, score.tension) for score in scores.values()}
    if len(scores) < MIN_DOUBTED_SCORES or len(distinct) > 1:
        return True
    if max(next(iter(distinct))) < HEATED_SCORE:
        return True
    heated = sum(looks_heated(message.text) for message in messages)
    return heated >= HEATED_SHARE * len(messages)


def _message_of(report: object, messages: Sequence[Event]) -> Event | None:
    """Return the message that an report names by its number in the batch."""
    given = str(report.get("id")).strip(" <[(#)]>:.") if isinstance(report, dict) else ""
    number = int(given) if given.isdecimal() else 0
    return messages[number - 1] if 1 <= number <= len(messages) else None


def _number(value: object, *, minimum: float) -> float:
    """Read a number from ``minimum`` to 1. Numbers on another scale are refused, not converted."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise TypeError("number")
    number = float(value)
    if not (math.isfinite(number) and minimum <= number <= 1.0):
        raise ValueError("number")
    return number


def _note(update: object, message: Event) -> Candidate | None:
    """Read a note; None if its text or its quote is missing."""
    if not isinstance(update, dict):
        return None
    note, quote, durable = (update.get(name) for name in ("note", "quote", "durable"))
    attribute = update.get("attribute")
    if not (isinstance(note, str) and isinstance(quote, str) and note.strip() and quote.strip()):
        return None
    is_durable = durable is True
    return Candidate(
        subject_id=message.author_id,
        message_id=message.message_id,
        text=without_subject(clip(one_line(clean(note)), MEMORY_LIMIT, at_word=True)),
        quote=one_line(clean(quote)),
        attribute=attribute if isinstance(attribute, str) else "",
        kind=Kind.FACT if is_durable else Kind.TASK,
        importance=Importance.MEDIUM if is_durable else Importance.LOW,
        lifetime_days=None if is_durable else PASSING_DAYS,
        source=Source.PASSIVE,
    )


_TEXT, _NUMBER = {"type": "string"}, {"type": "number"}
_NOTE = object_schema(note=_TEXT, durable={"type": "boolean"}, quote=_TEXT, attribute=_TEXT)
_MESSAGE = object_schema(
    id={"type": "integer", "description": "the message's number"},
    sentiment=_NUMBER,
    toxicity=_NUMBER,
    tension=_NUMBER,
    reason=_TEXT,
    note_update=_NOTE | {"type": ["object", "null"]},
)
TOOL = ToolDefinition(
    name="report",
    description="Report scores and notes for every message of the batch.",
    parameters=object_schema(messages={"type": "array", "items": _MESSAGE}),
)
