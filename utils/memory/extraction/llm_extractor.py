"""Extract candidates from a burst with one call of the triage model.

The model only proposes: CandidateVerifier checks each candidate and has it verified, and
``plan_changes`` checks it again under the member's lock.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from utils.common.errors import ModelMalformed
from utils.common.text import clean, clip, estimate_tokens, one_line
from utils.common.visible_text import own_words_of
from utils.llm import prompts
from utils.llm.client import LanguageModel
from utils.llm.token_budget import EXTRACTION, TokenBudget
from utils.memory.attachments import rendering
from utils.memory.extraction.rule_extractor import RuleExtractor
from utils.memory.verification.note_text import without_subject
from utils.models.extraction import Candidate, Extraction, ExtractionInput
from utils.models.llm import ChatMessage, ToolDefinition, object_schema
from utils.models.memory import (
    EVENT_LIMIT,
    MEMORY_LIMIT,
    Event,
    Form,
    Importance,
    Kind,
    Memory,
    Method,
    Role,
)
from utils.nlp.stemming import stems

KNOWN_TOKENS = 330
ATTACHMENT_TOKENS = 600
MAX_CANDIDATES = 40  # twice a burst's messages; more than fit into the longest answer
PREVIOUS_SHOWN = 2
KITH = "KITH"
ATTACHED = (
    "  ATTACHED, p1's picture or file: note at most a task or episode that p1 is plainly part of"
)
JUST_NOW = timedelta(minutes=10)
ANSWER_TOKENS, ANSWER_TOKENS_PER_FURTHER_MESSAGE = 1500, 120
_IMPORTANCES = {importance.name.lower(): importance for importance in Importance}
_LIFETIME = re.compile(r"([1-9]\d{0,2}) ?(d|w|m|y)(?:ays?|eeks?|onths?|ears?)?")
_UNIT_DAYS = {"d": 1, "w": 7, "m": 30, "y": 365}
FORGET = "forget"  # the kind of a wish, which is no memory
_KINDS = [kind.value for kind in Kind if kind is not Kind.LORE]


@dataclass(eq=False, repr=False)
class ModelExtractor:
    """Extracts with the triage model, within the server's daily token budget."""

    _model: LanguageModel
    _budget: TokenBudget
    _rules: RuleExtractor = field(default_factory=RuleExtractor, init=False)

    async def extract(self, inputs: ExtractionInput) -> Extraction:
        """Return the model's candidates, or those of the rules if its answer cannot be read.

        Raises BudgetSpent, or ModelError if the model does not answer.
        """
        try:
            return await self._ask(inputs)
        except ModelMalformed:
            by_rules = await self._rules.extract(inputs)
            return replace(by_rules, refused=Counter({"malformed answer": 1}))

    async def _ask(self, inputs: ExtractionInput) -> Extraction:
        known_memories = select_known(inputs)
        messages = build_messages(inputs, known_memories)
        max_tokens = ANSWER_TOKENS + ANSWER_TOKENS_PER_FURTHER_MESSAGE * (
            len(inputs.burst.events) - 1
        )
        result = await self._budget.ask(
            inputs.burst.member,
            EXTRACTION,
            messages,
            max_tokens,
            self._model.call_tool,
            tool=TOOL,
        )
        candidates, refused = parse(result.arguments, inputs, known_memories)
        if refused["malformed"] and not candidates:
            raise ModelMalformed
        update = result.arguments.get("profile_update")
        return Extraction(
            candidates=candidates,
            method=Method.MODEL,
            profile_update=update if isinstance(update, str) else None,
            confidential=confidential_ids(result.arguments.get("confidential"), inputs),
            wishes=wish_ids(result.arguments.get("memories"), inputs),
            model=result.model,
            prompt_hash=prompts.load("extract").hash,
            refused=refused,
        )


