"""Candidates are checked, and those that need it get a verdict."""

from collections import Counter
from dataclasses import replace

from tests.fakes.builders import (
    ADA,
    GUILD,
    SUPPORTED,
    FakeVerifier,
    NobodyNamed,
    heard,
    make_candidate,
    make_event,
    make_extraction,
    make_memory,
    make_reading,
    make_verifier,
)
from tests.fakes.clock import ManualClock
from tests.rows import each_row
from utils.common.errors import BudgetSpent, ModelMalformed, ModelUnreachable
from utils.memory.verification.candidate_verifier import CandidateVerifier, ExtractedNotes
from utils.memory.verification.model_verifier import Claim, VerificationInput
from utils.models.attachment import AttachmentKind, AttachmentState, AttachmentText
from utils.models.extraction import BY_RULE, NO_VERDICT, Judgement
from utils.models.memory import Form, Kind, Member, Status
from utils.runtime.metrics import Metrics

SAID = make_event("I have a dog named Rex. I like tea")
UNRELATED = {"repeats": False, "ends": False}
UNJUDGED = make_candidate(quote="I have a dog named Rex", verdict=NO_VERDICT)


async def judged(*candidates, verifier=None, reading=None, **given):
    service = make_verifier(ManualClock(), verifier)
    extraction = make_extraction(*candidates, **given)
    return await service.judge(ExtractedNotes(extraction, reading or make_reading(SAID), heard()))


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


@each_row("error", [ModelUnreachable(), ModelMalformed(), BudgetSpent(is_share=True)])
async def test_without_an_answer_nothing_is_supported(error):
    verifier = FakeVerifier()
    verifier.failures.append(error)
    result = await judged(UNJUDGED, verifier=verifier)
    assert [one.verdict for one in result.candidates] == [NO_VERDICT]


async def test_without_a_model_nothing_is_supported():
    clock = ManualClock()
    service = CandidateVerifier(None, clock, Metrics(clock), NobodyNamed())
    result = await service.judge(
        ExtractedNotes(make_extraction(UNJUDGED), make_reading(SAID), heard())
    )
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


@each_row(
    ("verdict", "confirms", "replaces"),
    [({"ends": True}, None, 7), ({"repeats": True}, 7, None), ({}, None, None)],
)
async def test_a_note_about_the_same_attribute_is_judged_though_none_is_named(
    verdict, confirms, replaces
):
    class Decided(FakeVerifier):
        async def verify(self, reading):
            answer = await super().verify(reading)
            return replace(answer, verdicts=(replace(SUPPORTED, **UNRELATED | verdict),))

    rows = (
        make_memory("has a cat", id=6, fact_key="home_pet"),
        make_memory("has a puppy", id=7, fact_key="home_pet"),
        make_memory("lives in Oslo", id=9, fact_key="home"),
    )
    verifier = Decided()
    about = replace(UNJUDGED, attribute="Home pet")
    result = await judged(about, verifier=verifier, reading=make_reading(SAID, rows=rows))
    assert verifier.readings[0].claims[0].known is rows[1]
    assert [(one.confirms, one.replaces) for one in result.candidates] == [(confirms, replaces)]


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


class Named:
    """Knows Bob, whose consent is on, and Zoe, whose is off."""

    async def named_with_consent(self, guild_id, text, *, author_id):
        known = {"Bob": (20, True), "Zoe": (30, False)}
        return dict(pair for name, pair in known.items() if name in text)


async def test_a_note_that_names_whom_its_sentence_does_not_is_refused_without_its_sentence():
    service = CandidateVerifier(FakeVerifier(), clock := ManualClock(), Metrics(clock), Named())
    said = make_event("Yes, she moved in with me")
    candidates = [
        make_candidate(text, quote="she moved in with me", verdict=NO_VERDICT)
        for text in ("lives with Zoe", "lives with Bob")
    ]
    result = await service.judge(
        ExtractedNotes(make_extraction(*candidates), make_reading(said), heard())
    )
    assert [candidate.text for candidate in result.candidates] == ["lives with Bob"]
    assert result.refused == {"names another": 1}


