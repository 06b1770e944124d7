"""The profile paragraph (UserNotes): render it from facts, and check a model's version. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from utils.common.text import clean, join_sentences, one_line, utf16_length
from utils.memory.safety.filter import refusal_reason
from utils.memory.verification.extraction_context import ContextText
from utils.models.extraction import Extraction
from utils.models.memory import (
    MAX_PROFILE_VERSIONS,
    PROFILE_LIMIT,
    Form,
    Kind,
    Memory,
    Profile,
    Status,
)
from utils.models.plan import MemberState
from utils.nlp.person_and_negation import has_first_person
from utils.nlp.stemming import repeats_others

MIN_SENTENCE_LENGTH = 5
EMPTY = Profile()


def facts(rows: Iterable[Memory]) -> list[Memory]:
    """Return the memories a profile is made of: active facts, most important and newest first."""
    active = [
        row
        for row in rows
        if row.kind is Kind.FACT and row.status is Status.ACTIVE and row.form is Form.NOTE
    ]
    return sorted(active, key=lambda row: (row.importance, row.created_at), reverse=True)


def render(rows: Iterable[Memory]) -> Profile:
    """Join facts into a paragraph of at most 600 UTF-16 units; each fact is whole."""
    return _paragraph((row, _sentence(row)) for row in facts(rows))


def remaining(profile: Profile, rows: Iterable[Memory]) -> Profile:
    """Return the profile without the memories that are no longer in ``rows``.

    Returns ``profile`` itself if all of its memories are still there. A note that became a quote
    again, or is no longer active, is not.
    """
    profile_ids = set(profile.row_ids)
    still_there = [
        row
        for row in rows
        if row.id in profile_ids and row.form is Form.NOTE and row.status is Status.ACTIVE
    ]
    return profile if len(still_there) == len(profile_ids) else render(still_there)


def complete(profile: Profile, rows: Iterable[Memory]) -> Profile:
    """Return the profile with the facts in ``rows`` that it does not hold yet, as far as they fit.

    A model's paragraph stays as it is, with new facts as sentences after it, while all its own
    facts are current. Anything else is rendered again.
    """
    live = facts(rows)
    current = [row for row in live if row.id in profile.row_ids]
    is_whole = 0 < len(current) == len(profile.row_ids)
    if not is_whole or profile.text == render(current).text:
        return render(live)
    first = replace(profile, text=join_sentences([profile.text]))
    longer = _paragraph(((row, _sentence(row)) for row in live if row not in current), first)
    return longer if longer.row_ids != profile.row_ids else profile


def accept(text: str, rows: Sequence[Memory], verified_facts: Sequence[str]) -> Profile | None:
    """Return a model's paragraph as a profile; None if it must not be used.

    A verifier found that it follows from ``verified_facts`` (empty: from all facts in ``rows``). So
    each of these must still be one of the facts.
    """
    text = one_line(clean(text))
    live = facts(rows)
    if not text or not live or utf16_length(text) > PROFILE_LIMIT or refusal_reason(text):
        return None
    if has_first_person(text):  # it would be read as Kith's own words
        return None
    fact_texts = set(verified_facts) or {row.text for row in live}
    if not fact_texts.issubset(row.text for row in live):
        return None
    return Profile(text, tuple(row.id for row in live if row.text in fact_texts))


def revised(
    state: MemberState,
    extraction: Extraction,
    open_rows: Sequence[Memory],
    rows: Iterable[Memory],
    around: Sequence[ContextText],
) -> Profile | None:
    """Return a member's new profile after an extraction, or None to keep the stored one.

    It is made of ``open_rows``: notes from channels that everyone can read. If nothing may be
    written, or there are none, it only loses the memories that are not in ``rows`` any more. A
    paragraph with words that only others, or Kith's answers, said in ``around`` is not taken: it
    would keep them when their messages are deleted.
    """
    stored = state.profile
    if not open_rows or state.refusal is not None:
        reduced = remaining(stored, rows)
        return None if reduced is stored else reduced
    proposal, own_id = extraction.profile_update, state.member.user_id
    others_texts = [text.text for text in around if text.ref.author_id != own_id]
    own_texts = [text.text for text in around if text.ref.author_id == own_id]
    own_texts += [stored.text, *(row.text for row in open_rows)]
    if (
        proposal
        and extraction.is_profile_supported
        and not repeats_others(proposal, own_texts, others_texts)
    ):
        accepted = accept(proposal, open_rows, extraction.profile_facts)
        if accepted is not None:
            return accepted
    if stored.row_ids and set(stored.row_ids) == {row.id for row in facts(open_rows)}:
        return None
    completed = complete(stored, open_rows)
    return None if completed == stored else completed


def readable(profile: Profile, rows: Sequence[Memory]) -> Profile:
    """Return the profile for readers who may see ``rows``, a part of the member's live memories.

    It is rendered again from these if the stored one includes any other memory.
    """
    if profile.text and {row.id for row in facts(rows)}.issuperset(profile.row_ids):
        return profile
    return render(rows)


def profile_history(
    current: Sequence[Memory], past: Sequence[Memory]
) -> list[tuple[datetime, str]]:
    """Return since when a member's earlier profiles were current, and their texts.

    They are as the memories imply them: newest first, at most 20.
    ``past`` are superseded memories. Forgotten and expired memories are in no version.
    """
    starts = {row.id: row.created_at for row in (*current, *past)}
    ends = {row.id: starts[by] for row in past if (by := row.superseded_by) in starts}
    former = (replace(row, status=Status.ACTIVE) for row in past if row.id in ends)
    spans = [(row, _sentence(row), ends.get(row.id)) for row in facts((*current, *former))]
    changes = {row.created_at for row, _, _ in spans}
    changes |= {end for _, _, end in spans if end is not None}
    versions: list[tuple[datetime, str]] = []
    for time in sorted(changes, reverse=True):
        text = _paragraph(
            (row, sentence)
            for row, sentence, end in spans
            if row.created_at <= time and (end is None or time < end)
        ).text
        if versions and versions[-1][1] == text:
            versions.pop()  # the same text was current even earlier
        elif len(versions) == MAX_PROFILE_VERSIONS:
            break
        versions.append((time, text))
    return versions


def _sentence(row: Memory) -> str:
    return join_sentences([row.text[:1].upper() + row.text[1:]])


def _paragraph(
    facts_with_sentences: Iterable[tuple[Memory, str]], first: Profile = EMPTY
) -> Profile:
    """Join the sentences that fit in the limit after ``first``, each whole."""
    row_ids = list(first.row_ids)
    sentences = [first.text] if first.text else []
    remaining_length = PROFILE_LIMIT - utf16_length(first.text)
    for row, sentence in facts_with_sentences:
        length = utf16_length(sentence) + (1 if sentences else 0)
        if length <= remaining_length:
            remaining_length -= length
            row_ids.append(row.id)
            sentences.append(sentence)
        if remaining_length < MIN_SENTENCE_LENGTH:
            break
    return Profile(join_sentences(sentences), tuple(row_ids))
