"""Whole plans: every field of what is inserted, confirmed and kept as a quote."""

from dataclasses import replace
from datetime import date

import pytest

from tests.fakes.builders import (
    CHANNEL,
    NOON,
    at,
    heard,
    make_candidate,
    make_event,
    make_extraction,
    make_memory,
    make_state,
    seen_in,
)
from tests.rows import each_row
from utils.memory.consolidation import profile
from utils.memory.consolidation.planner import plan_changes, plan_trim
from utils.memory.verification.extraction_context import ContextText
from utils.models.extraction import NO_VERDICT, Judgement, Verdict
from utils.models.memory import (
    Consent,
    ContextRef,
    Evidence,
    Form,
    Importance,
    Kind,
    Method,
    Profile,
    Source,
    Status,
    VerifiedBy,
)
from utils.models.plan import Confirmation, NewMemory, Plan
from utils.models.policy import WriteMode, WritePolicy, Writes

SAID = make_event("My dog is named Rex", message_id=50, source_id=77)
UNSUPPORTED = Verdict(Judgement.UNSUPPORTED, VerifiedBy.MODEL)
AROUND = (ContextText(ContextRef(message_id=4), "the terrier"),)
CONTEXT = replace(heard(77), around=AROUND)
DOG = make_candidate(
    "has a terrier named Rex",
    quote="dog is named Rex",
    attribute="Pet name",
    topics=("Dogs", "dogs"),
    importance=Importance.HIGH,
    kind=Kind.PREFERENCE,
    lifetime_days=7,
)
EVIDENCE = Evidence(
    50,
    CHANNEL,
    "My dog is named Rex",
    Method.MODEL,
    NOON,
    "large-1",
    "abc",
    VerifiedBy.MODEL,
    "small-1",
    "",
    (ContextRef(message_id=4),),
)


def planned(*candidates, rows=(), events=(SAID,), policy=None, context=CONTEXT, **given):
    """The plan for candidates, and whatever else is given of the state."""
    extraction = {name: given.pop(name) for name in ("method", "refused") if name in given}
    made = make_extraction(*candidates, model="large-1", prompt_hash="abc", **extraction)
    state = make_state(*rows, events=tuple(events), **given)
    return plan_changes(state, made, policy or WritePolicy(), context)


def test_a_note_is_inserted_with_all_that_is_known_of_it():
    assert planned(DOG) == Plan(
        inserts=(
            NewMemory(
                text="has a terrier named Rex",
                topics=("dogs",),
                importance=Importance.HIGH,
                kind=Kind.PREFERENCE,
                fact_key="pet_name",
                source=Source.CHAT,
                status=Status.ACTIVE,
                confidence=0.9,
                channel_id=77,
                stems="terrier name rex\ndog name rex",
                expires_at=at(days=7),
                evidence=EVIDENCE,
            ),
        )
    )


def test_a_confirmation_raises_what_is_known_and_lowers_nothing():
    row = make_memory(
        "has a terrier named Rex",
        channel_id=77,
        confidence=0.5,
        importance=Importance.LOW,
        kind=Kind.PREFERENCE,
        status=Status.PROPOSED,
        expires_at=at(days=3),
    )
    confirmation = Confirmation(
        row.id, 0.9, Importance.HIGH, at(days=7), Status.ACTIVE, EVIDENCE, is_promoted=True
    )
    assert planned(DOG, rows=[row]).confirmations == (confirmation,)
    sure = replace(row, confidence=0.99, importance=Importance.HIGH, status=Status.ACTIVE)
    lasting = replace(sure, expires_at=None)
    again = planned(replace(DOG, importance=Importance.LOW), rows=[lasting])
    assert again.confirmations == (
        Confirmation(row.id, 0.99, Importance.HIGH, None, Status.ACTIVE, EVIDENCE),
    )
    twice = planned(DOG, DOG, rows=[row])
    assert (len(twice.confirmations), twice.refused) == (1, {"repeated": 1})


