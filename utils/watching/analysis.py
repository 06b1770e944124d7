"""A batch of messages -> scores and notes: one call of the triage model for many messages.

What the model answers is only a proposal: whatever does not fit a message of the batch, or its
range, is counted and left out, and scores that cannot be believed are not used at all.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from zoneinfo import ZoneInfo

from utils import prompts
from utils.budget import TokenBudget
from utils.llm_client import LanguageModel
from utils.model.llm import ChatMessage, ToolDefinition
from utils.model.memory import MEMORY_LIMIT, Member
from utils.model.watch import REASON_LIMIT, NoteUpdate, Score, WatchedMessage
from utils.text import clean, clip, estimate_tokens, one_line
from utils.watching.heat import looks_heated

PURPOSE = "watch"
WATCH_SHARE = 1 / 2  # of a server's daily tokens: the other half stays for talking
TEXT_LIMIT = 700
NAME_LIMIT = 40
ANSWER_TOKENS_EACH, ANSWER_TOKENS_MORE = 90, 200
FEWEST_TO_DOUBT = 5
EXTREME = 0.3
HEATED_SHARE = 0.25


@dataclass(frozen=True, slots=True)
class Analysis:
    """What came of a batch: scores by message id, notes, and how many items were left out why."""

    scores: Mapping[int, Score] = field(default_factory=dict)
    notes: tuple[NoteUpdate, ...] = ()
    refused: Counter[str] = field(default_factory=Counter)
    model: str = ""
    prompt_hash: str = ""


class Analyst:
    """Asks the triage model, within the watching half of the server's daily budget."""

    def __init__(self, model: LanguageModel, budget: TokenBudget) -> None:
        self._model = model
        self._budget = budget

    async def analyse(self, messages: Sequence[WatchedMessage], time_zone: str) -> Analysis:
        """Score a batch of one channel, oldest message first. Raises ModelError or BudgetSpent."""
        asked = request(messages, time_zone)
        prompt_tokens = sum(estimate_tokens(one.text) for one in asked)
        most = ANSWER_TOKENS_MORE + ANSWER_TOKENS_EACH * len(messages)
        nobody = Member(messages[0].guild_id, 0)
        async with self._budget.hold(
            nobody, PURPOSE, prompt_tokens, most, share=WATCH_SHARE
        ) as hold:
            result = await self._model.call_tool(asked, TOOL, max_tokens=most)
            hold.usage = result.usage
        scores, notes, refused = parse(result.arguments, messages)
        if not is_believable(scores, messages):
            refused["unbelievable"] = len(scores)
            scores, notes = {}, ()
        return Analysis(
            scores, notes, refused, self._model.triage_model, prompts.load("watch").hash
        )


def request(messages: Sequence[WatchedMessage], time_zone: str) -> list[ChatMessage]:
    """Return the messages of an analysis: fixed instructions, then everything as data."""
    zone = ZoneInfo(time_zone)
    people: dict[int, str] = {}
    for one in messages:
        people.setdefault(one.author_id, f"p{len(people) + 1}")
    names = {one.author_id: one.author_name for one in messages}
    lines = ["WHO IS WHO"]
    lines += [
        f"{short} = {clip(one_line(names[user_id]), NAME_LIMIT)}"
        for user_id, short in people.items()
    ]
    lines.append("MESSAGES")
    numbers = {one.message_id: number for number, one in enumerate(messages, start=1)}
    for one in messages:
        at = one.created_at.astimezone(zone)
        answers = numbers.get(one.reply_to_id or 0)
        reply = f" (answers [{answers}])" if answers else ""
        text = clip(one_line(one.text), TEXT_LIMIT)
        lines.append(
            f"[{numbers[one.message_id]}] {at:%H:%M} {people[one.author_id]}{reply}: {text}"
        )
    last = messages[-1].created_at.astimezone(zone)
    instructions = prompts.load("watch").fill(now=f"{last:%A, %d %B %Y}", time_zone=time_zone)
    return [ChatMessage("system", instructions), ChatMessage("user", "\n".join(lines))]


