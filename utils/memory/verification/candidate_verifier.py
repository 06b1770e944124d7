"""CandidateVerifier checks an extraction's candidates and has them verified, before planning."""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Protocol

from utils.common.clock import Clock
from utils.common.errors import BudgetSpent, Logged, ModelError
from utils.memory.verification.attributes import fact_key
from utils.memory.verification.checks import Checked, Refused, check, states_for_server
from utils.memory.verification.extraction_context import ExtractionContext
from utils.memory.verification.model_verifier import (
    Claim,
    ModelVerifier,
    Verification,
    VerificationInput,
)
from utils.memory.verification.note_text import unfit
from utils.models.extraction import (
    NO_VERDICT,
    Candidate,
    Extraction,
    ExtractionInput,
    Judgement,
    Verdict,
)
from utils.models.memory import (
    DIRECT_MESSAGES,
    SERVER_USER_ID,
    Consent,
    Form,
    Kind,
    Member,
    Memory,
    Profile,
    Source,
    Status,
)
from utils.models.plan import MemberState
from utils.nlp.person_and_negation import has_first_person, without_address
from utils.nlp.stemming import stems
from utils.runtime.metrics import Metrics

MAX_PREVIOUS = 2
MAX_PROFILE_FACTS = 12

_log = logging.getLogger(__name__)


class NamedMembers(Protocol):
    """Finds the members of a server whom a sentence names (utils/guilds/known_members.py)."""

    async def named_with_consent(
        self, guild_id: int, text: str, *, author_id: int
    ) -> dict[int, bool]:
        """Return whether each member whom a text may name lets anything be stored, by user id."""


@dataclass(frozen=True, slots=True)
class ExtractedNotes:
    """An extraction, before or after its verdicts, with what it was made from."""

    extraction: Extraction
    inputs: ExtractionInput
    context: ExtractionContext


@dataclass(frozen=True, slots=True)
class _Prepared:
    """Candidates that passed the checks, and the claims about them by their index."""

    notes: ExtractedNotes
    candidates: list[Candidate]
    refused: Counter[str]
    claims: dict[int, Claim]


@dataclass(eq=False, repr=False)
class CandidateVerifier:
    """Gives each candidate of an extraction a verdict.

    ``verifier`` is None without a model. ``members`` finds whom a sentence names.
    """

    _verifier: ModelVerifier | None
    _clock: Clock
    _metrics: Metrics
    _members: NamedMembers

    async def judge(self, notes: ExtractedNotes) -> Extraction:
        """Return the extraction with a verdict on each candidate that passes the checks.

        Candidates that fail them are counted in ``refused``. Without an answer of the verifier,
        the verdict is FAILED. Candidates that a rule verified keep its verdict.
        """
        prepared, inputs = await self._checked(notes), notes.inputs
        facts = _profile_facts(prepared)
        update = (notes.extraction.profile_update or "") if facts else ""
        verification = await self._verify(
            VerificationInput(
                member=inputs.burst.member,
                claims=tuple(prepared.claims.values()),
                previous=inputs.previous[-MAX_PREVIOUS:],
                now=self._clock.now(),
                time_zone=inputs.time_zone,
                replied_to=notes.context.replied_to,
                profile_update=update,
                facts=facts,
            )
        )
        judged = _with_verdicts(prepared, verification.verdicts)
        is_profile_supported = verification.is_profile_supported and all(
            candidate.verdict.judgement is Judgement.SUPPORTED
            for candidate in judged.candidates
            if candidate.text in facts
        )
        return replace(
            judged,
            profile_facts=facts,
            is_profile_supported=bool(update) and is_profile_supported,
        )

    async def judge_together(self, groups: Sequence[ExtractedNotes]) -> list[Extraction]:
        """Return extractions of several members of one server, verified by a single call.

        The server pays for it. Their profiles are not judged.
        """
        prepared = [await self._checked(notes) for notes in groups]
        claims = [claim for part in prepared for claim in part.claims.values()]
        replied_to: dict[int, str] = {}
        for notes in groups:
            replied_to |= notes.context.replied_to
        verification = await self._verify(
            VerificationInput(
                member=Member(groups[0].inputs.burst.member.guild_id, SERVER_USER_ID),
                claims=tuple(claims),
                previous=(),
                now=self._clock.now(),
                time_zone=groups[0].inputs.time_zone,
                replied_to=replied_to,
            )
        )
        verdicts = iter(verification.verdicts)
        return [_with_verdicts(part, [next(verdicts) for _ in part.claims]) for part in prepared]

    async def _checked(self, notes: ExtractedNotes) -> _Prepared:
        """Run the checks, and make a claim of each candidate that needs a verdict.

        What is about other members, or names such as refuse memory, is dropped.
        """
        inputs, names, guild_id = (
            notes.inputs,
            notes.context.names,
            notes.inputs.burst.member.guild_id,
        )
        # What the checks need; consent and the like are checked again under the lock.
        state = MemberState(
            member=inputs.burst.member,
            now=datetime.min.replace(tzinfo=UTC),
            consent=Consent.TEMPORARY,
            frozen=False,
            version=0,
            rows=inputs.rows,
            profile=Profile(),
            tombstones=frozenset(),
            events=inputs.burst.events,
            evidence={},
        )
        prepared = _Prepared(notes, [], Counter(notes.extraction.refused), {})
        for candidate in notes.extraction.candidates:
            try:
                checked = check(candidate, state, notes.context)
            except Refused as reason:
                prepared.refused[reason.reason] += 1
                continue
            sentence = checked.sentence
            if candidate.kind is Kind.SERVER_FACT and not _is_for_server(candidate, checked, names):
                candidate = replace(candidate, kind=Kind.FACT)
            if candidate.text and (fault := unfit(candidate.text, sentence, names)):
                prepared.refused[fault] += 1
                candidate = replace(candidate, text="")
            if candidate.kind is Kind.SERVER_FACT:  # what names members is said for no server
                text = f"{sentence}\n{candidate.text}"
                if await self._members.named_with_consent(guild_id, text, author_id=0):
                    candidate = replace(candidate, kind=Kind.FACT)
            refusal = await self.refusal_for_others(state.member, sentence, candidate.text)
            if refusal is not None:
                prepared.refused[refusal] += 1
                continue
            if candidate.text and candidate.verdict.judgement is Judgement.FAILED:
                prepared.claims[len(prepared.candidates)] = _claim(candidate, checked, inputs)
            prepared.candidates.append(candidate)
        return prepared

    async def refusal_for_others(self, member: Member, sentence: str, note: str = "") -> str | None:
        """Return why a member's sentence may not be kept for those whom it names, or None.

        ``note`` is what would be noted of it; its context may have given it another name. Raises
        DatabaseError.
        """
        find = partial(self._members.named_with_consent, member.guild_id, author_id=member.user_id)
        named = await find(sentence)
        if named and not has_first_person(sentence) and await find(without_address(sentence)):
            return "about another"
        allowed = named | await find(note)
        return None if all(allowed.values()) else "names another"

    async def _verify(self, request: VerificationInput) -> Verification:
        """Ask the verifier, and count its verdicts; no answer supports nothing."""
        verification = Verification((NO_VERDICT,) * len(request.claims))
        if not request.claims or self._verifier is None:
            return verification
        with Logged(_log.info, "candidates get no verdict", ModelError, BudgetSpent):
            answer = await self._verifier.verify(request)
            if len(answer.verdicts) == len(request.claims):
                verification = answer
        counts = Counter(verdict.judgement.value for verdict in verification.verdicts)
        self._metrics.count_verdicts(request.member.guild_id, counts)
        return verification


