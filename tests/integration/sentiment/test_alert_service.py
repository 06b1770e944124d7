"""Alerts in the database: one for each incident, each act once, and their ends."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests.fakes.clock import ManualClock
from utils.database.erasure.deletion import delete_of_channels, delete_of_member
from utils.database.erasure.inventory import Extent
from utils.database.sentiment import alert_actions, tension
from utils.models.alert import ActionKind, Alert, AlertAction, AlertState
from utils.models.memory import Event, Member, Role
from utils.models.sentiment import (
    AlertTrigger,
    Score,
    ScoredBatch,
    ScoredMessage,
    ThresholdCrossing,
    WatchSettings,
)
from utils.sentiment.alert_service import AlertService

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
GUILD, PLACE = 1, 2


def batch(number: int, at: datetime, *, author: int = 5) -> ScoredBatch:
    message = Event(GUILD, PLACE, PLACE, number, author, "x", Role.MEMBER, "", at)
    crossing = ThresholdCrossing(AlertTrigger.TOXICITY, 0.9, 0.8, number)
    scored = (ScoredMessage(message, Score(0, 0.9, 0.9, "insults somebody")),)
    return ScoredBatch(GUILD, PLACE, at, scored, (crossing,), WatchSettings(GUILD))


@pytest.fixture
def book(database):
    return AlertService(database, ManualClock(NOW))


async def record(database, book: AlertService, number: int, at: datetime, **more) -> Alert:
    made = batch(number, at, **more)
    await database.write(tension.save_scores, made.messages)
    alert_id, _ = await book.record(made)
    return await book.get(GUILD, alert_id)


async def test_batches_at_once_make_one_alert(database, book):
    found = await asyncio.gather(*(record(database, book, n, NOW) for n in range(1, 9)))
    assert len({one.alert_id for one in found}) == 1
    alert = await book.get(GUILD, found[0].alert_id)
    assert [one.message_id for one in alert.messages] == list(range(1, 9))


async def test_a_post_is_out_of_date_when_the_level_rises_without_a_further_message(database, book):
    alert = await record(database, book, 1, NOW)
    await book.save_post(alert, 7, 8)
    assert await book.stale_posts([GUILD]) == []
    edited = batch(1, NOW)
    crossings = (
        replace(edited.crossings[0], level=0.95),
        ThresholdCrossing(AlertTrigger.CHANNEL_TENSION, 0.99, 0.8, 1),  # on another scale
    )
    await book.record(replace(edited, crossings=crossings))
    assert (await book.get(GUILD, alert.alert_id)).level == 0.95
    assert await book.stale_posts([GUILD]) == [(GUILD, alert.alert_id)]


async def test_of_many_who_press_at_once_one_acts(database, book):
    alert = await record(database, book, 1, NOW)
    claims = await asyncio.gather(
        *(book.claim(alert, ActionKind.WARN, 5, n, 0) for n in range(10, 18))
    )
    assert sum(claims) == 1
    decisions = await asyncio.gather(
        *(book.decide(alert, ActionKind.DISMISS, n) for n in range(10, 14)),
        *(book.decide(alert, ActionKind.FALSE_ALARM, n) for n in range(14, 18)),
    )
    assert sum(decisions) == 1


async def test_nothing_of_another_server_is_found_or_decided(database, book):
    alert = await record(database, book, 1, NOW)
    assert await book.get(GUILD + 1, alert.alert_id) is None

    def from_elsewhere(connection) -> bool:
        action = AlertAction(ActionKind.DISMISS, 0, 10, NOW)
        before = (AlertState.OPEN,)
        return alert_actions.decide(
            connection, GUILD + 1, alert.alert_id, AlertState.DISMISSED, action, before
        )

    assert not await database.write(from_elsewhere)


async def test_a_channel_that_goes_takes_the_messages_of_its_alerts_along(database, book):
    alert = await record(database, book, 1, NOW)
    assert alert.messages
    await database.write(delete_of_channels, GUILD, [PLACE])
    assert not (await book.get(GUILD, alert.alert_id)).messages


async def test_what_was_erased_since_it_was_scored_is_in_no_alert(database, book):
    erased, kept = batch(1, NOW), batch(2, NOW, author=6)
    both = replace(
        erased,
        messages=erased.messages + kept.messages,
        crossings=erased.crossings + kept.crossings,
    )
    await database.write(tension.save_scores, both.messages)
    await database.write(delete_of_member, Member(GUILD, 5), Extent.SAID)
    assert await book.record(erased) is None
    alert_id, _ = await book.record(both)
    assert [one.user_id for one in (await book.get(GUILD, alert_id)).messages] == [6]
