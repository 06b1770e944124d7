"""Member state + candidates -> plan: merge, supersede, gate, cap."""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.fakes.builders import (
    CHANNEL,
    NOON,
    SUPPORTED,
    applied,
    at,
    days,
    heard,
    make_candidate,
    make_event,
    make_extraction,
    make_memory,
    make_state,
    seen_in,
)
from tests.rows import each_row
from utils.common.text import utf16_length
from utils.memory.consolidation import profile
from utils.memory.consolidation.planner import plan_changes, plan_trim
from utils.memory.consolidation.wording import same_wording
from utils.memory.extraction.bursts import as_context
from utils.memory.verification.attributes import fact_key
from utils.memory.verification.extraction_context import ContextText
from utils.models.extraction import BY_RULE, NO_VERDICT, Judgement, Verdict
from utils.models.memory import (
    Consent,
    ContextRef,
    Form,
    Importance,
    Kind,
    Profile,
    Role,
    Source,
    Status,
    VerifiedBy,
)
from utils.models.policy import WriteMode, WritePolicy, Writes

PRIVATE = 999
UNSUPPORTED = Verdict(Judgement.UNSUPPORTED, VerifiedBy.MODEL)
OTHER = Verdict(Judgement.OTHER, VerifiedBy.MODEL)
CAREFUL = WritePolicy(active_from=0.95)


def planned(*candidates, rows=(), said=None, policy=None, update=None, context=None, **state):
    """The plan for candidates that were all said in one message, unless ``said`` is given."""
    said = said or make_event(". ".join(candidate.quote for candidate in candidates))
    before = make_state(*rows, events=(said,), **state)
    facts = tuple(candidate.text for candidate in candidates)
    extraction = make_extraction(
        *candidates, profile_update=update, is_profile_supported=True, profile_facts=facts
    )
    return plan_changes(before, extraction, policy or WritePolicy(), context or heard())


# --- something new ------------------------------------------------------------------------------


def test_the_channels_readers_decide_what_a_row_is_merged_with():
    plan = planned(make_candidate(), rows=[make_memory(channel_id=PRIVATE)])
    assert len(plan.inserts) == 1
    assert not plan.confirmations


def test_a_row_can_be_found_by_its_message():
    said = make_event("my Rex is sick today", id=5)
    extraction = make_extraction(make_candidate(quote="Rex is sick"))
    plan = plan_changes(make_state(events=(said,)), extraction, WritePolicy(), heard())
    text, source = plan.inserts[0].stems.split("\n")
    assert (text.split(), source.split()) == (["dog", "name", "rex"], ["rex", "sick", "today"])


def test_a_secret_in_the_same_message_is_not_kept_for_searching():
    said = make_event("My dog is Rex. We had soup. My password is hunter2", id=5)
    extraction = make_extraction(make_candidate(quote="dog is Rex"))
    plan = plan_changes(make_state(events=(said,)), extraction, WritePolicy(), heard())
    assert plan.inserts[0].stems == "dog name rex\n"


def test_texts_are_cleaned_and_clipped_before_they_are_kept():
    long = "likes \x00\ud800tea " + "and cake 🎂" * 100
    said = make_event("likes tea and cake")
    plan = planned(make_candidate(long, quote="likes tea"), said=said)
    text = plan.inserts[0].text
    assert "\x00" not in text
    assert "\ud800" not in text
    assert utf16_length(text) <= 500


@each_row(("kind", "expected"), [(Kind.FACT, Status.PROPOSED), (Kind.PATTERN, Status.PROPOSED)])
def test_what_is_not_sure_enough_waits(kind, expected):
    plan = planned(make_candidate(kind=kind), policy=CAREFUL)
    assert plan.inserts[0].status is expected
    assert plan.profile is None


def test_a_pattern_waits_in_the_shadow_until_it_is_said_again():
    assert planned(make_candidate(kind=Kind.PATTERN)).inserts[0].status is Status.SHADOW


@each_row(
    ("old_status", "expected"), [(Status.ACTIVE, Status.ACTIVE), (Status.SHADOW, Status.SHADOW)]
)
def test_what_changes_a_habit_in_use_takes_its_place_at_once(old_status, expected):
    old = make_memory("plays bass on Thursdays", kind=Kind.PATTERN, status=old_status)
    ended = replace(SUPPORTED, ends=True)
    candidate = make_candidate(
        "plays bass on Wednesdays", kind=Kind.PATTERN, replaces=old.id, verdict=ended
    )
    (new,) = planned(candidate, rows=[old]).inserts
    assert new.status is expected
    assert new.supersedes == (old.id if expected is Status.ACTIVE else None)


