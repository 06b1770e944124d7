"""Verify a burst's candidates with one call of the verification model.

The prompt holds each sentence once, with the notes about it. What the model does not list counts as
not supported.
"""

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from utils.common.errors import ModelMalformed
from utils.common.text import clip, one_line
from utils.llm import prompts
from utils.llm.client import LanguageModel
from utils.llm.token_budget import VERIFICATION, TokenBudget
from utils.models.extraction import Candidate, Judgement, Verdict
from utils.models.llm import ChatMessage, ToolDefinition, object_schema
from utils.models.memory import Event, Kind, Member, Memory, Role, VerifiedBy


@dataclass(frozen=True, slots=True)
class Claim:
    """One candidate with what a verifier needs to judge it.

    Attributes:
        event: the message in which the subject said the sentence; its text may be an attachment's.
        sentence: the sentence with the quote.
        known: the memory that the candidate says it repeats or makes untrue.
        before: what the subject said just before the sentence, in this message or this burst.
        after: what they said just after it, which may take it back.
        message_text: if the sentence is an attachment's, the message that it came with.
    """

    candidate: Candidate
    event: Event
    sentence: str
    known: Memory | None = None
    before: str = ""
    after: str = ""
    message_text: str = ""


@dataclass(frozen=True, slots=True)
class VerificationInput:
    """Everything that one verification call is about.

    Attributes:
        claims: the candidates that passed the checks.
        previous: the turns before the burst, oldest first.
        replied_to: what a message replies to, by event id.
        profile_update: the profile that the extractor proposes; "": none.
        facts: the open facts that it may be made of.
    """

    member: Member
    claims: tuple[Claim, ...]
    previous: tuple[Event, ...]
    now: datetime
    time_zone: str
    replied_to: Mapping[int, str] = field(default_factory=dict)
    profile_update: str = ""
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verification:
    """The verdicts, one for each claim in their order, and whether the profile follows."""

    verdicts: tuple[Verdict, ...]
    is_profile_supported: bool = False


BEFORE_LIMIT, REPLY_LIMIT, KNOWN_LIMIT = 120, 120, 160
TOKENS_PER_CLAIM, MIN_ANSWER_TOKENS = 40, 120
SERVER_MARK = " [for all; own if it states in earnest a plan or rule of this server]"
_WORD = re.compile(r"\w+(?:(?:[-–—]|\.\.+)\w+)*")  # "s1-s3" is no id
_LISTS = {"own": "s", "follows": "n", "same": "n", "untrue": "n"}  # and what their ids begin with
_NO_IDS = {"none", "null", "nothing", "n", "a", "and"}


@dataclass(eq=False, repr=False)
class ModelVerifier:
    """Asks the verification model, within the server's daily token budget."""

    _model: LanguageModel
    _budget: TokenBudget

    async def verify(self, request: VerificationInput) -> Verification:
        """Return one verdict for each claim, in their order.

        Raises ModelError or BudgetSpent if there is no answer; the sentences are then quotes.
        """
        messages = build_messages(request)
        max_tokens = MIN_ANSWER_TOKENS + TOKENS_PER_CLAIM * len(request.claims)
        model = self._model
        result = await self._budget.ask(
            request.member,
            VERIFICATION,
            messages,
            max_tokens,
            model.call_tool,
            tool=TOOL,
            temperature=0.0,
            model=model.verify_model,
        )
        return parse(result.arguments, request, result.model)


def build_messages(request: VerificationInput) -> list[ChatMessage]:
    """Return the prompt: fixed instructions, then all data."""
    zone = ZoneInfo(request.time_zone)
    lines = [f"TODAY {request.now.astimezone(zone):%A, %Y-%m-%d}"]
    if request.previous:
        lines.append("BEFORE")
        for event in request.previous:
            words = _end_of(event.text, BEFORE_LIMIT)
            speaker = "speaker" if event.author_id == request.member.user_id else "another"
            speaker = "KITH" if event.role is Role.KITH else speaker
            lines.append(f"{speaker}: {words}")
    lines.append("SAID")
    by_sentence = _numbered(request.claims)
    prompt_sentences = {sentence for _, sentence in by_sentence}
    people: dict[int, str] = {}
    for claim in request.claims:
        people.setdefault(claim.event.author_id, f"p{len(people) + 1}")
    for (_, sentence), (sentence_id, claims) in by_sentence.items():
        by = f" by {people[claims[0][1].event.author_id]}" if len(people) > 1 else ""
        frame = _frame(claims[0][1], request, prompt_sentences, zone)
        lines.append(f"{sentence_id}{by}{frame} {sentence}")
        for note_id, claim in claims:
            known_memory = claim.known
            beside = (
                ""
                if known_memory is None
                else f" (KNOWN: {clip(one_line(known_memory.text), KNOWN_LIMIT)})"
            )
            of = SERVER_MARK if claim.candidate.kind is Kind.SERVER_FACT else ""
            lines.append(f"  {note_id}{of} {one_line(claim.candidate.text)}{beside}")
    if request.profile_update:
        lines += [
            "PROFILE (profile: whether it says nothing beyond FACTS)",
            one_line(request.profile_update),
            "FACTS",
            " | ".join(request.facts),
        ]
    return [
        ChatMessage("system", prompts.load("verify").text),
        ChatMessage("user", "\n".join(lines)),
    ]