def parse(
    arguments: Mapping[str, Any], messages: Sequence[WatchedMessage]
) -> tuple[dict[int, Score], tuple[NoteUpdate, ...], Counter[str]]:
    """Read the tool call's arguments; whatever does not fit is counted by reason."""
    refused: Counter[str] = Counter()
    scores: dict[int, Score] = {}
    notes: list[NoteUpdate] = []
    items = arguments.get("messages")
    for item in items if isinstance(items, list) else []:
        message = _message_of(item, messages)
        if message is None:
            refused["unknown id"] += 1
        elif message.message_id in scores:
            refused["repeated"] += 1
        else:
            try:
                scores[message.message_id] = _score(item)
            except (KeyError, TypeError, ValueError, OverflowError):
                refused["out of range"] += 1
                continue
            note = _note(item.get("note_update"), message)
            if note is not None:
                notes.append(note)
    if missing := len(messages) - len(scores) - refused["out of range"]:
        refused["missing"] = max(0, missing)
    return scores, tuple(notes), +refused


def is_believable(scores: Mapping[int, Score], messages: Sequence[WatchedMessage]) -> bool:
    """Whether scores can be used: not the very same, and heated, for everything.

    A model that says 1.0 to all is broken, unless the words themselves say the same: in a raid
    every message may be as bad.
    """
    distinct = {(one.toxicity, one.tension) for one in scores.values()}
    if len(scores) < FEWEST_TO_DOUBT or len(distinct) > 1:
        return True
    if max(next(iter(distinct))) < EXTREME:
        return True
    heated = sum(looks_heated(one.text) for one in messages)
    return heated >= HEATED_SHARE * len(messages)


def _message_of(item: object, messages: Sequence[WatchedMessage]) -> WatchedMessage | None:
    """Return the message that an item is about, by its number in the batch."""
    if not isinstance(item, dict):
        return None
    try:
        number = int(str(item.get("id")).strip(" []#"))
    except ValueError:
        return None
    return messages[number - 1] if 1 <= number <= len(messages) else None


def _score(item: Mapping[str, Any]) -> Score:
    """Read a score. Raises KeyError, TypeError, ValueError or OverflowError if it is none."""
    reason = item.get("reason")
    return Score(
        sentiment=_number(item["sentiment"], least=-1.0),
        toxicity=_number(item["toxicity"], least=0.0),
        tension=_number(item["tension"], least=0.0),
        reason=clip(one_line(clean(reason)), REASON_LIMIT) if isinstance(reason, str) else "",
    )


def _number(value: object, *, least: float) -> float:
    """Read a number from ``least`` to 1; one on another scale is not guessed at."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise TypeError("number")
    number = float(value)
    if not (math.isfinite(number) and least <= number <= 1.0):
        raise ValueError("number")
    return number


def _note(update: object, message: WatchedMessage) -> NoteUpdate | None:
    """Read a note; one without words of its own or a quote is none."""
    if not isinstance(update, dict):
        return None
    note, quote, durable = (update.get(name) for name in ("note", "quote", "durable"))
    if not (isinstance(note, str) and isinstance(quote, str) and note.strip() and quote.strip()):
        return None
    return NoteUpdate(
        message_id=message.message_id,
        author_id=message.author_id,
        note=clip(one_line(clean(note)), MEMORY_LIMIT, at_word=True),
        durable=durable is True,
        quote=one_line(clean(quote)),
    )


def _tool() -> ToolDefinition:
    text, number = {"type": "string"}, {"type": "number"}
    note = {
        "type": ["object", "null"],
        "properties": {"note": text, "durable": {"type": "boolean"}, "quote": text},
        "required": ["note", "durable", "quote"],
        "additionalProperties": False,
    }
    properties = {
        "id": {"type": "integer", "description": "the message's number"},
        "sentiment": number,
        "toxicity": number,
        "tension": number,
        "reason": text,
        "note_update": note,
    }
    message = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return ToolDefinition(
        name="report",
        description="Report scores and notes for every message of the batch.",
        parameters={
            "type": "object",
            "properties": {"messages": {"type": "array", "items": message}},
            "required": ["messages"],
            "additionalProperties": False,
        },
    )


TOOL = _tool()