def build_messages(
    inputs: ExtractionInput, known_memories: Mapping[str, Memory]
) -> list[ChatMessage]:
    """Return the prompt: instructions that never change, then all data.

    ``known_memories`` are the notes to show, by short id.
    """
    zone = ZoneInfo(inputs.time_zone)
    last = inputs.burst.events[-1]
    now = last.created_at.astimezone(zone)
    people = _people(inputs)
    lines = [f"NOW {now:%A, %Y-%m-%d %H:%M} ({inputs.time_zone})"]
    names = {event.author_id: event.author_name for event in (*inputs.previous, last)}
    lines += [f"{short} = {one_line(names[user_id])}" for user_id, short in people.items()]
    lines.append("KNOWN")
    lines += [_known_line(short, row) for short, row in known_memories.items()]
    lines.append("BEFORE")
    short_ids = {event.id: short for short, event in _own_before(inputs).items()}
    lines += [
        f"{_head(short_ids.get(event.id), _stamp(event, now), people.get(event.author_id, KITH))}: "
        f"{clip(one_line(event.text), 300)}"
        for event in inputs.previous[-PREVIOUS_SHOWN:]
    ]
    lines.append("SAID")
    with_attachments = sum(bool(event.attachment_texts) for event in inputs.burst.events)
    previous_ids = {event.message_id for event in inputs.previous[-PREVIOUS_SHOWN:]}
    for number, event in enumerate(inputs.burst.events, start=1):
        target = inputs.replied_to.get(event.id, "")
        to = (
            f'(to "{clip(one_line(target), 160)}")'
            if (target and event.reply_to_id not in previous_ids)
            else ""
        )
        text = clip(one_line(own_words_of(event.text)), EVENT_LIMIT)
        lines.append(f"{_head(f's{number}', _stamp(event, now), to)}: {text}")
        attached = rendering.attachment_lines(
            event.attachment_texts, event.text, ATTACHMENT_TOKENS // max(with_attachments, 1)
        )
        lines += [ATTACHED] if attached else []
        lines += [f"  {one_line(line)}" for line in attached]
    instructions = prompts.load("extract").text
    return [ChatMessage("system", instructions), ChatMessage("user", "\n".join(lines))]


def select_known(inputs: ExtractionInput) -> dict[str, Memory]:
    """Return the known notes to show, by short id.

    Those that share words with the burst come first, then what the profile says, then the newest.
    They take at most KNOWN_TOKENS. Quotes are not shown.
    """
    burst_stems = set(stems(inputs.burst.text))
    ranked = sorted(
        (row for row in inputs.rows if row.form is Form.NOTE),
        key=lambda row: (
            len(burst_stems.intersection(row.stems.split("\n", 1)[0].split())),
            row.kind is Kind.FACT,
            row.id,
        ),
        reverse=True,
    )
    budget = KNOWN_TOKENS
    known_memories: dict[str, Memory] = {}
    for row in ranked:
        short = f"m{len(known_memories) + 1}"
        budget -= estimate_tokens(f"{_known_line(short, row)}\n")
        if budget < 0:
            break
        known_memories[short] = row
    return known_memories


def parse(
    arguments: Mapping[str, Any], inputs: ExtractionInput, known_memories: Mapping[str, Memory]
) -> tuple[tuple[Candidate, ...], Counter[str]]:
    """Parse the tool call's arguments; returns the candidates, and the counts of refused ones."""
    messages = {
        f"s{number}": event.message_id for number, event in enumerate(inputs.burst.events, start=1)
    }
    return read_candidates(
        arguments.get("memories"),
        lambda item: inputs.burst.member.user_id,
        known_memories,
        messages,
    )


