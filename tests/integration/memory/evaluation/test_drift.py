"""Drift: what is recalled before and after a change of the recall policy."""

import logging
from collections import Counter

import pytest

from tests.fakes.builders import NOON
from tests.fakes.clock import ManualClock
from tests.rows import each_row
from utils.memory.evaluation.drift import DriftMonitor, cosine
from utils.memory.evaluation.policy_versions import RecallPolicyVersions
from utils.memory.policy.recall_policy import RecallPolicy
from utils.models.operator import CounterName
from utils.runtime.counters import EventCounters
from utils.runtime.metrics import Metrics

WHO = {"actor": "command line", "reason": "a test"}


@pytest.fixture
def clock():
    return ManualClock(NOON)


@pytest.fixture
def tally(database, clock):
    return EventCounters(database, clock)


@pytest.fixture
def drift(clock, policies, tally):
    return DriftMonitor(clock, policies, tally, Metrics(clock))


async def a_day(clock, tally, sizes, guild_id=1):
    """A day on which blocks had these sizes."""
    for label, count in Counter(sizes).items():
        tally.add(guild_id, CounterName.RECALLED, label, count)
    await tally.write()
    clock.advance(days=1)


USUAL = {"0": 40, "1-3": 60, "4-8": 100}
EMPTY = {"0": 180, "1-3": 20}


async def changed(clock, tally, policies, after, *, before_days=3, after_days=2, **how):
    for _ in range(before_days):
        await a_day(clock, tally, USUAL)
    await policies.apply(RecallPolicy(block_tokens=350), **WHO, **how)
    await a_day(clock, tally, EMPTY)  # the day of the change is both, and counts for neither
    for _ in range(after_days):
        await a_day(clock, tally, after)


@each_row(
    ("before", "after", "expected"),
    [
        ({"0": 1, "1-3": 3}, {"0": 10, "1-3": 30}, 1.0),
        ({"0": 5}, {"1-3": 5}, 0.0),
        ({"0": 3, "1-3": 4}, {"0": 4, "1-3": 3}, 0.96),
    ],
)
def test_the_cosine_compares_shares(before, after, expected):
    assert cosine(before, after) == pytest.approx(expected)
    assert cosine(after, before) == pytest.approx(expected)


async def test_drift_is_an_alarm_and_no_more_unless_it_was_chosen(
    drift, clock, tally, policies, caplog
):
    await changed(clock, tally, policies, EMPTY)
    with caplog.at_level(logging.ERROR):
        report = await drift.check()
    assert report.is_drift
    assert drift._metrics.registry.get_sample_value("kith_drift_breaches") == 1
    assert "recall drifted since recall policy version 1 was applied: cosine 0.38" in caplog.text
    assert report.rolled_back_to is None
    assert (await policies.active()).version == 1
    clock.advance(days=30)
    assert not (await drift.check()).is_drift  # by then it is what is usual
    assert drift._metrics.registry.get_sample_value("kith_drift_breaches") == 0


async def test_a_policy_that_may_is_rolled_back_once_by_whichever_process_looks_first(
    database, drift, clock, tally, policies, monkeypatch
):
    await changed(clock, tally, policies, EMPTY, rolls_back=True)
    late_policies = RecallPolicyVersions(database, clock)
    other = DriftMonitor(clock, late_policies, tally, Metrics(clock))
    active = await policies.active()

    async def looked_before():
        return active

    monkeypatch.setattr(late_policies, "active", looked_before)
    assert (await drift.check()).rolled_back_to == 2
    assert (await other.check()).rolled_back_to is None
    assert (await policies.active()).policy == RecallPolicy()
    assert [one.actor for one in await policies.versions()] == ["drift", "command line", "Kith"]
    assert (await drift.check()).rolled_back_to is None


async def test_after_a_rollback_the_bad_weeks_end_is_no_new_alarm(drift, clock, tally, policies):
    await changed(clock, tally, policies, EMPTY, before_days=7, after_days=8, rolls_back=True)
    assert (await drift.check()).rolled_back_to is not None
    for _ in range(4):
        await a_day(clock, tally, USUAL)
    assert (await drift.check()).cosine is None
    await policies.apply(RecallPolicy(block_tokens=360), **WHO)
    for _ in range(3):
        await a_day(clock, tally, USUAL)
    assert (await drift.check()).cosine is not None  # a new change is looked at