# --- the same again -----------------------------------------------------------------------------


@each_row(("later", "confidence"), [(3, 0.965), (0, 0.95)])
def test_the_same_fact_adds_evidence_and_on_another_day_confidence(later, confidence):
    row = make_memory(confidence=0.95)
    said = make_event("has a dog named Rex", created_at=at(days=later))
    plan = planned(make_candidate(), rows=[row], said=said)
    (again,) = plan.confirmations
    assert not plan.inserts
    assert (again.row_id, again.confidence) == (row.id, pytest.approx(confidence))


def test_being_said_again_renews_a_life_and_never_shortens_it():
    week = make_memory(expires_at=at(days=7))
    forever = make_memory("plays the oboe")
    said = make_event("has a dog named Rex. plays the oboe", created_at=at(days=5))
    plan = planned(
        make_candidate(lifetime_days=7),
        make_candidate("plays the oboe", lifetime_days=1),
        rows=[week, forever],
        said=said,
    )
    assert [one.expires_at for one in plan.confirmations] == [at(days=12), None]


def test_a_pattern_becomes_active_when_it_was_seen_on_two_days():
    row = make_memory("plays late on Fridays", kind=Kind.PATTERN, status=Status.SHADOW)
    candidate = make_candidate("plays late on Fridays", kind=Kind.PATTERN)
    assert planned(candidate, rows=[row]).confirmations[0].status is Status.SHADOW
    said = make_event("plays late on Fridays", created_at=at(days=1))
    assert planned(candidate, rows=[row], said=said).confirmations[0].status is Status.ACTIVE


def test_a_proposed_fact_that_becomes_active_enters_the_profile():
    row = make_memory(id=1, confidence=0.78, status=Status.PROPOSED)
    plan = planned(make_candidate(), rows=[row])
    assert plan.confirmations[0].status is Status.ACTIVE
    assert plan.profile == Profile("Has a dog named Rex.", (row.id,))


def test_a_correction_that_waited_takes_the_old_value_away_when_it_is_confirmed():
    old = make_memory("lives in Berlin", confidence=1.0)
    waiting = make_memory("lives in Rome", confidence=0.78, status=Status.PROPOSED)
    plan = planned(
        make_candidate("lives in Rome"),
        rows=[old, waiting],
        corrected={waiting.id: old.id},
        profile=Profile("Lives in Berlin.", (old.id,)),
    )
    assert [c.supersedes for c in plan.confirmations] == [old.id]
    assert plan.profile == Profile("Lives in Rome.", (waiting.id,))


def test_one_message_confirms_a_row_once():
    said = make_event("has a dog named Rex")
    row = make_memory()
    evidence = {row.id: (seen_in(said.message_id, said.created_at),)}
    plan = planned(make_candidate(), rows=[row], said=said, evidence=evidence)
    assert not plan.confirmations
    assert plan.refused == {"repeated": 1}


# --- replacing ----------------------------------------------------------------------------------

BERLIN = make_memory("lives in Berlin", fact_key="home_city")
TO_ROME = make_candidate("lives in Rome", attribute="home_city", replaces=BERLIN.id)


def test_a_new_value_of_the_same_attribute_takes_the_old_ones_place():
    plan = planned(TO_ROME, rows=[BERLIN], profile=Profile("Lives in Berlin.", (BERLIN.id,)))
    assert plan.inserts[0].supersedes == BERLIN.id
    assert plan.profile.text == "Lives in Rome."
    assert (plan.profile.row_ids, plan.profile_inserts) == ((), (0,))


@each_row("attribute", ["", "birthplace"])
def test_the_new_value_may_have_another_attribute(attribute):
    plan = planned(replace(TO_ROME, attribute=attribute), rows=[BERLIN])
    assert plan.inserts[0].supersedes == BERLIN.id


NUMBER_FIVE = make_candidate("favourite number is 5", attribute="favourite_number", verdict=BY_RULE)


@each_row("read_id", [None, 424242])  # what was current when the burst was read
def test_a_rules_new_value_replaces_the_one_that_is_current_by_now(read_id):
    number = make_memory("favourite number is 4", fact_key="favourite_number")
    (new,) = planned(replace(NUMBER_FIVE, replaces=read_id), rows=[number]).inserts
    assert new.supersedes == number.id


