"""What a server's own policy makes of candidates, and how it is typed and stored."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.builders import (
    at,
    heard,
    make_candidate,
    make_event,
    make_extraction,
    make_memory,
    make_state,
)
from tests.rows import each_row
from utils.common.errors import BadInput
from utils.database.memories.write_policies import from_json, to_json
from utils.memory.consolidation.planner import plan_changes
from utils.memory.policy import write_policy
from utils.memory.policy.categories import Category
from utils.memory.policy.policy_form import choose
from utils.models.extraction import NO_VERDICT
from utils.models.memory import Consent, Form, Kind, Method, Source, Status
from utils.models.policy import WriteMode, WritePolicy, Writes

OPERATORS = WritePolicy()
MANUAL = WritePolicy(mode=WriteMode.MANUAL)
SHADOW = WritePolicy(mode=WriteMode.SHADOW)


def planned(*candidates, own=None, rows=(), method=Method.MODEL, around=None, **state):
    said = make_event(". ".join(candidate.quote for candidate in candidates))
    before = make_state(*rows, events=(said,), policy=own, **state)
    extraction = make_extraction(*candidates, method=method)
    return plan_changes(before, extraction, OPERATORS, around or heard())


def things(count):
    return [make_candidate(f"I like thing{'x' * number}") for number in range(count)]


# --- modes --------------------------------------------------------------------------------------


@each_row("kind", list(Kind))
def test_in_the_shadow_everything_is_kept_and_nothing_is_active(kind):
    plan = planned(make_candidate(kind=kind), own=SHADOW)
    assert [new.status for new in (*plan.inserts, *plan.server_facts)] == [Status.SHADOW]
    assert plan.profile is None


@each_row("kind", [Kind.FACT, Kind.TASK])
def test_without_a_verdict_a_note_waits_for_moderators_where_they_approve_its_kind(kind):
    undecided = make_candidate(kind=kind, verdict=NO_VERDICT)
    (new,) = planned(undecided, own=MANUAL).inserts
    assert (new.form, new.status, new.confidence) == (Form.NOTE, Status.PROPOSED, 0.0)
    (new,) = planned(undecided, own=WritePolicy(approve_kinds=frozenset({Kind.FACT}))).inserts
    waits = (Form.NOTE, Status.PROPOSED) if kind is Kind.FACT else (Form.QUOTE, Status.ACTIVE)
    assert (new.form, new.status) == waits
    shadow = replace(SHADOW, approve_kinds=frozenset({Kind.FACT}))
    (new,) = planned(undecided, own=shadow).inserts
    assert (new.form, new.status) == (Form.QUOTE, Status.SHADOW)


@each_row("kind", [kind for kind in Kind if kind is not Kind.PATTERN])
def test_by_hand_everything_waits_for_a_moderator(kind):
    plan = planned(make_candidate(kind=kind), own=MANUAL)
    assert [new.status for new in (*plan.inserts, *plan.server_facts)] == [Status.PROPOSED]
    assert plan.profile is None


@each_row("mode", list(WriteMode))
def test_a_refused_kind_is_learnt_neither_as_a_note_nor_as_a_quote(mode):
    own = WritePolicy(mode=mode, refused_kinds=frozenset({Kind.FACT}))
    for verdict in ({}, {"verdict": NO_VERDICT}):
        plan = planned(make_candidate(**verdict), own=own)
        assert (plan.inserts, plan.refused) == ((), {"kind": 1})
    assert write_policy.status_for(Kind.FACT, 1.0, 9, own) is None
    other = WritePolicy(refused_kinds=frozenset({Kind.TASK}))
    assert len(planned(make_candidate(), own=other).inserts) == 1


@each_row("own", [SHADOW, MANUAL])
def test_what_is_too_unsure_is_refused_in_every_mode(own):
    strict = replace(own, active_from=0.99, proposed_from=0.95)
    assert planned(make_candidate(), own=strict).refused == {"unsure": 1}


def test_a_pattern_waits_for_its_second_day_before_it_waits_for_a_moderator():
    once = planned(make_candidate("plays late", kind=Kind.PATTERN), own=MANUAL)
    assert once.inserts[0].status is Status.SHADOW
    row = make_memory("plays late", kind=Kind.PATTERN, status=Status.SHADOW, created_at=at(days=-3))
    twice = planned(make_candidate("plays late", kind=Kind.PATTERN), own=MANUAL, rows=[row])
    (again,) = twice.confirmations
    assert (again.status, twice.proposed) == (Status.PROPOSED, (row.id,))


def test_chosen_kinds_wait_and_the_others_do_not():
    own = WritePolicy(approve_kinds=frozenset({Kind.FACT}))
    plan = planned(make_candidate(), make_candidate("likes tea", kind=Kind.PREFERENCE), own=own)
    assert [new.status for new in plan.inserts] == [Status.PROPOSED, Status.ACTIVE]
    assert replace(plan, inserted=(7, 8)).proposed == (7,)


def test_what_waits_goes_on_waiting_however_often_it_is_said():
    row = make_memory(status=Status.PROPOSED, created_at=at(days=-1))
    for own in (MANUAL, SHADOW):
        plan = planned(make_candidate(), own=own, rows=[row])
        assert plan.confirmations[0].status is Status.PROPOSED
        assert plan.proposed == ()


def test_what_holds_goes_on_holding_in_every_mode():
    plan = planned(make_candidate(), own=MANUAL, rows=[make_memory(created_at=at(days=-1))])
    assert plan.confirmations[0].status is Status.ACTIVE


# --- limits -------------------------------------------------------------------------------------


def forms(plan):
    return Counter(new.form for new in plan.inserts)


def test_a_session_teaches_thirty_new_notes_and_the_others_are_quotes():
    assert forms(planned(*things(32))) == {Form.NOTE: 30, Form.QUOTE: 2}
    plan = planned(*things(3), writes=Writes(in_session=29, in_hour=29))
    assert forms(plan) == {Form.NOTE: 1, Form.QUOTE: 2}


def test_an_hour_teaches_fifty():
    plan = planned(*things(3), writes=Writes(in_session=0, in_hour=48))
    assert forms(plan) == {Form.NOTE: 2, Form.QUOTE: 1}


def test_what_is_only_said_again_is_never_too_much():
    row = make_memory(created_at=at(days=-1))
    plan = planned(make_candidate(), rows=[row], writes=Writes(in_session=30, in_hour=50))
    assert len(plan.confirmations) == 1


@given(st.integers(0, 30), st.integers(0, 70), st.integers(0, 15), st.integers(1, 20))
def test_no_burst_goes_beyond_a_limit(in_session, in_hour, count, limit):
    own = WritePolicy(writes_per_session=limit, cap=1000)
    plan = planned(*things(count), own=own, writes=Writes(in_session, in_hour))
    room = max(0, min(limit - in_session, 50 - in_hour))
    assert forms(plan)[Form.NOTE] == min(count, room)
    assert len(plan.inserts) == count


# --- lifetimes, cap, categories, ignoring -------------------------------------------------------


@given(st.sampled_from(list(Kind)), st.integers(1, 3650), st.sampled_from([None, 1, 30, 400]))
def test_no_lifetime_of_a_server_ever_prolongs_a_life(kind, own_days, asked):
    for consent in (Consent.TEMPORARY, Consent.LASTING):
        plain = write_policy.memory_end(kind, asked, at(), consent)
        shorter = write_policy.memory_end(kind, asked, at(), consent, {kind: own_days})
        assert shorter is not None
        assert plain is None or shorter <= plain


def test_of_an_ignored_member_nothing_is_learnt():
    plan = planned(make_candidate(), ignored=True)
    assert (plan.inserts, plan.refused, plan.profile) == ((), {"ignored": 1}, None)


def test_the_operator_may_let_a_category_in():
    candidate = make_candidate("has asthma")
    assert planned(candidate).refused == {"health": 1}
    allowing = replace(heard(), forbidden=frozenset(Category) - {Category.HEALTH})
    assert len(planned(candidate, around=allowing).inserts) == 1


def test_what_is_told_explicitly_waits_too():
    plan = planned(make_candidate(source=Source.EXPLICIT), own=MANUAL)
    assert plan.inserts[0].status is Status.PROPOSED


# --- as typed, and as stored --------------------------------------------------------------------


def test_only_what_is_chosen_changes():
    before = WritePolicy(longest_days={Kind.TASK: 7})
    after = choose(before, {"mode": "manual", "longest_days": "episode=90, task none"}, 500)
    assert after == replace(before, mode=WriteMode.MANUAL, longest_days={Kind.EPISODE: 90})
    assert choose(after, {"approve_kinds": "Fact pattern"}, 500).approve_kinds == {
        Kind.FACT,
        Kind.PATTERN,
    }
    refusing = choose(after, {"refused_kinds": "task"}, 500)
    assert refusing.refused_kinds == {Kind.TASK}
    assert choose(refusing, {"refused_kinds": "none"}, 500) == after
    assert choose(before, {"longest_days": "none"}, 500).longest_days == {}
    assert choose(before, {}, 500) == before


@each_row(
    "chosen",
    [
        {"mode": "quiet"},
        {"active_from": float("nan")},
        {"active_from": -0.1},
        {"active_from": 0.5},
        {"proposed_from": 0.9},
        {"passing_from": 1.1},
        {"pattern_days": 0},
        {"writes_per_session": 0},
        {"writes_per_hour": 201},
        {"cap": 0},
        {"cap": 501},
        {"approve_kinds": "fact, rumour"},
        {"refused_kinds": "rumour"},
        {"longest_days": "task"},
        {"longest_days": "task 31"},
        {"longest_days": "fact 0"},
        {"longest_days": "rumour 3"},
        {"longest_days": ""},
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(chosen):
    with pytest.raises(BadInput) as refused:
        choose(OPERATORS, chosen, 500)
    assert "\n" not in str(refused.value)


POLICIES = st.builds(
    WritePolicy,
    mode=st.sampled_from(WriteMode),
    active_from=st.floats(0, 1),
    approve_kinds=st.frozensets(st.sampled_from(Kind)),
    refused_kinds=st.frozensets(st.sampled_from(Kind)),
    longest_days=st.dictionaries(st.sampled_from(Kind), st.integers(1, 3650)),
    cap=st.integers(1, 10_000),
    recall=st.booleans(),
)


@given(POLICIES)
def test_a_policy_is_stored_and_read_unchanged(own):
    assert from_json(to_json(own)) == own


def test_a_stored_policy_of_another_version_keeps_what_is_known():
    assert from_json('{"cap": 7, "colour": "red"}') == WritePolicy(cap=7)
    with pytest.raises(ValueError, match="WritePolicy"):
        from_json("[]")
