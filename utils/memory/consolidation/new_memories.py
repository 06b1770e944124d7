"""The parts of new memories: evidence, context, stems, and notes that wait for a verdict. Pure."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from utils.common.text import clip
from utils.common.visible_text import written_words
from utils.memory.consolidation.wording import search_stems
from utils.memory.policy.write_policy import UNVERIFIED_CONFIDENCE
from utils.memory.safety.filter import refusal_reason
from utils.memory.verification.checks import Checked, stored_sentence
from utils.memory.verification.extraction_context import ContextText, ExtractionContext
from utils.memory.verification.sentences import normalised
from utils.models.extraction import Candidate, Extraction
from utils.models.memory import (
    MAX_CONTEXT,
    ContextRef,
    Event,
    Evidence,
    Form,
    Kind,
    Member,
    Memory,
    Status,
)
from utils.models.plan import MemberState, NewMemory
from utils.nlp.confidential import with_mark
from utils.nlp.stemming import stems

MODEL_LIMIT = 100
QUOTE_KIND = Kind.EPISODE


def quote_evidence(checked: Checked, extraction: Extraction) -> Evidence:
    """Return the evidence of a quote: its message, verified by nobody."""
    event = checked.event
    return Evidence(
        message_id=event.message_id,
        channel_id=event.channel_id,
        quote=stored_sentence(checked.sentence),
        method=extraction.method,
        said_at=event.created_at,
        model=clip(extraction.model, MODEL_LIMIT),
        prompt_hash=extraction.prompt_hash,
    )


def is_of(new: NewMemory, checked: Checked) -> bool:
    """Return whether a new memory rests on the sentence where a candidate was said."""
    sentence = stored_sentence(checked.sentence)
    return (new.evidence.message_id, new.evidence.quote) == (checked.event.message_id, sentence)


def note_evidence(
    candidate: Candidate,
    checked: Checked,
    state: MemberState,
    extraction: Extraction,
    context: ExtractionContext,
) -> Evidence:
    """Return the evidence of a verified note: its sentence, its verifier and its context."""
    verdict = candidate.verdict
    texts = list(context.around)
    texts += [
        ContextText(ContextRef(memory_id=row.id), row.text)
        for row in state.rows
        if row.id in (candidate.confirms, candidate.replaces)
    ]
    return replace(
        quote_evidence(checked, extraction),
        verified_by=verdict.by,
        verifier_model=clip(verdict.model, MODEL_LIMIT),
        verifier_hash=verdict.prompt_hash,
        context=supplying_texts(candidate, checked, texts)[-MAX_CONTEXT:],
    )


def rests_on_erased(candidate: Candidate, checked: Checked, context: ExtractionContext) -> bool:
    """Return whether a note has words of a text that was erased since the note was made."""
    texts = (*context.around, *context.known)
    return not context.erased.isdisjoint(supplying_texts(candidate, checked, texts))


def supplying_texts(
    candidate: Candidate, checked: Checked, texts: Iterable[ContextText]
) -> tuple[ContextRef, ...]:
    """Return those texts that have words of a note which its own sentence does not have."""
    missing = set(stems(candidate.text)) - set(stems(checked.sentence))
    return tuple(
        dict.fromkeys(
            item.ref
            for item in texts
            if item.ref.message_id != checked.event.message_id
            and missing.intersection(stems(item.text))
        )
    )


def new_quote(
    candidate: Candidate,
    checked: Checked,
    extraction: Extraction,
    context: ExtractionContext,
    *,
    status: Status,
    expires_at: datetime,
) -> NewMemory:
    """Return the candidate's sentence as a quote."""
    event, evidence = checked.event, quote_evidence(checked, extraction)
    return NewMemory(
        text=evidence.quote,
        topics=(),
        importance=candidate.importance,
        kind=QUOTE_KIND,
        fact_key="",
        source=candidate.source,
        status=status,
        confidence=UNVERIFIED_CONFIDENCE,
        channel_id=event.source_id,
        stems=indexed_stems(evidence.quote, event, context),
        expires_at=expires_at,
        evidence=evidence,
        form=Form.QUOTE,
    )


def repeated_quote(rows: Iterable[Memory], event: Event, sentence: str) -> Memory | None:
    """Return the quote of the same sentence, said in the same channel before."""
    wording = normalised(sentence)
    return next(
        (
            row
            for row in rows
            if row.form is Form.QUOTE
            and row.channel_id == event.source_id
            and normalised(row.text) == wording
        ),
        None,
    )


def indexed_stems(text: str, event: Event, context: ExtractionContext) -> str:
    """Return the stems of a memory, and of its message's own words if the message is safe."""
    is_refused = refusal_reason(event.text, context.forbidden)
    source = "" if is_refused else written_words(event.text)
    return with_mark(search_stems(text, source), event.text, event.stems)


def as_memory(member: Member, row_id: int, new: NewMemory) -> Memory:
    """Return a new memory as a row; ``row_id`` is negative until it is stored."""
    return Memory(
        id=row_id,
        guild_id=member.guild_id,
        user_id=member.user_id,
        channel_id=new.channel_id,
        text=new.text,
        topics=new.topics,
        importance=new.importance,
        kind=new.kind,
        form=new.form,
        fact_key=new.fact_key,
        source=new.source,
        status=new.status,
        confidence=new.confidence,
        stems=new.stems,
        created_at=new.evidence.said_at,
        last_confirmed_at=new.evidence.said_at,
        expires_at=new.expires_at,
    )