@pytest.mark.parametrize(
    ("candidate", "row"),
    [
        (replace(NUMBER_FIVE, verdict=SUPPORTED), make_memory(fact_key="favourite_number")),
        (NUMBER_FIVE, make_memory("likes tea", fact_key="favourite_colour")),
        (NUMBER_FIVE, make_memory(fact_key="favourite_number", channel_id=PRIVATE)),
        (
            make_candidate("has a dog named Max", attribute="dog_max", verdict=BY_RULE),
            make_memory("has a dog named Rex", fact_key="dog_max"),
        ),
        (replace(TO_ROME, verdict=replace(SUPPORTED, ends=False)), BERLIN),
        (replace(TO_ROME, replaces=424242), BERLIN),
        (TO_ROME, replace(BERLIN, form=Form.QUOTE)),
    ],
    ids=[
        "a model's",
        "another attribute",
        "not visible here",
        "several values",
        "not found untrue by the verifier",
        "not the member's",
        "a quote",
    ],
)
def test_nothing_else_is_replaced(candidate, row):
    (new,) = planned(candidate, rows=[row]).inserts
    assert (new.text, new.supersedes) == (candidate.text, None)


def test_what_is_not_active_replaces_nothing_until_it_is_approved():
    plan = planned(TO_ROME, rows=[BERLIN], policy=CAREFUL)
    assert plan.inserts[0].status is Status.PROPOSED
    assert (plan.inserts[0].supersedes, plan.inserts[0].corrects) == (None, BERLIN.id)


def test_the_same_in_other_words_confirms_what_the_verifier_finds_repeated():
    row = make_memory("plays late on Fridays", kind=Kind.PATTERN, status=Status.SHADOW)
    again = make_candidate("is online at night every Friday", kind=Kind.PATTERN, confirms=row.id)
    plan = planned(again, rows=[row], said=make_event(again.quote, created_at=at(days=7)))
    assert not plan.inserts
    assert [(one.row_id, one.status) for one in plan.confirmations] == [(row.id, Status.ACTIVE)]


def test_what_the_verifier_does_not_find_repeated_is_a_memory_of_its_own():
    row = make_memory("plays late on Fridays")
    other = make_candidate(
        "works on Fridays", confirms=row.id, verdict=replace(SUPPORTED, repeats=False)
    )
    plan = planned(other, rows=[row])
    assert [new.text for new in plan.inserts] == ["works on Fridays"]
    assert not plan.confirmations


def test_two_remarks_on_one_evening_in_new_york_make_no_habit():
    row = make_memory("plays late", kind=Kind.PATTERN, status=Status.SHADOW)
    evening = row.created_at.replace(hour=23, minute=30)
    evidence = {row.id: (seen_in(1, evening),)}
    said = make_event("plays late", created_at=evening + timedelta(hours=1))
    candidate = make_candidate("plays late", kind=Kind.PATTERN)

    def status_in(zone):
        context = replace(heard(), time_zone=zone)
        plan = planned(candidate, rows=[row], said=said, evidence=evidence, context=context)
        return plan.confirmations[0].status

    assert status_in("America/New_York") is Status.SHADOW
    assert status_in("UTC") is Status.ACTIVE


def test_a_row_confirmed_and_replaced_in_one_breath_stays_replaced():
    still = make_candidate("lives in Berlin", attribute="home_city")
    plan = planned(still, TO_ROME, rows=[BERLIN])
    assert plan.inserts[0].supersedes == BERLIN.id
    assert not plan.confirmations


def test_a_row_is_replaced_once():
    plan = planned(
        TO_ROME,
        make_candidate("lives in Oslo", attribute="home_city", replaces=BERLIN.id),
        rows=[BERLIN],
    )
    assert [new.supersedes for new in plan.inserts] == [BERLIN.id, None]


def test_one_sentence_ends_several_notes():
    drink = make_memory("loves Red Bull", fact_key="drink")
    cans = make_memory("prefers the yellow cans", fact_key="cans")
    tea = make_memory("likes tea", fact_key="tea")
    quit_it = make_candidate("quit Red Bull", verdict=replace(SUPPORTED, repeats=False, ends=True))
    plan = planned(
        replace(quit_it, replaces=drink.id),
        replace(quit_it, replaces=cans.id),
        replace(quit_it, replaces=tea.id, verdict=replace(quit_it.verdict, ends=False)),
        rows=[drink, cans, tea],
    )
    (new,) = plan.inserts
    assert (new.supersedes, new.also_supersedes) == (drink.id, (cans.id,))
    assert plan.refused == {"repeated": 1}


