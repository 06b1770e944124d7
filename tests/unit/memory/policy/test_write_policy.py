"""What may be kept, for how long, and how surely."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.builders import NOON, at, days, make_memory
from tests.rows import each_row
from utils.memory.policy import write_policy
from utils.models.memory import Consent, Importance, Kind, Source, Status, VerifiedBy
from utils.models.policy import WriteMode, WritePolicy

WRITE = WritePolicy()


def end_in_days(kind, lifetime_days, consent):
    end = write_policy.memory_end(kind, lifetime_days, NOON, consent)
    return None if end is None else (end - NOON).days


@each_row(
    ("kind", "asked", "lasting"),
    [
        (Kind.FACT, None, None),
        (Kind.FACT, 7, 7),
        (Kind.PREFERENCE, None, None),
        (Kind.CONSTRAINT, None, None),
        (Kind.PATTERN, None, 90),
        (Kind.TASK, None, 30),
        (Kind.TASK, 3, 3),
        (Kind.EPISODE, None, None),
        (Kind.LORE, None, 90),
    ],
)
def test_a_lifetime_holds_inside_its_kinds_longest(kind, asked, lasting):
    assert end_in_days(kind, asked, Consent.LASTING) == lasting


@each_row("kind", list(Kind))
@each_row("asked", [1, 3, 7, 30, None])
def test_without_lasting_consent_nothing_outlives_30_days(kind, asked):
    assert end_in_days(kind, asked, Consent.TEMPORARY) <= 30


def test_messages_end_after_30_days_or_a_year_under_lasting_consent():
    assert write_policy.event_end(NOON, Consent.TEMPORARY) == NOON + days(30)
    assert write_policy.event_end(NOON, Consent.LASTING) == NOON + days(365)


def test_no_message_has_an_end_under_consent_off_because_none_is_kept():
    with pytest.raises(KeyError):
        write_policy.event_end(NOON, Consent.OFF)


@each_row(
    ("by", "source", "is_attached", "expected"),
    [
        (VerifiedBy.MODEL, Source.CHAT, False, 0.9),
        (VerifiedBy.RULE, Source.CHAT, False, 0.95),
        (VerifiedBy.MEMBER, Source.EXPLICIT, False, 1.0),
        (VerifiedBy.MODERATOR, Source.CHAT, False, 1.0),
        (VerifiedBy.MODEL, Source.PASSIVE, False, 0.81),
        (VerifiedBy.MODEL, Source.CHAT, True, 0.63),
    ],
)
def test_who_verified_a_note_says_how_sure_it_is(by, source, is_attached, expected):
    confidence = write_policy.starting_confidence(by, source, is_attached=is_attached)
    assert confidence == pytest.approx(expected)


def test_a_further_day_closes_30_percent_of_the_gap_and_the_same_day_nothing():
    assert write_policy.confidence_after(0.8, further_day=True) == pytest.approx(0.86)
    assert write_policy.confidence_after(0.8, further_day=False) == 0.8


@each_row(
    ("kind", "confidence", "seen_on", "status"),
    [
        (Kind.FACT, 0.80, 1, Status.ACTIVE),
        (Kind.FACT, 0.79, 1, Status.PROPOSED),
        (Kind.FACT, 0.75, 1, Status.PROPOSED),
        (Kind.FACT, 0.74, 1, None),
        (Kind.CONSTRAINT, 0.80, 1, Status.ACTIVE),
        (Kind.PATTERN, 0.95, 1, Status.SHADOW),
        (Kind.PATTERN, 0.95, 2, Status.ACTIVE),
        (Kind.PATTERN, 0.78, 2, Status.PROPOSED),
        (Kind.TASK, 0.60, 1, Status.ACTIVE),
        (Kind.EPISODE, 0.60, 1, Status.ACTIVE),
        (Kind.TASK, 0.59, 1, None),
    ],
)
def test_the_status_follows_kind_confidence_and_days(kind, confidence, seen_on, status):
    assert write_policy.status_for(kind, confidence, seen_on, WRITE) is status


def test_confidence_halves_with_the_kinds_half_life_and_facts_keep_theirs():
    task = make_memory(kind=Kind.TASK, confidence=0.8)
    assert write_policy.confidence_now(task, at(days=7)) == pytest.approx(0.4)
    assert write_policy.confidence_now(make_memory(confidence=0.8), at(days=900)) == 0.8


def test_a_clock_that_was_set_back_makes_nobody_surer():
    task = make_memory(kind=Kind.TASK, confidence=0.8)
    assert write_policy.confidence_now(task, at(days=-50)) == 0.8


def test_only_patterns_and_lore_fade_out_of_recall():
    for kind in Kind:
        row = make_memory(kind=kind, confidence=0.9)
        assert write_policy.has_faded(row, at(days=200), WRITE) is (
            kind in {Kind.PATTERN, Kind.LORE}
        )
    assert not write_policy.has_faded(make_memory(kind=Kind.PATTERN), at(days=10), WRITE)


ROWS = st.lists(
    st.builds(
        lambda importance, source, used, said: (importance, source, used, said),
        st.sampled_from(Importance),
        st.sampled_from([Source.CHAT, Source.PASSIVE, Source.EXPLICIT]),
        st.none() | st.integers(0, 50),
        st.integers(0, 50),
    ),
    max_size=25,
)


@given(ROWS, st.integers(0, 25), st.randoms(use_true_random=False))
def test_letting_go_leaves_exactly_the_cap_and_never_the_better_row_first(drawn, cap, random):
    rows = [
        make_memory(
            id=number,
            importance=importance,
            source=source,
            last_used_at=None if used is None else at(days=used),
            created_at=at(days=said),
        )
        for number, (importance, source, used, said) in enumerate(drawn, 1)
    ]
    gone = write_policy.least_valued(rows, cap)
    assert len(rows) - len(gone) == min(cap, len(rows))
    shuffled = random.sample(rows, len(rows))
    assert write_policy.least_valued(shuffled, cap) == gone

    def kept_last(row):
        return row.source is Source.EXPLICIT

    for lost in (row for row in rows if row.id in gone):
        for kept in (row for row in rows if row.id not in gone):
            assert (kept_last(lost), lost.importance) <= (kept_last(kept), kept.importance)


@each_row("kind", [Kind.CONSTRAINT, Kind.TASK])
def test_how_to_treat_somebody_and_their_plans_outlive_what_they_own(kind):
    drone = make_memory("has a drone", id=1, kind=Kind.FACT, importance=Importance.MEDIUM)
    kept = make_memory("no spoilers", id=2, kind=kind, importance=Importance.LOW)
    assert write_policy.least_valued([kept, drone], 1) == [1]


def test_among_equals_the_row_unused_for_longest_goes_first():
    old_but_used = make_memory(id=1, created_at=at(days=0), last_used_at=at(days=9))
    newer_unused = make_memory(id=2, created_at=at(days=5))
    assert write_policy.least_valued([old_but_used, newer_unused], 1) == [2]


@each_row(
    ("mode", "status"),
    [(WriteMode.SHADOW, Status.SHADOW), (WriteMode.MANUAL, None), (WriteMode.AUTO, Status.ACTIVE)],
)
def test_where_moderators_approve_everything_there_are_no_quotes(mode, status):
    assert write_policy.quote_status(WritePolicy(mode=mode)) is status
