"""Candidates are checked, and those that need it get a verdict."""

from dataclasses import replace

import pytest

from tests.fakes.builders import (
    SUPPORTED,
    FakeVerifier,
    heard,
    make_candidate,
    make_event,
    make_extraction,
    make_memory,
    make_reading,
    make_verifier,
)
from tests.fakes.clock import ManualClock
from utils.common.errors import BudgetSpent, ModelMalformed, ModelUnreachable
from utils.memory.verification.service import CandidateVerifier, Unverified
from utils.models.extraction import BY_RULE, NO_VERDICT, Judgement
from utils.runtime.metrics import Metrics

SAID = make_event("I have a dog named Rex. I like tea")
UNJUDGED = make_candidate(quote="I have a dog named Rex", verdict=NO_VERDICT)


async def judged(*candidates, verifier=None, reading=None, **given):
    service = make_verifier(ManualClock(), verifier)
    extraction = make_extraction(*candidates, **given)
    return await service.judge(extraction, reading or make_reading(SAID), heard())


async def test_a_candidate_gets_the_verifiers_verdict():
    verifier = FakeVerifier(lambda claim: Judgement.UNSUPPORTED)
    result = await judged(UNJUDGED, verifier=verifier)
    assert [one.verdict.judgement for one in result.candidates] == [Judgement.UNSUPPORTED]
    (claim,) = verifier.readings[0].claims
    assert claim.sentence == "I have a dog named Rex."


async def test_what_fails_the_checks_is_counted_and_never_sent():
    verifier = FakeVerifier()
    secret = make_candidate(quote="my password", verdict=NO_VERDICT)
    result = await judged(secret, verifier=verifier)
    assert (result.candidates, result.refused, verifier.readings) == ((), {"quote": 1}, [])


async def test_a_rules_notes_and_bare_sentences_need_no_call():
    verifier = FakeVerifier()
    by_rule = replace(UNJUDGED, verdict=BY_RULE)
    sentence = replace(UNJUDGED, text="", quote="I like tea")
    result = await judged(by_rule, sentence, verifier=verifier)
    assert [one.verdict for one in result.candidates] == [BY_RULE, NO_VERDICT]
    assert verifier.readings == []


@pytest.mark.parametrize(
    "error", [ModelUnreachable(), ModelMalformed(), BudgetSpent(is_share=True)]
)
async def test_without_an_answer_nothing_is_supported(error):
    verifier = FakeVerifier()
    verifier.failures.append(error)
    result = await judged(UNJUDGED, verifier=verifier)
    assert [one.verdict for one in result.candidates] == [NO_VERDICT]


async def test_without_a_model_nothing_is_supported():
    clock = ManualClock()
    service = CandidateVerifier(None, clock, Metrics(clock))
    result = await service.judge(make_extraction(UNJUDGED), make_reading(SAID), heard())
    assert [one.verdict for one in result.candidates] == [NO_VERDICT]


async def test_an_answer_with_too_few_verdicts_supports_nothing():
    class Short(FakeVerifier):
        async def verify(self, reading):
            return replace(await super().verify(reading), verdicts=(SUPPORTED,))

    tea = make_candidate("likes tea", quote="I like tea", verdict=NO_VERDICT)
    result = await judged(UNJUDGED, tea, verifier=Short())
    assert [one.verdict for one in result.candidates] == [NO_VERDICT, NO_VERDICT]


async def test_the_known_memory_that_is_named_is_shown():
    row = make_memory("has a puppy")
    verifier = FakeVerifier()
    again = replace(UNJUDGED, confirms=row.id)
    await judged(again, verifier=verifier, reading=make_reading(SAID, rows=(row,)))
    assert verifier.readings[0].claims[0].known is row


async def test_a_profile_is_judged_against_open_facts_and_new_notes():
    known, closed = make_memory("lives in Oslo"), make_memory("keeps a secret", channel_id=999)
    verifier = FakeVerifier()
    result = await judged(
        UNJUDGED,
        verifier=verifier,
        reading=make_reading(SAID, rows=(known, closed)),
        profile_update="Lives in Oslo with Rex.",
    )
    assert verifier.readings[0].facts == ("lives in Oslo", "has a dog named Rex")
    assert result.is_profile_supported


async def test_a_profile_whose_note_is_refused_is_not_supported():
    refusing = FakeVerifier(lambda claim: Judgement.UNSUPPORTED)
    result = await judged(UNJUDGED, verifier=refusing, profile_update="Has a dog.")
    assert not result.is_profile_supported


async def test_several_members_share_one_call():
    verifier = FakeVerifier()
    service = make_verifier(ManualClock(), verifier)
    bobs = make_event("I keep bees", author_id=20, author_name="Bob")
    jobs = [
        Unverified(make_extraction(UNJUDGED), make_reading(SAID), heard()),
        Unverified(
            make_extraction(
                make_candidate("keeps bees", subject_id=20, quote="I keep bees", verdict=NO_VERDICT)
            ),
            make_reading(bobs),
            heard(),
        ),
    ]
    results = await service.judge_together(jobs)
    assert len(verifier.readings) == 1
    assert [[one.text for one in result.candidates] for result in results] == [
        ["has a dog named Rex"],
        ["keeps bees"],
    ]


class Named:
    """Knows Bob, whose consent is on, and Zoe, whose is off."""

    async def named_with_consent(self, guild_id, channel_id, text, exclude_ids=()):
        known = {"Bob": (20, True), "Zoe": (30, False)}
        return dict(pair for name, pair in known.items() if name in text)


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("Bob lives in Rome", {"about another": 1}),
        ("I live with Bob", {}),
        ("I live with Zoe", {"names another": 1}),
        ("I live in Rome", {}),
        ("Thanks for the lessons, Bob!", {}),
        ("Thanks for the lessons, Zoe!", {"names another": 1}),
    ],
)
async def test_whom_a_sentence_names_decides_whether_it_is_judged_at_all(text, refused):
    clock, verifier = ManualClock(), FakeVerifier()
    service = CandidateVerifier(verifier, clock, Metrics(clock), Named())
    candidate = make_candidate("lives there", quote=text, verdict=NO_VERDICT)
    result = await service.judge(
        make_extraction(candidate), make_reading(make_event(text)), heard()
    )
    assert result.refused == refused
    assert len(result.candidates) == len(verifier.readings) == (0 if refused else 1)


async def test_the_verifier_is_shown_what_stands_before_a_sentence():
    first = make_event("Well. I got a dog!", id=1)
    second = make_event("his name is Rex", id=2)
    verifier = FakeVerifier()
    await judged(
        make_candidate("got a dog", quote="I got a dog", verdict=NO_VERDICT),
        make_candidate("has a dog named Rex", quote="his name is Rex", verdict=NO_VERDICT),
        verifier=verifier,
        reading=make_reading(first, second),
    )
    (reading,) = verifier.readings
    assert [claim.before for claim in reading.claims] == ["Well.", "Well. I got a dog!"]