# --- quotes -------------------------------------------------------------------------------------


@each_row("verdict", [NO_VERDICT, UNSUPPORTED])
def test_a_note_that_is_not_supported_leaves_its_sentence_as_a_quote(verdict):
    said = make_event("Hi all! My dog is named Rex. Bye")
    lie = make_candidate("has a wolf", quote="dog is named Rex", attribute="pet", verdict=verdict)
    (quote,) = planned(lie, said=said).inserts
    assert (quote.form, quote.text, quote.fact_key) == (Form.QUOTE, "My dog is named Rex.", "")
    assert quote.evidence.verified_by is VerifiedBy.NONE


def test_a_sentence_that_is_not_the_speakers_own_leaves_nothing():
    plan = planned(make_candidate(verdict=OTHER))
    assert (plan.inserts, plan.refused) == ((), {"other": 1})


def test_a_sentence_is_kept_once():
    said = make_event("I have a dog and a cat")
    plan = planned(
        make_candidate("has a dog", quote="I have a dog", verdict=NO_VERDICT),
        make_candidate("has a cat", quote="a dog and a cat", verdict=NO_VERDICT),
        said=said,
    )
    assert [new.text for new in plan.inserts] == [said.text]
    assert plan.refused == {"unverified": 1}


@each_row("verdict", [NO_VERDICT, UNSUPPORTED])
def test_a_sentence_with_a_note_is_no_quote_as_well(verdict):
    said = make_event("I have a dog and a cat")
    plan = planned(
        make_candidate("has a wolf", quote="I have a dog", verdict=verdict),
        make_candidate("has a cat", quote="a dog and a cat"),
        said=said,
    )
    (note,) = plan.inserts
    assert (note.form, note.text) == (Form.NOTE, "has a cat")
    assert plan.refused == {"unverified" if verdict is NO_VERDICT else "unsupported": 1}


def test_each_sentence_of_each_message_is_kept_once():
    said = make_event("I have a dog. I have a cat", created_at=NOON)
    quote = make_memory("I have a dog.", form=Form.QUOTE, kind=Kind.EPISODE)
    known = {quote.id: (seen_in(said.message_id, said.created_at, quote=quote.text),)}
    plan = planned(
        make_candidate("has a dog", quote="I have a dog", verdict=UNSUPPORTED),
        make_candidate("has a cat", quote="I have a cat", verdict=UNSUPPORTED),
        rows=[quote],
        said=said,
        evidence=known,
    )
    assert [new.text for new in plan.inserts] == ["I have a cat"]
    assert plan.refused == {"repeated": 1}


def test_the_same_sentence_in_another_message_confirms_its_quote():
    quote = make_memory("I have a dog.", form=Form.QUOTE, kind=Kind.EPISODE)
    said_again = make_candidate("has a dog", quote="I have a dog", verdict=UNSUPPORTED)
    again = make_event("i have a dog! And you?", message_id=77)
    plan = planned(said_again, rows=[quote], said=again)
    assert (plan.inserts, [one.row_id for one in plan.confirmations]) == ((), [quote.id])
    assert plan.confirmations[0].evidence.message_id == 77
    elsewhere = replace(again, channel_id=99, source_id=99)
    plan = planned(said_again, rows=[quote], said=elsewhere)
    assert [new.text for new in plan.inserts] == ["i have a dog!"], "others may read that channel"


def test_a_quote_ends_with_its_message():
    for consent, lasts in ((Consent.TEMPORARY, 30), (Consent.LASTING, 365)):
        (quote,) = planned(make_candidate(verdict=NO_VERDICT), consent=consent).inserts
        assert quote.expires_at == quote.evidence.said_at + days(lasts)


def test_at_a_limit_no_note_of_a_sentence_is_lost_and_the_next_sentence_is_a_quote():
    said = make_event("I have a dog and a cat. I have a boat too")
    notes = [
        make_candidate("has a dog", quote="a dog"),
        make_candidate("has a cat", quote="a cat"),
        make_candidate("has a boat", quote="a boat"),
    ]
    plan = planned(*notes, said=said, writes=Writes(in_session=29))
    assert [(new.form, new.text) for new in plan.inserts] == [
        (Form.NOTE, "has a dog"),
        (Form.NOTE, "has a cat"),
        (Form.QUOTE, "I have a boat too"),
    ]