def confidential_ids(listed: object, inputs: ExtractionInput) -> tuple[int, ...]:
    """Return the ids of the member's messages that a model says are told in confidence.

    A secret that is missed would be told: a bare number is a line's, "s1-s3" is three, and "true"
    is all of the burst.
    """
    events = {
        f"s{number}": event for number, event in enumerate(inputs.burst.events, start=1)
    } | _own_before(inputs)
    is_all = _word(listed) == "true"
    written = f"1-{len(inputs.burst.events)}" if is_all else str(listed)
    written = re.sub(r"\b(\d+)\b", r"s\1", written)
    short_ids = short_ids_in(written, "sb")
    for first, last in re.findall(r"\bs(\d{1,3})\s?[-–]\s?s(\d{1,3})\b", written.casefold()):
        short_ids += [f"s{number}" for number in range(int(first) + 1, int(last))]
    return tuple(event.message_id for short, event in events.items() if short in short_ids)


def wish_ids(items: object, inputs: ExtractionInput) -> tuple[int, ...]:
    """Return the ids of the burst's messages that a model says ask Kith to forget something."""
    wishes = [item for item in items if _is_wish(item)] if isinstance(items, list) else []
    return tuple(
        event.message_id
        for number, event in enumerate(inputs.burst.events, start=1)
        if any(
            short_ids_in(item.get("message"), "s") == [f"s{number}"]
            or (
                (quote := _text(item.get("quote")))
                and quote.casefold() in one_line(event.text).casefold()
            )
            for item in wishes
        )
    )


def _is_wish(item: object) -> bool:
    return isinstance(item, Mapping) and _word(item.get("kind")) == FORGET


def _own_before(inputs: ExtractionInput) -> dict[str, Event]:
    """Return the member's turns just before a burst, by short id."""
    own_turns = [
        event
        for event in inputs.previous[-PREVIOUS_SHOWN:]
        if event.role is Role.MEMBER and event.author_id == inputs.burst.member.user_id
    ]
    return {f"b{number}": event for number, event in enumerate(own_turns, start=1)}


def read_candidates(
    items: object,
    subject_of: Callable[[Mapping[str, Any]], int],
    known_memories: Mapping[str, Memory],
    messages: Mapping[str, int],
) -> tuple[tuple[Candidate, ...], Counter[str]]:
    """Parse a list of memories in the form of memory_schema.

    Args:
        subject_of: returns the user id of the person whom an item is about, 0 for nobody.
        messages: message ids by short id.

    Returns the candidates, one for each known memory that an item replaces, and the counts of
    refused items by reason. What asks Kith to forget is none: neither a note nor a quote.
    """
    if not isinstance(items, list):
        return (), Counter({"malformed": 1})
    refused: Counter[str] = Counter()
    candidates = []
    for item in items[:MAX_CANDIDATES]:
        if _is_wish(item):
            refused["wish"] += 1
            continue
        try:
            candidate = _candidate(item, subject_of(item), known_memories, messages)
            ended = _known_in(item.get("replaces"), known_memories) or [None]
            candidates += [replace(candidate, replaces=row_id) for row_id in ended]
        except (KeyError, TypeError, ValueError, AttributeError):
            refused["malformed"] += 1
    if len(items) > MAX_CANDIDATES:
        refused["too many"] = len(items) - MAX_CANDIDATES
    return tuple(candidates), refused


def _known_in(value: object, known_memories: Mapping[str, Memory]) -> list[int | None]:
    """Return the ids of the known memories that a value names: "m1", "m1 m2", ["m1"]."""
    short_ids = short_ids_in(value, "m")
    return [known_memories[short].id for short in short_ids if short in known_memories]


def short_ids_in(value: object, initials: str) -> list[str]:
    """Return the short ids that a value names in whatever writing: "s1, s2", ["[s1]"], "#p1"."""
    return re.findall(rf"\b[{initials}]\d+\b", str(value).casefold())


