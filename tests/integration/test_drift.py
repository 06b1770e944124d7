"""Drift: what is learnt and recalled, before and after a change of recall's policy."""

import logging
from collections import Counter
from datetime import timedelta

import pytest

from tests.fakes.builders import NOON
from tests.fakes.clock import ManualClock
from utils.drift import Drift
from utils.model.memory import Kind
from utils.model.operator import Counted
from utils.read_policies import ReadPolicies, ReadPolicy
from utils.tally import Tally

WHO = {"actor": "command line", "reason": "a test"}


@pytest.fixture
def clock():
    return ManualClock(NOON)


@pytest.fixture
def tally(database, clock):
    return Tally(database, clock)


@pytest.fixture
def policies(database, clock):
    return ReadPolicies(database, clock)


@pytest.fixture
def drift(database, clock, policies, tally):
    return Drift(database, clock, policies, tally)


async def a_day(clock, tally, sizes, guild_id=1):
    """A day on which blocks had these sizes."""
    for label, count in Counter(sizes).items():
        tally.add(guild_id, Counted.RECALLED, label, count)
    await tally.write()
    clock.advance(days=1)


USUAL = {"0": 40, "1-3": 60, "4-8": 100}
EMPTY = {"0": 180, "1-3": 20}


async def changed(clock, tally, policies, after, **how):
    for _ in range(3):
        await a_day(clock, tally, USUAL)
    await policies.apply(ReadPolicy(relevance_floor=0.9), **WHO, **how)
    await a_day(clock, tally, EMPTY)  # the day of the change is both, and counts for neither
    for _ in range(2):
        await a_day(clock, tally, after)


async def test_without_a_change_there_is_nothing_to_look_at(drift):
    assert str(await drift.check()) == "no change of policy to look at"


async def test_what_stays_as_it_was_is_no_drift(drift, clock, tally, policies):
    await changed(clock, tally, policies, USUAL)
    report = await drift.check()
    assert drift.breaches == ()
    assert "recall sizes: 0.00 (drift from 0.15)" in str(report)
    assert "kinds: too few samples (0 of 100)" in str(report)


async def test_a_breach_is_an_alarm_and_no_more_unless_it_was_chosen(
    drift, clock, tally, policies, caplog
):
    await changed(clock, tally, policies, EMPTY)
    with caplog.at_level(logging.ERROR):
        report = await drift.check()
    assert drift.breaches == ("recall sizes",)
    assert drift._metrics.registry.get_sample_value("kith_drift_breaches") == 1
    assert "drift since version 1 of recall's policy was applied: recall sizes" in caplog.text
    assert report.rolled_back_to is None
    assert (await policies.active()).version == 1
    clock.advance(days=30)
    await drift.check()
    assert drift.breaches == ()  # by then it is what is usual
    assert drift._metrics.registry.get_sample_value("kith_drift_breaches") == 0


async def test_a_policy_that_may_is_rolled_back_once_by_whichever_process_looks_first(
    database, drift, clock, tally, policies
):
    await changed(clock, tally, policies, EMPTY, rolls_back=True)
    other = Drift(database, clock, ReadPolicies(database, clock), tally)
    held = await policies.active()
    assert (await drift.check()).rolled_back_to == 2
    assert await other._roll_back(held) is None  # it had looked before that
    assert (await policies.active()).policy == ReadPolicy()
    assert [one.actor for one in await policies.versions()] == ["drift", "command line", "Kith"]
    assert (await drift.check()).rolled_back_to is None


async def test_what_a_policy_of_recall_does_not_govern_never_rolls_it_back(
    drift, clock, tally, policies
):
    tally.add(1, Counted.REFUSED, "unsure", 500)
    await tally.write()
    clock.advance(days=1)
    await policies.apply(ReadPolicy(block_tokens=500), **WHO, rolls_back=True)
    clock.advance(days=1)
    tally.add(1, Counted.REFUSED, "secret", 500)
    await tally.write()
    assert (await drift.check()).rolled_back_to is None
    assert drift.breaches == ("refusal reasons",)
    assert (await policies.active()).version == 1


async def test_kinds_confidences_and_topics_are_compared_by_when_they_were_learnt(
    drift, clock, policies, monkeypatch
):

    await policies.apply(ReadPolicy(block_tokens=500), **WHO)
    clock.advance(days=3)
    before, after = NOON - timedelta(days=2), NOON + timedelta(days=2)
    learnt = [(before, Kind.FACT, 0.95, ("tea",))] * 150 + [
        (after, Kind.LORE, 0.65, ("gta",))
    ] * 150
    monkeypatch.setattr("utils.drift.learnings.newest", lambda session: learnt)
    await drift.check()
    assert drift.breaches == ("kinds", "confidences", "topics")