def test_a_correction_takes_effect_in_a_full_session_but_not_in_a_full_hour():
    old = make_memory("lives in Rome", fact_key="home", id=5, last_confirmed_at=at(days=-1))
    moved = make_candidate(
        "lives in Oslo", attribute="home", replaces=5, verdict=replace(SUPPORTED, ends=True)
    )
    for in_hour, form, superseded_id in [(30, Form.NOTE, 5), (50, Form.QUOTE, None)]:
        writes, said = Writes(in_session=30, in_hour=in_hour), make_event("lives in Oslo")
        (new,) = planned(moved, rows=(old,), said=said, writes=writes).inserts
        assert (new.form, new.supersedes) == (form, superseded_id)


def test_what_was_confirmed_after_a_message_is_not_replaced_by_it():
    old = make_memory("lives in Rome", fact_key="home", id=5, last_confirmed_at=at(days=2))
    moved = make_candidate(
        "lives in Oslo", attribute="home", replaces=5, verdict=replace(SUPPORTED, ends=True)
    )
    said = make_event("lives in Oslo", created_at=at(days=1))
    plan = planned(moved, rows=(old,), said=said)
    assert plan.refused == {"outdated": 1}
    assert plan.inserts == ()


def test_words_overheard_or_from_an_attachment_are_kept_only_after_a_verdict():
    plan = planned(make_candidate(source=Source.PASSIVE, verdict=NO_VERDICT))
    assert (plan.inserts, plan.refused) == ((), {"unverified": 1})


@each_row(
    ("mode", "text", "expected"),
    [
        (WriteMode.SHADOW, "has a dog", Status.SHADOW),
        (WriteMode.MANUAL, "has a dog", Status.PROPOSED),
        (WriteMode.MANUAL, "", None),
        (WriteMode.AUTO, "", Status.ACTIVE),
    ],
)
def test_a_quote_follows_the_servers_mode(mode, text, expected):
    candidate = make_candidate(text, quote="I have a dog", verdict=NO_VERDICT)
    plan = planned(candidate, policy=WritePolicy(mode=mode))
    assert [new.status for new in plan.inserts] == ([expected] if expected else [])


def test_quotes_go_first_at_the_cap():
    quote = make_memory("I like figs", form=Form.QUOTE, importance=Importance.HIGH)
    note = make_memory("likes tea", importance=Importance.LOW)
    plan = planned(make_candidate(), rows=[quote, note], policy=WritePolicy(cap=2))
    assert plan.removals == (quote.id,)
    new_quote = make_candidate(importance=Importance.HIGH, verdict=UNSUPPORTED)
    plan = planned(new_quote, rows=[note], policy=WritePolicy(cap=1))
    assert (plan.inserts, plan.removals, plan.refused) == ((), (), {"cap": 1})


def test_a_note_loses_to_its_sentence_when_what_supplied_its_words_is_erased_meanwhile():
    said = make_event("I PASSED!!!!!")
    question = ContextRef(message_id=4)
    context = replace(
        heard(),
        around=(ContextText(question, "how did the driving test go?"),),
        erased=frozenset({question}),
    )
    note = make_candidate("passed the driving test", quote="I PASSED", kind=Kind.EPISODE)
    (kept,) = planned(note, said=said, context=context).inserts
    assert (kept.form, kept.text) == (Form.QUOTE, "I PASSED!!!!!")


# --- how long ------------------------------------------------------------------------------------


def test_a_dated_task_lasts_until_the_day_after():
    wedding = make_candidate(
        "is getting married on 5 June 2027", kind=Kind.TASK, until=date(2027, 6, 5)
    )
    said = make_event(wedding.quote, created_at=datetime(2026, 11, 22, 12, tzinfo=UTC))
    berlin = replace(heard(), time_zone="Europe/Berlin")
    now = said.created_at
    (new,) = planned(wedding, said=said, context=berlin, now=now).inserts
    assert new.expires_at == datetime(2027, 6, 6, 22, tzinfo=UTC)
    (new,) = planned(wedding, said=said, context=berlin, now=now, consent=Consent.TEMPORARY).inserts
    assert new.expires_at == said.created_at + days(30)


