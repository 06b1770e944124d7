"""Extract candidates from a burst with one call of the triage model.

The model only proposes: ``plan_changes`` checks each candidate afterwards.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from utils.common.text import clip, estimate_tokens, one_line
from utils.llm import prompts
from utils.llm.client import LanguageModel
from utils.llm.token_budget import EXTRACTION, TokenBudget
from utils.memory.attachments import rendering
from utils.models.llm import ChatMessage, ToolDefinition
from utils.models.memory import (
    EVENT_LIMIT,
    MEMORY_LIMIT,
    Candidate,
    Event,
    Extraction,
    ExtractionInput,
    Importance,
    Kind,
    Memory,
    Method,
    Modality,
)
from utils.nlp.stemming import stems

KNOWN_TOKENS = 600
ATTACHMENT_TOKENS = 600
MAX_CANDIDATES = 10
MAX_ANSWER_TOKENS = 1500
LIFETIMES: Mapping[str, int | None] = {"1d": 1, "3d": 3, "7d": 7, "30d": 30, "permanent": None}
_IMPORTANCES = {importance.name.lower(): importance for importance in Importance}
_KINDS = [kind.value for kind in Kind if kind is not Kind.LORE]


class ModelExtractor:
    """Extracts with the triage model, within the server's daily token budget."""

    def __init__(self, model: LanguageModel, budget: TokenBudget) -> None:
        self._model = model
        self._budget = budget

    async def extract(self, reading: ExtractionInput) -> Extraction:
        """Return the model's candidates; malformed ones are counted, not raised."""
        known_memories = select_known(reading)
        messages = build_messages(reading, known_memories)
        prompt_tokens = sum(estimate_tokens(message.text) for message in messages)
        async with self._budget.hold(
            reading.burst.member, EXTRACTION, prompt_tokens, MAX_ANSWER_TOKENS
        ) as reservation:
            result = await self._model.call_tool(messages, TOOL, max_tokens=MAX_ANSWER_TOKENS)
            reservation.usage = result.usage
        candidates, refused = parse(result.arguments, reading, known_memories)
        update = result.arguments.get("profile_update")
        return Extraction(
            candidates=candidates,
            method=Method.MODEL,
            profile_update=update if isinstance(update, str) else None,
            model=self._model.triage_model,
            prompt_hash=prompts.load("extract").hash,
            refused=refused,
        )


def build_messages(
    reading: ExtractionInput, known_memories: Mapping[str, Memory]
) -> list[ChatMessage]:
    """Return the prompt: fixed instructions, then all data.

    ``known_memories`` are the memories to show, by short id.
    """
    zone = ZoneInfo(reading.time_zone)
    last = reading.burst.events[-1]
    people = _people(reading)
    lines = ["WHO IS WHO"]
    names = {event.author_id: event.author_name for event in (*reading.previous, last)}
    lines += [f"{short} = {one_line(names[user_id])}" for user_id, short in people.items()]
    lines.append("KNOWN about p1")
    if reading.profile:
        lines.append(_profile_line(reading))
    lines += [f"{short}: {row.text} [{row.fact_key}]" for short, row in known_memories.items()]
    lines.append("BEFORE")
    lines += [_line(event, people, zone, 500) for event in reading.previous]
    lines.append("SAID")
    with_attachments = sum(bool(event.attachment_texts) for event in reading.burst.events)
    for event in reading.burst.events:
        lines.append(_line(event, people, zone, EVENT_LIMIT))
        attached = rendering.attachment_lines(
            event.attachment_texts, event.text, ATTACHMENT_TOKENS // max(with_attachments, 1)
        )
        lines += [f"  ATTACHED {one_line(line)}" for line in attached]
    instructions = prompts.load("extract").fill(
        now=f"{last.created_at.astimezone(zone):%A, %d %B %Y, %H:%M}", time_zone=reading.time_zone
    )
    return [ChatMessage("system", instructions), ChatMessage("user", "\n".join(lines))]


def select_known(reading: ExtractionInput) -> dict[str, Memory]:
    """Return the known memories to show, by short id.

    Those that share words with the burst come first, then the newest. Together with the profile
    they take at most 600 tokens.
    """
    burst_stems = set(stems(reading.burst.text))
    ranked = sorted(
        reading.rows,
        key=lambda row: (
            len(burst_stems.intersection(row.stems.split("\n", 1)[0].split())),
            row.id,
        ),
        reverse=True,
    )
    budget = KNOWN_TOKENS - estimate_tokens(f"{_profile_line(reading)}\n")
    known_memories: dict[str, Memory] = {}
    for row in ranked:
        short = f"m{len(known_memories) + 1}"
        budget -= estimate_tokens(f"{short}: {row.text} [{row.fact_key}]\n")
        if budget < 0:
            break
        known_memories[short] = row
    return known_memories