def test_a_confirmation_never_lowers_a_status():
    late = {"kind": Kind.PATTERN, "channel_id": 77}
    again = replace(DOG, kind=Kind.PATTERN)
    for before, policy, after in (
        (Status.PROPOSED, WritePolicy(), Status.PROPOSED),
        (Status.SHADOW, WritePolicy(), Status.SHADOW),
        (Status.SHADOW, WritePolicy(active_from=0.99), Status.PROPOSED),
        (Status.SHADOW, WritePolicy(active_from=1, proposed_from=1), Status.SHADOW),
        (Status.ACTIVE, WritePolicy(active_from=0.99), Status.ACTIVE),
        (Status.SHADOW, WritePolicy(pattern_days=1), Status.ACTIVE),
    ):
        row = make_memory(DOG.text, status=before, confidence=0.5, **late)
        (made,) = planned(again, rows=[row], policy=policy).confirmations
        assert (made.status, made.is_promoted) == (after, after is not before)


@each_row(
    ("channel_id", "text", "message_id", "is_absorbed"),
    [
        (CHANNEL, "My dog is named Rex", 50, True),
        (CHANNEL, "My dog is named Rex", 1, True),  # the same words of another message
        (CHANNEL, "Rex is named my dog, so", 50, False),
        (CHANNEL, "Rex is ill", 50, False),
        (4711, "My dog is named Rex", 50, False),  # not readable here
    ],
)
def test_a_note_stands_for_the_quotes_of_its_sentence(channel_id, text, message_id, is_absorbed):
    quote = make_memory(text, form=Form.QUOTE, channel_id=channel_id)
    evidence = {quote.id: (seen_in(message_id, NOON, quote=text),)}
    plan = planned(DOG, rows=[quote], evidence=evidence)
    assert plan.removals == ((quote.id,) if is_absorbed else ())
    row = make_memory("has a terrier named Rex", channel_id=77)
    plan = planned(DOG, rows=[quote, row], evidence=evidence)
    assert plan.removals == ((quote.id,) if is_absorbed else ())
    assert len(plan.confirmations) == 1


def test_a_note_takes_the_place_of_a_quote_of_the_same_burst():
    vague = make_candidate("travels next summer", quote="named Rex", kind=Kind.TASK)
    plan = planned(vague, DOG)
    assert [(new.form, new.text) for new in plan.inserts] == [(Form.NOTE, DOG.text)]
    other = make_event("We travel next summer", message_id=51)
    elsewhere = replace(vague, quote="We travel next summer")
    plan = planned(elsewhere, DOG, events=[SAID, other])
    assert [new.form for new in plan.inserts] == [Form.QUOTE, Form.NOTE]


def test_the_same_sentence_of_another_message_is_a_quote_of_its_own():
    again = make_event("My dog is named Rex", message_id=51)
    waiting = replace(DOG, verdict=NO_VERDICT, message_id=50)
    plan = planned(waiting, replace(waiting, message_id=51), events=[SAID, again])
    assert [new.evidence.message_id for new in plan.inserts] == [50, 51]


@each_row(
    ("candidate", "given", "reason"),
    [
        (replace(DOG, verdict=UNSUPPORTED), {"now": at(days=365)}, "over"),
        (DOG, {"now": at(days=7)}, "over"),
        (
            replace(DOG, text="", verdict=NO_VERDICT),
            {"policy": WritePolicy(mode=WriteMode.MANUAL)},
            "no note",
        ),
        (replace(DOG, source=Source.PASSIVE, verdict=UNSUPPORTED), {}, "unverified"),
        (DOG, {"consent": Consent.OFF}, "consent"),
    ],
)
def test_what_is_not_kept_is_counted_with_its_reason(candidate, given, reason):
    plan = planned(candidate, refused={"quote": 2}, **given)
    assert (plan.inserts, plan.refused) == ((), {"quote": 2, reason: 1})


def test_a_row_said_at_the_same_time_as_its_correction_is_replaced():
    row = make_memory("has a cat", channel_id=77, last_confirmed_at=NOON)
    (new,) = planned(replace(DOG, replaces=row.id), rows=[row]).inserts
    assert new.supersedes == row.id


def test_a_correction_that_repeats_its_row_confirms_nothing():
    row = make_memory("has a terrier named Rex", channel_id=77, fact_key="pet_name")
    plan = planned(replace(DOG, replaces=row.id), rows=[row])
    assert (plan.confirmations, plan.inserts, plan.refused) == ((), (), {"repeated": 1})
    row = replace(row, text="has a big brown terrier named Rex")
    longer = replace(DOG, text=f"{row.text} indeed")
    plan = planned(replace(longer, replaces=row.id), rows=[row])
    assert [new.supersedes for new in plan.inserts] == [row.id]
    assert len(planned(longer, rows=[row]).confirmations) == 1
    for attribute, key in (("pet", "pet_name"), ("", "")):
        plan = planned(replace(longer, attribute=attribute), rows=[replace(row, fact_key=key)])
        assert (len(plan.inserts), plan.confirmations) == (1, ())
    both = replace(DOG, text="walks", replaces=row.id, confirms=row.id)
    assert [new.supersedes for new in planned(both, rows=[row]).inserts] == [row.id]