@each_row(
    ("kind", "note", "day"),
    [
        (Kind.TASK, "is getting married on 5 June 2027", date(2027, 6, 5)),
        (Kind.TASK, "is getting married on 5 February 2028", date(2028, 2, 5)),
        (Kind.FACT, "has an exam next Friday", date(2026, 11, 27)),
        (Kind.FACT, "was born on 5 June 1990", None),
        (Kind.PREFERENCE, "loves what comes out on 5 June 2027", None),
        (Kind.EPISODE, "booked a trip for 5 June 2027", None),
    ],
)
def test_a_note_for_which_a_model_names_no_end_ends_with_its_date(kind, note, day):
    said = make_event(note, created_at=datetime(2026, 11, 22, 12, tzinfo=UTC))
    candidate = make_candidate(note, kind=kind)
    (new,) = planned(candidate, said=said, now=said.created_at).inserts
    (undated,) = planned(
        replace(candidate, text="loves it"), said=said, now=said.created_at
    ).inserts
    end = datetime.combine(day + 2 * timedelta(days=1), time(), UTC) if day else undated.expires_at
    assert new.expires_at == end


def test_a_task_whose_week_is_over_is_not_kept():
    move = make_candidate("is moving house", kind=Kind.TASK, until=date(2026, 11, 22))
    said = make_event(move.quote, created_at=datetime(2026, 11, 18, 12, tzinfo=UTC))
    plan = planned(move, said=said, now=datetime(2026, 11, 24, 12, tzinfo=UTC))
    assert (plan.inserts, plan.refused) == ((), {"over": 1})


# --- the cap ------------------------------------------------------------------------------------


def test_over_the_cap_the_least_valued_row_goes():
    rows = [make_memory(f"likes {what}", importance=Importance.LOW) for what in ("tea", "figs")]
    plan = planned(make_candidate(importance=Importance.HIGH), rows=rows, policy=WritePolicy(cap=2))
    assert len(plan.inserts) == 1
    assert plan.removals == (rows[0].id,)


def test_a_new_row_that_is_worth_least_is_not_even_inserted():
    rows = [make_memory(f"likes {what}", importance=Importance.HIGH) for what in ("tea", "figs")]
    plan = planned(make_candidate(importance=Importance.LOW), rows=rows, policy=WritePolicy(cap=2))
    assert (plan.inserts, plan.removals, plan.refused) == ((), (), {"cap": 1})


def test_a_row_whose_successor_did_not_fit_goes_too():
    keep = make_memory("plays the oboe", importance=Importance.HIGH)
    berlin = make_memory("lives in Berlin", fact_key="home_city", importance=Importance.HIGH)
    low = replace(TO_ROME, replaces=berlin.id, importance=Importance.LOW)
    plan = planned(
        low,
        make_candidate(importance=Importance.HIGH),
        rows=[keep, berlin],
        policy=WritePolicy(cap=2),
    )
    assert plan.removals == (berlin.id,)
    assert [new.text for new in plan.inserts] == ["has a dog named Rex"]


def test_trimming_keeps_the_profile_in_step():
    rows = [make_memory("plays the oboe", id=1), make_memory("sings", id=2, created_at=at(days=1))]
    state = make_state(*rows, profile=Profile("Sings. Plays the oboe.", (2, 1)))
    assert plan_trim(state, cap=2).removals == ()
    plan = plan_trim(state, cap=1)
    assert plan.removals == (1,)
    assert plan.profile == Profile("Sings.", (2,))


# --- the profile --------------------------------------------------------------------------------


@each_row(
    ("text", "said_by", "expected"),
    [
        ("Rex is a fine name for a dog", {"author_id": 20}, "Has a lovely dog, named Rex!"),
        # With that message, nothing of it would go.
        ("a lovely day", {"author_id": 20}, "Has a dog named Rex."),
        # An answer may repeat what others said, if their words were in its prompt.
        ("a lovely day", {"role": Role.KITH, "about_ids": (10, 20)}, "Has a dog named Rex."),
        ("a lovely day", {"role": Role.KITH, "about_ids": (10,)}, "Has a lovely dog, named Rex!"),
    ],
)
def test_the_models_profile_is_taken_when_rows_cover_it(text, said_by, expected):
    context = replace(heard(), around=(as_context(make_event(text, **said_by)),))
    plan = planned(make_candidate(), update="Has a lovely dog, named Rex!", context=context)
    assert plan.profile.text == expected
    assert plan.profile_inserts == (0,)


def test_the_models_profile_is_not_taken_when_it_is_not_supported():
    said = make_event("has a dog named Rex")
    extraction = make_extraction(make_candidate(), profile_update="Stole a car in Hamburg.")
    plan = plan_changes(make_state(events=(said,)), extraction, WritePolicy(), heard())
    assert plan.profile.text == "Has a dog named Rex."