def parse(
    arguments: Mapping[str, Any], reading: ExtractionInput, known_memories: Mapping[str, Memory]
) -> tuple[tuple[Candidate, ...], Counter[str]]:
    """Parse the tool call's arguments; returns the candidates, and the counts of refused ones."""
    subjects = {short: user_id for user_id, short in _people(reading).items()}
    return read_candidates(arguments.get("memories"), subjects, known_memories)


def read_candidates(
    items: object, subjects: Mapping[str, int], known_memories: Mapping[str, Memory]
) -> tuple[tuple[Candidate, ...], Counter[str]]:
    """Parse a list of memories in the form of MEMORY_SCHEMA; ``subjects`` are user ids by short id.

    Returns the candidates, and the counts of refused items by reason.
    """
    if not isinstance(items, list):
        return (), Counter({"malformed": 1})
    refused: Counter[str] = Counter()
    candidates = []
    for item in items[:MAX_CANDIDATES]:
        try:
            candidates.append(_candidate(item, subjects, known_memories))
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
            refused["malformed"] += 1
    if len(items) > MAX_CANDIDATES:
        refused["too many"] = len(items) - MAX_CANDIDATES
    return tuple(candidates), refused


def _candidate(
    item: Mapping[str, Any], subjects: Mapping[str, int], known_memories: Mapping[str, Memory]
) -> Candidate:
    """Parse one item.

    Raises KeyError, TypeError, ValueError, AttributeError or OverflowError if it is malformed.
    """
    if item["kind"] not in _KINDS:
        raise ValueError("kind")
    replaced = known_memories.get(str(item.get("replaces")))
    topics = item.get("topics") or []
    if isinstance(topics, str):
        topics = topics.split(",")
    confidence = float(item["confidence"])
    if not 0.0 <= confidence <= 1.0:
        raise ValueError("confidence")
    return Candidate(
        subject_id=subjects.get(str(item["subject"]).strip().casefold(), 0),
        text=clip(_text(item["memory"]), MEMORY_LIMIT, at_word=True),
        quote=_text(item["quote"]),
        kind=Kind(item["kind"]),
        importance=_IMPORTANCES[item["importance"]],
        confidence=confidence,
        lifetime_days=LIFETIMES[item["expiration"]],
        attribute=str(item.get("attribute") or ""),
        topics=tuple(str(topic) for topic in topics),
        modality=Modality(item["modality"]),
        replaces=replaced.id if replaced else None,
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("text")
    return one_line(value)


def _profile_line(reading: ExtractionInput) -> str:
    """Return the profile's line, cut if it alone would exceed the budget."""
    line = f"profile: {reading.profile}"
    while estimate_tokens(f"{line}\n") > KNOWN_TOKENS:
        line = clip(line, len(line) * 3 // 4, at_word=True)
    return line


def _people(reading: ExtractionInput) -> dict[int, str]:
    """Return short ids by user id: p1 is the member, p2 … the others in the order they spoke."""
    people = {reading.burst.member.user_id: "p1"}
    for event in reading.previous:
        people.setdefault(event.author_id, f"p{len(people) + 1}")
    return people


def _line(event: Event, people: Mapping[int, str], zone: ZoneInfo, limit: int) -> str:
    at = event.created_at.astimezone(zone)
    return f"[{at:%Y-%m-%d %H:%M}] {people[event.author_id]}: {clip(one_line(event.text), limit)}"


def _memory_schema() -> dict[str, Any]:
    text, nullable = {"type": "string"}, {"type": ["string", "null"]}
    properties = {
        "memory": text,
        "topics": {"type": "array", "items": text, "description": "1 to 4 lower-case words"},
        "expiration": {"type": "string", "enum": list(LIFETIMES)},
        "importance": {"type": "string", "enum": list(_IMPORTANCES)},
        "kind": {"type": "string", "enum": _KINDS},
        "confidence": {"type": "number", "description": "0 to 1"},
        "subject": text,
        "attribute": text,
        "modality": {"type": "string", "enum": [modality.value for modality in Modality]},
        "quote": text,
        "replaces": nullable,
    }
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


MEMORY_SCHEMA = _memory_schema()
TOOL = ToolDefinition(
    name="extract_memories",
    description="Note what is worth remembering about p1.",
    parameters={
        "type": "object",
        "properties": {
            "memories": {"type": "array", "items": MEMORY_SCHEMA},
            "profile_update": {"type": ["string", "null"]},
        },
        "required": ["memories", "profile_update"],
        "additionalProperties": False,
    },
)