def _candidate(
    item: Mapping[str, Any],
    subject_id: int,
    known_memories: Mapping[str, Memory],
    messages: Mapping[str, int],
) -> Candidate:
    """Parse one item; what it lacks, or has in another form, gets a default.

    Raises TypeError, ValueError or AttributeError if there is neither a quote nor a note.
    """
    note, quote = _text(item.get("note")), _text(item.get("quote"))
    if not (note or quote):
        raise ValueError("quote")
    kind = _word(item.get("kind"))
    confirmed = _known_in(item.get("confirms"), known_memories)
    lifetime = _LIFETIME.fullmatch(_word(item.get("until")))  # "30d", "7 days", "2w", "6 months"
    return Candidate(
        subject_id=subject_id,
        text=clip(without_subject(note), MEMORY_LIMIT, at_word=True),
        quote=quote or note,
        kind=Kind(kind) if kind in _KINDS else Kind.FACT,
        importance=_IMPORTANCES.get(_word(item.get("importance")), Importance.MEDIUM),
        lifetime_days=int(lifetime[1]) * _UNIT_DAYS[lifetime[2]] if lifetime else None,
        attribute=str(item.get("attribute") or ""),
        topics=tuple(filter(None, _text(item.get("topics")).split(","))),
        confirms=confirmed[0] if confirmed else None,
        until=_day(item.get("until")),
        message_id=messages.get(" ".join(short_ids_in(item.get("message"), "s")), 0),
    )


def _day(value: object) -> date | None:
    """Return a date, without a time behind it; None for anything else, such as a lifetime."""
    try:
        written = re.sub(
            r"(\d\d?)\.(\d\d?)\.(\d{4})",
            lambda day: f"{day[3]}-{day[2]:0>2}-{day[1]:0>2}",
            str(value).strip(),
        )
        return date.fromisoformat(written.replace("/", "-")[:10])
    except ValueError:
        return None


def _text(value: object) -> str:
    return one_line(clean(value)) if isinstance(value, str) else ""


def _word(value: object) -> str:
    """Return a word as the schema writes it."""
    return str(value).strip().casefold()


def _people(inputs: ExtractionInput) -> dict[int, str]:
    """Return short ids by user id: p1 is the member, p2 … the others in the order they spoke."""
    people = {inputs.burst.member.user_id: "p1"}
    for event in inputs.previous[-PREVIOUS_SHOWN:]:
        if event.role is Role.KITH:
            continue
        people.setdefault(event.author_id, f"p{len(people) + 1}")
    return people


def _known_line(short: str, row: Memory) -> str:
    return f"{short}: {row.text} [{row.fact_key}]" if row.fact_key else f"{short}: {row.text}"


def _head(*parts: str | None) -> str:
    """Return what stands before a line's text; parts without words are left out."""
    return " ".join(filter(None, parts))


def _stamp(event: Event, now: datetime) -> str:
    """Return when a line was said; "" if it was just before now."""
    said_at = event.created_at.astimezone(now.tzinfo)
    if said_at.date() != now.date():
        return f"[{said_at:%Y-%m-%d %H:%M}]"
    return "" if now - said_at < JUST_NOW else f"[{said_at:%H:%M}]"


_TEXT = {"type": "string"}
_TOPICS = "2-4 other words of questions about it: sport for kickboxing"


def memory_schema(*, is_of_burst: bool = True, **more: Any) -> dict[str, Any]:
    """Return the schema of one memory; ``more`` are further properties.

    ``is_of_burst``: its message and known notes have ids, and it may be a wish to forget.
    """
    return object_schema(
        **more,
        note=_TEXT,
        quote=_TEXT,
        **({"message": _TEXT} if is_of_burst else {}),
        kind={"type": "string", "enum": [*_KINDS, *([FORGET] if is_of_burst else [])]},
        attribute=_TEXT,
        topics={**_TEXT, "description": _TOPICS},
        importance={"type": "string", "enum": list(_IMPORTANCES)},
        until=_TEXT,
        **(dict.fromkeys(("confirms", "replaces"), _TEXT) if is_of_burst else {}),
    )


TOOL = ToolDefinition(
    name="extract_memories",
    description="Note about p1.",
    parameters=object_schema(
        confidential={"type": ["string", "null"]},  # first: an answer may be cut off
        memories={"type": "array", "items": memory_schema()},
        profile_update={"type": ["string", "null"]},
    ),
)