def test_the_models_profile_is_not_taken_when_one_of_its_facts_was_refused():
    said = make_event("has a dog named Rex")
    plan = planned(
        make_candidate(),
        make_candidate("plays the oboe", quote="I play the oboe"),
        said=said,
        update="Has a dog, named Rex!",
    )
    assert plan.profile.text == "Has a dog named Rex."


def test_without_a_change_of_facts_the_stored_profile_stays():
    plan = planned(make_candidate("moves house", kind=Kind.TASK, lifetime_days=7))
    assert plan.inserts
    assert plan.profile is None


# --- wording ------------------------------------------------------------------------------------


@each_row(
    ("one", "other"),
    [
        ("has a dog named Rex", "Has a dog, named Rex."),
        ("loves dogs", "loves the dog"),
        ("has a dog named Rex and a cat named Tom", "has a dog named Rex, a cat named Tom, too"),
    ],
)
def test_near_identical_wording_is_the_same(one, other):
    assert same_wording(one, other, same_attribute=True)
    assert same_wording(other, one, same_attribute=True)


@each_row(
    ("one", "other"),
    [
        ("likes tea", "does not like tea"),
        ("likes tea", "doesn't like tea"),
        ("has 2 dogs", "has 3 dogs"),
        ("mag Tee", "mag keinen Tee"),
        ("has a dog named Rex", "has a dog named Max"),
        ("has a dog", "has a dog that guards the farm of the neighbours"),
        (
            "works as a night nurse for children in the big old university hospital of Berlin",
            "works as a night nurse for children in the big old university hospital of Hamburg",
        ),
    ],
)
def test_a_negation_a_number_or_another_name_makes_it_different(one, other):
    assert not same_wording(one, other, same_attribute=True)


def test_without_an_attribute_only_the_very_same_words_are_the_same():
    longer = "has a big brown dog named Rex at home"
    assert same_wording("has a big brown dog named Rex", longer, same_attribute=True)
    assert not same_wording("has a big brown dog named Rex", longer, same_attribute=False)


@each_row(
    ("given", "key"),
    [
        ("Pet name", "pet_name"),
        ("petName!", "petname"),
        ("  ", ""),
        ("🐶", ""),
        ("犬の名前", "犬の名前"),
    ],
)
def test_an_attribute_becomes_a_key_in_snake_case(given, key):
    assert fact_key(given) == key


@given(st.text(max_size=300))
def test_a_key_always_fits_its_column(attribute):
    key = fact_key(attribute)
    assert utf16_length(key) <= 100
    assert not key.endswith(" ")
    assert fact_key(key) == key


# --- whatever the model answers -----------------------------------------------------------------

PHRASES = [
    "lives in Berlin",
    "lives in Rome",
    "has a dog named Rex",
    "has a cat named Tom",
    "likes tea",
    "does not like tea",
    "plays late on Fridays",
]
CANDIDATES = st.lists(
    st.builds(
        make_candidate,
        text=st.sampled_from(PHRASES),
        quote=st.sampled_from(PHRASES),
        kind=st.sampled_from(Kind),
        importance=st.sampled_from(Importance),
        verdict=st.sampled_from([SUPPORTED, NO_VERDICT, UNSUPPORTED, OTHER]),
        lifetime_days=st.sampled_from([None, 1, 30]),
        attribute=st.sampled_from(["", "home_city", "pet"]),
        replaces=st.none() | st.integers(1, 6),
        source=st.sampled_from([Source.CHAT, Source.PASSIVE, Source.EXPLICIT]),
    ),
    max_size=8,
)
OLD_ROWS = st.lists(
    st.builds(
        dict,
        text=st.sampled_from(PHRASES),
        kind=st.sampled_from(Kind),
        importance=st.sampled_from(Importance),
        status=st.sampled_from([Status.ACTIVE, Status.PROPOSED, Status.SHADOW]),
        fact_key=st.sampled_from(["", "home_city", "pet"]),
        channel_id=st.sampled_from([CHANNEL, PRIVATE]),
    ),
    max_size=6,
)
UPDATES = st.none() | st.sampled_from(PHRASES) | st.text(max_size=40)


def drawn(old_rows, candidates, update, cap, **state):
    rows = [make_memory(id=number, **row) for number, row in enumerate(old_rows[:cap], 1)]
    said = make_event(". ".join(PHRASES), created_at=at(days=1))
    before = make_state(*rows, events=(said,), profile=profile.render(rows), **state)
    return before, make_extraction(*candidates, profile_update=update)


