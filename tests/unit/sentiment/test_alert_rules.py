"""What raises alerts, what automatic action is for, and what false alarms suggest."""

from datetime import UTC, datetime, timedelta

from utils.models.alert import AlertOutcome
from utils.models.memory import Event, Role
from utils.models.sentiment import (
    NO_USER,
    AlertTrigger,
    Score,
    ScoredBatch,
    ScoredMessage,
    ThresholdCrossing,
    WatchSettings,
)
from utils.sentiment.alert_rules import (
    TOXICITY,
    alert_crossings,
    alert_messages,
    automatic_targets,
    suggest,
)

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
PLAIN = WatchSettings(1)
AUTO = WatchSettings(1, auto_timeout=True, auto_toxicity=0.7)


def said(number: int, toxicity: float, *, author: int = 5, ago: timedelta = timedelta(0)):
    message = Event(1, 2, 2, number, author, "x", Role.MEMBER, "", NOW - ago)
    return ScoredMessage(message, Score(0, toxicity, 0.1))


def batch(*messages: ScoredMessage, settings=PLAIN, at=NOW, place=2) -> ScoredBatch:
    crossings = tuple(
        ThresholdCrossing(
            AlertTrigger.TOXICITY,
            one.score.toxicity,
            settings.toxicity_alert,
            one.message.message_id,
        )
        for one in messages
        if one.score.toxicity >= settings.toxicity_alert
    )
    return ScoredBatch(1, place, at, messages, crossings, settings)


def test_what_a_moderator_has_decided_on_raises_nothing():
    heated = batch(said(1, 0.9, ago=HOUR), said(2, 0.9))
    raised = alert_crossings(heated, NOW - HOUR)
    assert [one.message_id for one in raised] == [2]
    assert alert_messages(heated, raised, NOW - HOUR) == [(2, 5)]


def test_messages_that_are_only_warm_belong_to_an_alert_and_raise_none():
    warm = batch(said(1, 0.5))
    assert alert_crossings(warm, None) == []
    assert alert_messages(warm, [], None) == [(1, 5)]


def test_automatic_action_is_off_until_it_is_on_and_once_for_each_author():
    recent = timedelta(minutes=10)
    messages = (
        said(1, 0.7),
        said(2, 0.9),
        said(3, 0.9, author=6, ago=recent),
        said(4, 0.6, author=7),
    )
    assert automatic_targets(batch(*messages)) == []
    found = automatic_targets(batch(*messages, settings=AUTO))
    assert [one.message.message_id for one in found] == [1, 3]
    assert [
        one.message_id for one in alert_crossings(batch(said(1, 0.7), settings=AUTO), None)
    ] == [1]


def test_what_was_said_long_ago_is_for_no_automatic_action():
    assert automatic_targets(batch(said(1, 1.0, ago=timedelta(minutes=11)), settings=AUTO)) == []


def outcomes(
    false: list[float], real: list[float], trigger=AlertTrigger.TOXICITY
) -> list[AlertOutcome]:
    return [AlertOutcome(trigger, one, is_false=True) for one in false] + [
        AlertOutcome(trigger, one, is_false=False) for one in real
    ]


def test_a_suggestion_spares_false_alarms_and_no_real_one():
    found = suggest(outcomes([0.8, 0.82, 0.85], [0.9, 0.97]), TOXICITY, 0.8)
    assert found is not None
    assert (found.threshold, found.avoided, found.missed) == (0.9, 3, 0)


def test_nobody_is_timed_out_for_words_that_are_only_shown():
    messages = batch(said(1, 0.9, author=NO_USER), settings=AUTO)
    assert automatic_targets(messages) == []
