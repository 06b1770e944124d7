"""The parts of new memories: evidence, context, stems, and the notes that wait."""

from dataclasses import replace

import pytest

from tests.fakes.builders import (
    ADA,
    CHANNEL,
    SUPPORTED,
    at,
    make_candidate,
    make_event,
    make_extraction,
    make_memory,
    make_state,
)
from tests.rows import each_row
from utils.memory.consolidation.new_memories import (
    as_memory,
    indexed_stems,
    note_evidence,
    quote_evidence,
    rests_on_erased,
    supplying_texts,
)
from utils.memory.verification.checks import Checked
from utils.memory.verification.extraction_context import ContextText, ExtractionContext
from utils.models.memory import (
    ContextRef,
    Evidence,
    Form,
    Importance,
    Kind,
    Member,
    Memory,
    Method,
    Source,
    Status,
    VerifiedBy,
)
from utils.models.plan import NewMemory

LONG_WORDS = "coffee " * 100
CLIPPED = ("coffee " * 71).rstrip() + "…"
LONG_MODEL = "m" * 150
EXTRACTION = make_extraction(method=Method.MODEL, model=LONG_MODEL, prompt_hash="extracted")
SAID = make_event("my Rex is sick", id=5, message_id=50, channel_id=7, source_id=70)
CHECKED = Checked(SAID, "my Rex\x00 is\nsick")
QUOTED = Evidence(
    50, 7, "my Rex is sick", Method.MODEL, SAID.created_at, "m" * 99 + "…", "extracted"
)


def text_of(message_id, text):
    return ContextText(ContextRef(message_id=message_id), text)


def test_a_quotes_evidence_is_its_sentence_and_nobody_verified_it():
    assert quote_evidence(CHECKED, EXTRACTION) == QUOTED
    assert quote_evidence(Checked(SAID, LONG_WORDS), EXTRACTION).quote == CLIPPED


def test_a_notes_evidence_names_its_verifier_and_what_supplied_its_words():
    known = make_memory("has a terrier", id=8)
    other = make_memory("has a terrier named Max", id=9)
    candidate = make_candidate(
        "the terrier Rex of the farm is sick",
        confirms=8,
        verdict=replace(SUPPORTED, model=LONG_MODEL, prompt_hash="verified"),
    )
    context = ExtractionContext(
        frozenset({CHANNEL}), around=(text_of(1, "on the farm"), text_of(2, "it rains"))
    )
    assert note_evidence(
        candidate, CHECKED, make_state(known, other), EXTRACTION, context
    ) == replace(
        QUOTED,
        verified_by=VerifiedBy.MODEL,
        verifier_model="m" * 99 + "…",
        verifier_hash="verified",
        context=(ContextRef(message_id=1), ContextRef(memory_id=8)),
    )
    replacing = replace(candidate, confirms=None, replaces=9)
    made = note_evidence(replacing, CHECKED, make_state(known, other), EXTRACTION, context)
    assert made.context == (ContextRef(message_id=1), ContextRef(memory_id=9))


def test_a_note_keeps_the_last_three_texts_that_supplied_its_words_each_once():
    around = tuple(text_of(number, "on the farm") for number in (1, 2, 3, 3, 4, SAID.message_id))
    context = ExtractionContext(frozenset({CHANNEL}), around=around)
    candidate = make_candidate("Rex of the farm is sick")
    made = note_evidence(candidate, CHECKED, make_state(), EXTRACTION, context)
    assert [ref.message_id for ref in made.context] == [2, 3, 4]
    assert supplying_texts(make_candidate("Rex is sick"), CHECKED, around) == ()


@each_row(("erased_id", "expected"), [(1, True), (2, True), (3, False)])
def test_a_note_rests_on_what_supplied_its_words_whether_around_or_known(erased_id, expected):
    context = ExtractionContext(
        frozenset({CHANNEL}),
        around=(text_of(1, "on the farm"), text_of(3, "it rains")),
        known=(text_of(2, "has a terrier"),),
        erased=frozenset({ContextRef(message_id=erased_id)}),
    )
    candidate = make_candidate("the terrier Rex of the farm is sick")
    assert rests_on_erased(candidate, CHECKED, context) is expected


@pytest.mark.parametrize(
    ("message", "forbidden", "expected"),
    [
        ("Rex is sick", None, "name\nrex sick"),
        ("Rex is sick\n[forwarded message]\n> I own a ferret", None, "name\nrex sick"),
        ("my password is hunter2", None, "name\n"),
        ("I have diabetes", None, "name\n"),
        ("I have diabetes", frozenset(), "name\ndiabet"),
    ],
    ids=["said", "forwarded", "secret", "forbidden", "allowed"],
)
def test_a_memory_is_found_by_its_message_unless_that_is_refused(message, forbidden, expected):
    context = ExtractionContext(frozenset({CHANNEL}))
    if forbidden is not None:
        context = replace(context, forbidden=forbidden)
    assert indexed_stems("name", make_event(message, id=5), context) == expected


def test_a_planned_row_is_the_row_that_will_be_stored():
    new = NewMemory(
        text="has a dog",
        topics=("pets",),
        importance=Importance.HIGH,
        kind=Kind.PATTERN,
        fact_key="pet",
        source=Source.PASSIVE,
        status=Status.SHADOW,
        confidence=0.7,
        channel_id=70,
        stems="dog\n\n",
        expires_at=at(days=3),
        evidence=QUOTED,
        form=Form.QUOTE,
    )
    assert as_memory(Member(3, ADA.user_id), -2, new) == Memory(
        id=-2,
        guild_id=3,
        user_id=ADA.user_id,
        channel_id=70,
        text="has a dog",
        topics=("pets",),
        importance=Importance.HIGH,
        kind=Kind.PATTERN,
        form=Form.QUOTE,
        fact_key="pet",
        source=Source.PASSIVE,
        status=Status.SHADOW,
        confidence=0.7,
        stems="dog\n\n",
        created_at=SAID.created_at,
        last_confirmed_at=SAID.created_at,
        expires_at=at(days=3),
    )
