"""Drift: what is learnt and recalled, before and after a change of recall's policy."""

import logging
from collections import Counter
from datetime import timedelta

import pytest
from sqlalchemy import insert

from tests.fakes.builders import ADA, CHANNEL, NOON
from tests.fakes.clock import ManualClock
from utils.database.schema.memory_tables import user_memory
from utils.memory.evaluation.drift import DriftMonitor
from utils.memory.evaluation.policy_versions import RecallPolicyVersions
from utils.memory.policy.recall_policy import RecallPolicy
from utils.models.memory import Kind, Source, Status
from utils.models.operator import CounterName
from utils.runtime.counters import EventCounters
from utils.runtime.metrics import Metrics

WHO = {"actor": "command line", "reason": "a test"}
MEMORY = {
    "GuildId": ADA.guild_id,
    "UserId": ADA.user_id,
    "ChannelId": CHANNEL,
    "Memory": "likes it",
    "Importance": 1,
    "Kind": Kind.FACT,
    "FactKey": "",
    "Source": Source.CHAT,
    "Status": Status.ACTIVE,
    "EvidenceCount": 1,
    "SearchStems": "",
    "LastConfirmedAt": NOON,
    "UseCount": 0,
}


@pytest.fixture
def clock():
    return ManualClock(NOON)


@pytest.fixture
def tally(database, clock):
    return EventCounters(database, clock)


@pytest.fixture
def policies(database, clock):
    return RecallPolicyVersions(database, clock)


@pytest.fixture
def drift(database, clock, policies, tally):
    return DriftMonitor(database, clock, policies, tally, Metrics(clock))


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


async def test_without_a_change_there_is_nothing_to_look_at(drift):
    assert str(await drift.check()) == "no recent policy change"


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
    assert "drift since recall policy version 1 was applied: recall sizes" in caplog.text
    assert report.rolled_back_to is None
    assert (await policies.active()).version == 1
    clock.advance(days=30)
    await drift.check()
    assert drift.breaches == ()  # by then it is what is usual
    assert drift._metrics.registry.get_sample_value("kith_drift_breaches") == 0


async def test_a_policy_that_may_is_rolled_back_once_by_whichever_process_looks_first(
    database, drift, clock, tally, policies
):
    await changed(clock, tally, policies, EMPTY, before_days=7, after_days=8, rolls_back=True)
    other = DriftMonitor(
        database, clock, RecallPolicyVersions(database, clock), tally, Metrics(clock)
    )
    held = await policies.active()
    assert (await drift.check()).rolled_back_to == 2
    assert await other._roll_back(held) is None  # it had looked before that
    assert (await policies.active()).policy == RecallPolicy()
    assert [one.actor for one in await policies.versions()] == ["drift", "command line", "Kith"]
    assert (await drift.check()).rolled_back_to is None


async def test_what_a_policy_of_recall_does_not_govern_never_rolls_it_back(
    drift, clock, tally, policies
):
    tally.add(1, CounterName.REFUSED, "unsure", 500)
    await tally.write()
    clock.advance(days=1)
    await policies.apply(RecallPolicy(block_tokens=500), **WHO, rolls_back=True)
    clock.advance(days=1)
    tally.add(1, CounterName.REFUSED, "secret", 500)
    await tally.write()
    assert (await drift.check()).rolled_back_to is None
    assert drift.breaches == ("refusal reasons",)
    assert (await policies.active()).version == 1


async def test_a_breach_that_few_days_show_is_an_alarm_and_takes_nothing_back(
    drift, clock, tally, policies
):
    await changed(clock, tally, policies, EMPTY, before_days=7, after_days=3, rolls_back=True)
    assert (await drift.check()).rolled_back_to is None
    assert drift.breaches == ("recall sizes",)


@pytest.mark.parametrize("with_shadow", [False, True])
async def test_after_a_rollback_the_bad_weeks_end_is_no_new_alarm(
    drift, clock, tally, policies, with_shadow
):
    if with_shadow:
        await policies.apply(RecallPolicy(block_tokens=500), **WHO)
        await policies.start_shadow(RecallPolicy(block_tokens=300), 1, **WHO)
        clock.advance(days=1)
    await changed(clock, tally, policies, EMPTY, before_days=7, after_days=8, rolls_back=True)
    assert (await drift.check()).rolled_back_to is not None
    for _ in range(4):
        await a_day(clock, tally, USUAL)
    assert (await drift.check()).findings == ()
    assert drift.breaches == ()
    await policies.apply(RecallPolicy(block_tokens=360), **WHO)
    assert (await drift.check()).findings  # a new change is looked at


async def test_what_held_before_the_policy_before_is_not_compared_with(
    drift, clock, tally, policies
):
    for _ in range(4):
        await a_day(clock, tally, EMPTY)
    await policies.apply(RecallPolicy(block_tokens=500), **WHO)
    await a_day(clock, tally, EMPTY)
    await policies.start_shadow(RecallPolicy(block_tokens=300), 1, **WHO)
    await changed(clock, tally, policies, USUAL, before_days=2)
    assert "recall sizes: 0.00" in str(await drift.check())


async def test_kinds_are_compared_by_what_was_learnt_whatever_is_gone_since(
    drift, clock, tally, policies
):
    def learn():
        tally.add(1, CounterName.LEARNT, Kind.FACT, 300)
        tally.add(1, CounterName.LEARNT, Kind.TASK, 100)

    learn()
    await tally.write()
    clock.advance(days=1)
    await policies.apply(RecallPolicy(block_tokens=500), **WHO)
    clock.advance(days=1)
    learn()
    await tally.write()
    assert "kinds: 0.00 (drift from 0.15)" in str(await drift.check())
    tally.add(1, CounterName.LEARNT, Kind.LORE, 400)
    await tally.write()
    await drift.check()
    assert drift.breaches == ("kinds",)


async def test_confidences_and_topics_leave_out_what_does_not_live_long_enough_to_compare(
    database, drift, clock, policies
):
    await policies.apply(RecallPolicy(block_tokens=500), **WHO)
    clock.advance(days=3)

    def learnt(connection, days, lived, confidence, topic, count=150):
        at = NOON + timedelta(days=days)
        common = {**MEMORY, "Confidence": confidence, "Topics": topic}
        for number in range(count):
            connection.execute(
                insert(user_memory).values(
                    **common,
                    Uid=f"{days}{lived}{topic}{number}",
                    CreatedAt=at,
                    ExpiresAt=None if lived is None else at + timedelta(days=lived),
                )
            )

    await database.write(learnt, -2, None, 0.95, "tea")
    await database.write(learnt, 2, None, 0.95, "tea")
    await database.write(learnt, 2, 5, 0.65, "gta")  # those of before are gone
    await drift.check()
    assert drift.breaches == ()
    await database.write(learnt, 2, 30, 0.65, "chess")
    await drift.check()
    assert drift.breaches == ("confidences", "topics")