@given(OLD_ROWS, CANDIDATES, UPDATES, st.integers(1, 6))
def test_the_cap_holds_whatever_is_proposed(old_rows, candidates, update, cap):
    before, extraction = drawn(old_rows, candidates, update, cap)
    after = applied(before, plan_changes(before, extraction, WritePolicy(cap=cap), heard()))
    assert len(after.rows) <= cap


@given(OLD_ROWS, CANDIDATES, UPDATES)
def test_the_same_extraction_a_second_time_adds_nothing(old_rows, candidates, update):
    before, extraction = drawn(old_rows, candidates, update, cap=50)
    # Not where it contradicts itself: what it says of a row and replaces is gone the second time.
    replaced = {row.text for row in before.rows if row.id in {c.replaces for c in candidates}}
    assume(
        not any(
            same_wording(text, candidate.text, same_attribute=True)
            for text in replaced
            for candidate in candidates
        )
    )
    policy = WritePolicy(cap=50)
    once = applied(before, plan_changes(before, extraction, policy, heard()))
    again = plan_changes(once, extraction, policy, heard())
    assert (again.inserts, again.confirmations, again.removals) == ((), (), ())


@given(OLD_ROWS, CANDIDATES, UPDATES, st.integers(1, 6))
def test_the_profile_names_only_live_facts_that_remain(old_rows, candidates, update, cap):
    before, extraction = drawn(old_rows, candidates, update, cap)
    after = applied(before, plan_changes(before, extraction, WritePolicy(cap=cap), heard()))
    assert not any(row.form is Form.QUOTE and row.id in after.profile.row_ids for row in after.rows)
    facts = {row.id for row in after.rows if row.kind is Kind.FACT and row.status is Status.ACTIVE}
    if after.profile != before.profile:
        assert facts.issuperset(after.profile.row_ids)
        assert utf16_length(after.profile.text) <= 600
        assert bool(after.profile.text) == bool(after.profile.row_ids)


@given(OLD_ROWS, CANDIDATES, UPDATES, st.sampled_from([{"consent": Consent.OFF}, {"frozen": True}]))
def test_nothing_is_learnt_without_consent_or_while_frozen(old_rows, candidates, update, state):
    before, extraction = drawn(old_rows, candidates, update, 50, **state)
    plan = plan_changes(before, extraction, WritePolicy(), heard())
    assert (plan.inserts, plan.confirmations, plan.profile) == ((), (), None)


@given(OLD_ROWS, CANDIDATES)
def test_under_temporary_consent_nothing_new_outlives_30_days(old_rows, candidates):
    before, extraction = drawn(old_rows, candidates, None, 50, consent=Consent.TEMPORARY)
    for new in plan_changes(before, extraction, WritePolicy(), heard()).inserts:
        assert new.expires_at <= new.evidence.said_at + days(30)


# --- relative days --------------------------------------------------------------------------------


@each_row(
    ("note", "kind", "stored", "form"),
    [
        ("moves tomorrow", Kind.TASK, "moves tomorrow (11 March 2026)", Form.NOTE),
        ("has an exam on Friday", Kind.TASK, "has an exam on Friday (13 March 2026)", Form.NOTE),
        ("trains on Friday", Kind.PATTERN, "trains on Friday", Form.NOTE),
        ("travels next summer", Kind.TASK, "I said it in my words", Form.QUOTE),
    ],
)
def test_a_notes_relative_days_have_dates(note, kind, stored, form):
    plan = planned(
        make_candidate(note, kind=kind, quote="I said it in my words"),
        said=make_event("I said it in my words", created_at=at(days=-1)),
    )
    assert [(new.text, new.form) for new in plan.inserts] == [(stored, form)]


@each_row(
    ("consent", "day", "expected"),
    [
        (Consent.TEMPORARY, date(2027, 6, 5), date(2027, 6, 5)),
        (Consent.TEMPORARY, date(2026, 3, 20), None),
        (Consent.LASTING, date(2026, 6, 5), None),
    ],
)
def test_a_plan_says_which_date_temporary_consent_does_not_reach(consent, day, expected):
    wedding = make_candidate("is getting married in summer", kind=Kind.TASK, until=day)
    (new,) = planned(wedding, said=make_event(wedding.quote), consent=consent).inserts
    assert new.outlasted_by == expected