def test_limits_count_what_this_burst_adds_but_imports_and_quotes_are_free():
    notes = [make_candidate(f"likes {what}") for what in ("tea", "figs", "rice")]
    said = make_event("likes tea. likes figs. likes rice")
    policy = WritePolicy(writes_per_session=2, writes_per_hour=3)
    expected = [
        ({}, [Form.NOTE, Form.NOTE, Form.QUOTE]),
        ({"writes": Writes(in_hour=2)}, [Form.NOTE, Form.QUOTE, Form.QUOTE]),
        ({"method": Method.IMPORT}, [Form.NOTE] * 3),
    ]
    for given, forms in expected:
        plan = planned(*notes, events=[said], policy=policy, **given)
        assert [new.form for new in plan.inserts] == forms


def test_the_profile_is_that_of_the_channels_that_everyone_reads():
    secret = make_memory("has a cat", channel_id=5)
    fact = replace(DOG, kind=Kind.FACT, lifetime_days=None)
    closed = replace(CONTEXT, sources=frozenset({77, 5}), open_sources=frozenset({77}))
    plan = planned(fact, rows=[secret], context=closed)
    assert plan.profile == Profile("Has a terrier named Rex.", ())
    assert plan.profile_inserts == (0,)
    nowhere = replace(closed, open_sources=frozenset())
    assert planned(fact, rows=[secret], context=nowhere).profile is None


def test_a_profile_only_loses_what_is_gone_where_nothing_may_be_written():
    rows = [make_memory("has a cat", id=1), make_memory("sings", id=2)]
    stored = Profile("Sings. Has a cat.", (2, 1))
    trimmed = planned(rows=rows, profile=stored, policy=WritePolicy(cap=1), frozen=True)
    assert (trimmed.removals, trimmed.profile) == ((1,), Profile("Sings.", (2,)))
    for given in ({"frozen": True}, {"ignored": True}, {"consent": Consent.OFF}):
        plan = planned(rows=rows, profile=Profile("Old.", (2, 1)), **given)
        assert plan.profile is None
    plan = planned(rows=rows, profile=Profile("Old.", (2,)))
    assert plan.profile == Profile("Old. Has a cat.", (2, 1))


def test_a_stored_profile_of_the_same_facts_keeps_its_wording():
    rows = [make_memory("has a cat", id=1), make_memory("sings", id=2)]
    assert planned(rows=rows, profile=Profile("A singer with a cat.", (1, 2))).profile is None
    assert planned(rows=rows, profile=profile.render(rows)).profile is None


def test_a_server_trims_to_its_own_cap_if_that_is_lower():
    rows = [make_memory(f"likes {n} cats", id=n) for n in (1, 2, 3)]
    for own, cap, removed in ((None, 2, 1), (2, 3, 1), (3, 2, 1), (1, 3, 2)):
        policy = None if own is None else WritePolicy(cap=own)
        plan = plan_trim(make_state(*rows, policy=policy), cap)
        assert (len(plan.removals), plan.profile) == (removed, None)
    kept = plan_trim(make_state(*rows, profile=Profile("Likes 1 cats.", (1,))), 2)
    assert (kept.removals, kept.profile) == ((1,), Profile())  # the profile's go as others do


def test_a_dated_task_ends_at_its_date_and_a_servers_own_limit_counts():
    task = replace(DOG, kind=Kind.TASK, until=date(2026, 3, 13), lifetime_days=None)
    (new,) = planned(task).inserts
    assert new.expires_at == at(days=4).replace(hour=0)
    limited = WritePolicy(longest_days={Kind.PREFERENCE: 2})
    (new,) = planned(DOG, policy=limited).inserts
    assert new.expires_at == at(days=2)


def test_overheard_words_start_less_sure():
    (new,) = planned(replace(DOG, source=Source.PASSIVE)).inserts
    assert (new.source, new.confidence) == (Source.PASSIVE, pytest.approx(0.81))