@each_row(
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
        ExtractedNotes(make_extraction(candidate), make_reading(make_event(text)), heard())
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


def texts(extraction):
    return [candidate.text for candidate in extraction.candidates]


async def test_the_verifier_gets_all_that_is_known_of_the_burst_and_the_server():
    verifier, clock = FakeVerifier(), ManualClock()
    first, second = make_event("We got lots. Of cats!", id=1), make_event("my flight", id=2)
    earlier = [make_event(text, id=number) for number, text in enumerate("abc", -3)]
    old, new = make_memory("has a cat", id=5), make_memory("has a puppy", id=6)
    shown = AttachmentText(AttachmentKind.IMAGE, "a.png", AttachmentState.DONE, "Flight to Oslo")
    context = replace(heard(), replied_to={1: "and you?"}, attached={2: (shown,)})
    cats = make_candidate("has many cats", quote="of cats", confirms=5, verdict=NO_VERDICT)
    flight = make_candidate(
        "flies to Oslo", quote="flight to", kind=Kind.TASK, replaces=6, confirms=5,
        verdict=NO_VERDICT,
    )  # fmt: skip
    result = await make_verifier(clock, verifier).judge(
        ExtractedNotes(
            make_extraction(cats, flight, refused=Counter(quote=2)),
            make_reading(
                first, second, previous=tuple(earlier), rows=(old, new), time_zone="Asia/Tokyo"
            ),
            context,
        )
    )
    attached = replace(second, text="Flight to Oslo", attachment_texts=(shown,))
    assert verifier.readings == [
        VerificationInput(
            member=ADA,
            claims=(
                Claim(cats, first, "Of cats!", old, "We got lots.", second.text),
                Claim(flight, attached, "Flight to Oslo", new, first.text, "", "my flight"),
            ),
            previous=tuple(earlier[-2:]),
            now=clock.now(),
            time_zone="Asia/Tokyo",
            replied_to={1: "and you?"},
        )
    ]
    assert texts(result) == ["has many cats", "flies to Oslo"]
    assert (result.refused, result.profile_facts) == ({"quote": 2}, ())
    assert not result.is_profile_supported


@each_row(
    ("known", "count"),
    [
        ({"form": Form.QUOTE}, 1),
        ({"kind": Kind.PREFERENCE}, 1),
        ({"status": Status.PROPOSED}, 1),
        ({"channel_id": 999}, 1),
        ({"id": 5}, 1),  # it is replaced
        ({"text": "has a dog named Rex"}, 1),  # the same words
        ({}, 2),
    ],
)
async def test_a_profile_is_made_of_notes_of_open_active_facts_that_stay(known, count):
    row = make_memory(known.pop("text", "lives in Oslo"), **known)
    verifier = FakeVerifier()
    result = await judged(
        replace(UNJUDGED, replaces=5),
        replace(UNJUDGED, text="likes tea", kind=Kind.PREFERENCE),
        replace(UNJUDGED, text="is away", lifetime_days=3),
        replace(UNJUDGED, text=""),
        verifier=verifier,
        reading=make_reading(SAID, rows=(row,)),
        profile_update="Lives in Oslo with Rex.",
    )
    assert len(verifier.readings[0].facts) == count
    assert verifier.readings[0].profile_update == "Lives in Oslo with Rex."
    assert result.profile_facts == verifier.readings[0].facts
    assert result.is_profile_supported


async def test_a_profile_fails_only_for_a_refused_fact_of_its_own():
    wish = make_candidate("likes tea", quote="I like tea", kind=Kind.PREFERENCE, verdict=NO_VERDICT)
    refusing = FakeVerifier(
        lambda claim: Judgement.OTHER if claim.candidate is wish else Judgement.SUPPORTED
    )
    result = await judged(UNJUDGED, wish, verifier=refusing, profile_update="Has a dog.")
    assert result.is_profile_supported

    class Unsure(FakeVerifier):
        async def verify(self, reading):
            return replace(await super().verify(reading), is_profile_supported=False)

    result = await judged(UNJUDGED, verifier=Unsure(), profile_update="Has a dog.")
    assert not result.is_profile_supported


async def test_a_call_for_several_members_holds_all_of_their_claims_in_order():
    judge = {"has a dog named Rex": Judgement.OTHER, "keeps bees": Judgement.UNSUPPORTED}
    verifier = FakeVerifier(lambda claim: judge.get(claim.candidate.text, Judgement.SUPPORTED))
    clock = ManualClock()
    bobs = make_event("I keep bees", id=8, author_id=20, author_name="Bob")
    bees = make_candidate("keeps bees", subject_id=20, quote="I keep bees", verdict=NO_VERDICT)
    tea = make_candidate("likes tea", quote="I like tea", verdict=NO_VERDICT)
    context = heard()
    results = await make_verifier(clock, verifier).judge_together(
        [
            ExtractedNotes(
                make_extraction(UNJUDGED, tea),
                make_reading(SAID, time_zone="Asia/Tokyo"),
                replace(context, replied_to={1: "one"}),
            ),
            ExtractedNotes(
                make_extraction(bees), make_reading(bobs), replace(context, replied_to={8: "two"})
            ),
        ]
    )
    assert verifier.readings == [
        VerificationInput(
            member=Member(GUILD, 0),
            claims=(
                Claim(UNJUDGED, SAID, "I have a dog named Rex.", after="I like tea"),
                Claim(tea, SAID, "I like tea", before="I have a dog named Rex."),
                Claim(bees, bobs, "I keep bees"),
            ),
            previous=(),
            now=clock.now(),
            time_zone="Asia/Tokyo",
            replied_to={1: "one", 8: "two"},
        )
    ]
    assert [[c.verdict.judgement for c in result.candidates] for result in results] == [
        [Judgement.OTHER, Judgement.SUPPORTED],
        [Judgement.UNSUPPORTED],
    ]


async def test_a_refused_sentence_leaves_the_claims_of_the_others_their_verdicts():
    judge = {"sings": Judgement.OTHER, "likes tea": Judgement.UNSUPPORTED}
    verifier = FakeVerifier(lambda claim: judge.get(claim.candidate.text, Judgement.SUPPORTED))
    asked = []

    class Asked(Named):
        async def named_with_consent(self, guild_id, text, *, author_id):
            asked.append((guild_id, author_id))
            return await super().named_with_consent(guild_id, text, author_id=author_id)

    clock = ManualClock()
    service = CandidateVerifier(verifier, clock, Metrics(clock), Asked())
    said = make_event("Bob lives in Rome. I sing. I live with Zoe. I like tea. I sang")
    candidates = [
        make_candidate(text, quote=quote, verdict=verdict)
        for text, quote, verdict in (
            ("lives in Rome", "lives in Rome", NO_VERDICT),
            ("lives", "Bob lives in", NO_VERDICT),
            ("sings", "I sing", NO_VERDICT),
            ("lives with Zoe", "with Zoe", NO_VERDICT),
            ("sang", "I sang", BY_RULE),
            ("likes tea", "I like tea", NO_VERDICT),
        )
    ]
    result = await service.judge(
        ExtractedNotes(
            make_extraction(*candidates, refused=Counter({"names another": 1})),
            make_reading(said),
            heard(),
        )
    )
    assert [(c.text, c.verdict.judgement) for c in result.candidates] == [
        ("sings", Judgement.OTHER),
        ("sang", Judgement.SUPPORTED),
        ("likes tea", Judgement.UNSUPPORTED),
    ]
    assert result.refused == {"about another": 2, "names another": 2}
    assert set(asked) == {(GUILD, ADA.user_id)}
