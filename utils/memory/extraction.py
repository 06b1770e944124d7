"""Events -> candidates: one call of the triage model for each burst.

What the model answers is only a proposal; grounding and ``decide`` judge it afterwards.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from utils import prompts
from utils.budget import EXTRACTION, TokenBudget
from utils.llm_client import LanguageModel
from utils.memory import attached
from utils.memory.stems import stems
from utils.model.llm import ChatMessage, ToolDefinition
from utils.model.memory import (
    EVENT_LIMIT,
    MEMORY_LIMIT,
    Candidate,
    Event,
    Extraction,
    Importance,
    Kind,
    Memory,
    Method,
    Modality,
    Reading,
)
from utils.text import clip, estimate_tokens, one_line

KNOWN_TOKENS = 600
ATTACHMENT_TOKENS = 600
MOST_CANDIDATES = 10
MOST_ANSWER_TOKENS = 1500
LIFETIMES: Mapping[str, int | None] = {"1d": 1, "3d": 3, "7d": 7, "30d": 30, "permanent": None}
_IMPORTANCES = {one.name.lower(): one for one in Importance}
_KINDS = [kind.value for kind in Kind if kind is not Kind.LORE]


class ModelExtractor:
    """Asks the triage model, within the server's daily budget."""

    def __init__(self, model: LanguageModel, budget: TokenBudget) -> None:
        self._model = model
        self._budget = budget

    async def extract(self, reading: Reading) -> Extraction:
        """Return what the model proposes; malformed items are counted, never raised."""
        known = select_known(reading)
        messages = request(reading, known)
        prompt_tokens = sum(estimate_tokens(message.text) for message in messages)
        async with self._budget.hold(
            reading.burst.member, EXTRACTION, prompt_tokens, MOST_ANSWER_TOKENS
        ) as hold:
            result = await self._model.call_tool(messages, TOOL, max_tokens=MOST_ANSWER_TOKENS)
            hold.usage = result.usage
        candidates, refused = parse(result.arguments, reading, known)
        update = result.arguments.get("profile_update")
        return Extraction(
            candidates=candidates,
            method=Method.MODEL,
            profile_update=update if isinstance(update, str) else None,
            model=self._model.triage_model,
            prompt_hash=prompts.load("extract").hash,
            refused=refused,
        )


def request(reading: Reading, known: Mapping[str, Memory]) -> list[ChatMessage]:
    """Return the messages of an extraction: fixed instructions, then everything as data."""
    zone = ZoneInfo(reading.time_zone)
    last = reading.burst.events[-1]
    people = _people(reading)
    lines = ["WHO IS WHO"]
    names = {event.author_id: event.author_name for event in (*reading.before, last)}
    lines += [f"{short} = {one_line(names[user_id])}" for user_id, short in people.items()]
    lines.append("KNOWN about p1")
    if reading.profile:
        lines.append(_profile_line(reading))
    lines += [f"{short}: {row.text} [{row.fact_key}]" for short, row in known.items()]
    lines.append("BEFORE")
    lines += [_line(event, people, zone, 500) for event in reading.before]
    lines.append("SAID")
    attached_to = sum(bool(event.surrogates) for event in reading.burst.events)
    for event in reading.burst.events:
        lines.append(_line(event, people, zone, EVENT_LIMIT))
        told = attached.told(event.surrogates, event.text, ATTACHMENT_TOKENS // max(attached_to, 1))
        lines += [f"  ATTACHED {one_line(one)}" for one in told]
    instructions = prompts.load("extract").fill(
        now=f"{last.created_at.astimezone(zone):%A, %d %B %Y, %H:%M}", time_zone=reading.time_zone
    )
    return [ChatMessage("system", instructions), ChatMessage("user", "\n".join(lines))]


def select_known(reading: Reading) -> dict[str, Memory]:
    """Choose the known rows to show, by short id: first those that share words with the burst,
    then the newest, as many as fit in 600 tokens together with the profile."""
    said = set(stems(reading.burst.text))
    ranked = sorted(
        reading.rows,
        key=lambda row: (len(said.intersection(row.stems.split("\n", 1)[0].split())), row.id),
        reverse=True,
    )
    room = KNOWN_TOKENS - estimate_tokens(f"{_profile_line(reading)}\n")
    known: dict[str, Memory] = {}
    for row in ranked:
        short = f"m{len(known) + 1}"
        room -= estimate_tokens(f"{short}: {row.text} [{row.fact_key}]\n")
        if room < 0:
            break
        known[short] = row
    return known


def parse(
    arguments: Mapping[str, Any], reading: Reading, known: Mapping[str, Memory]
) -> tuple[tuple[Candidate, ...], Counter[str]]:
    """Read the tool call's arguments; whatever does not fit is counted by reason."""
    subjects = {short: user_id for user_id, short in _people(reading).items()}
    return read_candidates(arguments.get("memories"), subjects, known)


def read_candidates(
    items: object, subjects: Mapping[str, int], known: Mapping[str, Memory]
) -> tuple[tuple[Candidate, ...], Counter[str]]:
    """Read a list of memories as MEMORY_SCHEMA has them; ``subjects`` are people by short id."""
    if not isinstance(items, list):
        return (), Counter({"malformed": 1})
    refused: Counter[str] = Counter()
    candidates = []
    for item in items[:MOST_CANDIDATES]:
        try:
            candidates.append(_candidate(item, subjects, known))
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
            refused["malformed"] += 1
    if len(items) > MOST_CANDIDATES:
        refused["too many"] = len(items) - MOST_CANDIDATES
    return tuple(candidates), refused


def _candidate(
    item: Mapping[str, Any], subjects: Mapping[str, int], known: Mapping[str, Memory]
) -> Candidate:
    """Read one item.

    Raises KeyError, TypeError, ValueError, AttributeError or OverflowError if it is no such.
    """
    if item["kind"] not in _KINDS:
        raise ValueError("kind")
    replaced = known.get(str(item.get("replaces")))
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


def _profile_line(reading: Reading) -> str:
    """Return the profile as it is shown: whole, or cut where it alone would fill the budget."""
    line = f"profile: {reading.profile}"
    while estimate_tokens(f"{line}\n") > KNOWN_TOKENS:
        line = clip(line, len(line) * 3 // 4, at_word=True)
    return line


def _people(reading: Reading) -> dict[int, str]:
    """Return short ids for everyone in sight: p1 is the member, p2 … others, by first word."""
    people = {reading.burst.member.user_id: "p1"}
    for event in reading.before:
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