def parse(arguments: Mapping[str, Any], request: VerificationInput, model: str) -> Verification:
    """Return the verdicts that a tool call gives.

    A note that follows is not supported where the answer contradicts itself (no sentence is its
    author's own) or lacks a list about the known memory beside it: its sentence becomes a quote.
    Raises ModelMalformed if it does not say at all what is their own, or what follows.
    """
    numbered = _numbered(request.claims).values()
    known_ids = {one for own_id, notes in numbered for one in (own_id, *dict(notes))}
    listed = {
        name: _ids(arguments.get(name), initial, known_ids) for name, initial in _LISTS.items()
    }
    if listed["own"] is None or listed["follows"] is None:
        raise ModelMalformed
    lacks_known = None in listed.values()
    own, follows, same, untrue = (ids or set() for ids in listed.values())
    verdicts: dict[int, Verdict] = {}
    prompt_hash = prompts.load("verify").hash
    for sentence_id, claims in numbered:
        for note_id, claim in claims:
            lacks_list = lacks_known and claim.known is not None and sentence_id in own
            if note_id in follows and (not own or lacks_list):
                verdicts[id(claim)] = Verdict(Judgement.UNSUPPORTED)
                continue
            follows_from = Judgement.SUPPORTED if note_id in follows else Judgement.UNSUPPORTED
            verdicts[id(claim)] = Verdict(
                follows_from if sentence_id in own else Judgement.OTHER,
                VerifiedBy.MODEL,
                repeats=note_id in same,
                ends=note_id in untrue,
                model=model,
                prompt_hash=prompt_hash,
            )
    return Verification(
        tuple(verdicts[id(claim)] for claim in request.claims),
        is_profile_supported=arguments.get("profile") is True,
    )


def _ids(value: object, initial: str, known_ids: Set[str]) -> set[str] | None:
    """Return the ids of a list in any writing, also bare numbers; None if there is no list.

    Nor is it one with other words, which may say "n1: no" or "all", with ids of nothing or of the
    other kind alone, or with numbers beside ids: they may be those of a numbered list.
    """
    if isinstance(value, list):
        value = " ".join(map(str, value))
    if not isinstance(value, str):
        return None
    words = set(_WORD.findall(value.casefold())) - _NO_IDS
    ids = {f"{initial}{word}" for word in words} if all(map(str.isdigit, words)) else words
    return ids if not ids or (initial in {id_[0] for id_ in ids} and ids <= known_ids) else None


def _numbered(
    claims: Sequence[Claim],
) -> dict[tuple[int, str], tuple[str, list[tuple[str, Claim]]]]:
    """Return, by message and sentence, the sentence's id and its claims with theirs.

    The sentences are in the order in which they were said.
    """
    said_in_order = sorted(claims, key=lambda claim: (claim.event.id, _place(claim)))
    keys = dict.fromkeys((claim.event.id, claim.sentence) for claim in said_in_order)
    numbered: dict[tuple[int, str], tuple[str, list[tuple[str, Claim]]]]
    numbered = {key: (f"s{number}", []) for number, key in enumerate(keys, start=1)}
    for number, claim in enumerate(claims, start=1):
        numbered[claim.event.id, claim.sentence][1].append((f"n{number}", claim))
    return numbered


def _place(claim: Claim) -> int:
    """Return where in its message a sentence begins, with runs of space as one; its end if not."""
    text = one_line(claim.event.text)
    position = text.find(claim.sentence)
    return position if position >= 0 else len(text)


def _end_of(text: str, limit: int) -> str:
    """Return the end of a text, where a question or an antecedent mostly stands."""
    line = one_line(text)
    return line if len(line) <= limit else f"…{line[-limit:].partition(' ')[2]}"


def _frame(
    claim: Claim, request: VerificationInput, prompt_sentences: Set[str], zone: ZoneInfo
) -> str:
    """Return what goes with a sentence: its day, what it replies to, what is said around it.

    ``prompt_sentences`` are the sentences of the prompt, which are not repeated.
    """
    day = claim.event.created_at.astimezone(zone)
    parts = []
    if day.date() != request.now.astimezone(zone).date():
        parts.append(f"{day:%Y-%m-%d}")
    replied_to = request.replied_to.get(claim.event.id)
    if replied_to:
        parts.append(f'to "{_end_of(replied_to, REPLY_LIMIT)}"')
    if claim.before and one_line(claim.before) not in prompt_sentences:
        parts.append(f'after "{_end_of(claim.before, REPLY_LIMIT)}"')
    if claim.after and one_line(claim.after) not in prompt_sentences:
        parts.append(f'then "{clip(one_line(claim.after), REPLY_LIMIT, at_word=True)}"')
    if claim.message_text:
        words = clip(one_line(claim.message_text), REPLY_LIMIT)
        parts.append(f'in an attachment of "{words}", own only if this calls it theirs')
    return f" [{', '.join(parts)}]:" if parts else ":"


_TEXT, _TEXT_OR_NULL = {"type": "string"}, {"type": ["string", "null"]}
TOOL = ToolDefinition(
    name="judge",
    description="Judge notes.",
    parameters=object_schema(
        own=_TEXT,
        follows=_TEXT,
        same=_TEXT_OR_NULL,
        untrue=_TEXT_OR_NULL,
        profile={"type": ["boolean", "null"]},
    ),
)