def _claim(candidate: Candidate, checked: Checked, inputs: ExtractionInput) -> Claim:
    """Return what the verifier is asked about a candidate, with what was said around it."""
    event, events = checked.event, inputs.burst.events
    message_text = ""
    if checked.is_attached:
        original = next(original for original in events if original.id == event.id)
        message_text = original.text or "(no words)"
    earlier = ["", *(neighbour.text for neighbour in events if neighbour.id < event.id)]
    later = [*(neighbour.text for neighbour in events if neighbour.id > event.id), ""]
    return Claim(
        candidate,
        event,
        checked.sentence,
        _known_beside(candidate, {row.id: row for row in inputs.rows}),
        checked.before or earlier[-1],
        checked.after or later[0],
        message_text,
    )


def _is_for_server(candidate: Candidate, checked: Checked, names: tuple[str, ...]) -> bool:
    """Whether a candidate may state something for everybody in a server, where others hear it."""
    event = checked.event
    is_private = event.guild_id == DIRECT_MESSAGES or event.source_id == event.author_id  # /ask
    return (
        not is_private
        and states_for_server(checked.sentence, names)
        and states_for_server(candidate.text, names)
    )


def _known_beside(candidate: Candidate, rows: Mapping[int, Memory]) -> Memory | None:
    """Return the note that a candidate may repeat or end: the one that the model cites, else the
    newest about the same attribute. A wish has no attribute: the one with most of its words."""
    if cited := candidate.replaces or candidate.confirms:
        return rows.get(cited)
    key = fact_key(candidate.attribute)
    notes = [row for row in rows.values() if row.form is Form.NOTE]
    if key or candidate.source is not Source.EXPLICIT:
        same = [row for row in notes if key and row.fact_key == key]
        return max(same, key=lambda row: row.id, default=None)
    words = frozenset(stems(candidate.text))
    shared = [(len(words.intersection(stems(row.text))), row.id) for row in notes]
    count, row_id = max(shared, default=(0, 0))
    return rows[row_id] if count else None


def _with_verdicts(prepared: _Prepared, verdicts: Sequence[Verdict]) -> Extraction:
    candidates = list(prepared.candidates)
    for (index, claim), verdict in zip(prepared.claims.items(), verdicts, strict=True):
        candidate = replace(candidates[index], verdict=verdict)
        if claim.known is not None and not (candidate.confirms or candidate.replaces):
            known_id = claim.known.id
            candidate = replace(
                candidate,
                confirms=known_id if verdict.repeats else None,
                replaces=known_id if verdict.ends and not verdict.repeats else None,
            )
        candidates[index] = candidate
    return replace(
        prepared.notes.extraction, candidates=tuple(candidates), refused=prepared.refused
    )


def _profile_facts(prepared: _Prepared) -> tuple[str, ...]:
    """Return the open facts that a proposed profile may be made of; empty if they are too many.

    A profile from more facts is rendered from the rows instead.
    """
    inputs, context = prepared.notes.inputs, prepared.notes.context
    if not prepared.notes.extraction.profile_update:
        return ()
    replaced = {candidate.replaces for candidate in prepared.candidates}
    open_facts = [
        row.text
        for row in inputs.rows
        if row.form is Form.NOTE
        and row.kind is Kind.FACT
        and row.status is Status.ACTIVE
        and row.channel_id in context.open_sources
        and row.id not in replaced
    ]
    new = [
        candidate.text
        for candidate in prepared.candidates
        if candidate.kind is Kind.FACT and candidate.text and candidate.lifetime_days is None
    ]
    facts = tuple(dict.fromkeys([*open_facts, *new]))
    return facts if len(facts) <= MAX_PROFILE_FACTS else ()
