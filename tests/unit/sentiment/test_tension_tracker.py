"""Tension: how it rises, how it decays, when it crosses a threshold, and its hours."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.builders import CHANNEL, GUILD, at
from tests.fakes.clock import NOON
from utils.models.memory import Event, Role
from utils.models.sentiment import (
    NO_USER,
    AlertTrigger,
    Score,
    ScoredMessage,
    TensionLevel,
    TensionSubject,
    WatchSettings,
)
from utils.sentiment.tension_tracker import apply_scores, decayed

HERE = TensionSubject.channel(GUILD, CHANNEL)
SETTINGS = WatchSettings(GUILD)


def said(tension: float, *, toxicity: float = 0.0, number: int = 1, when=NOON, author: int = 10):
    message = Event(GUILD, CHANNEL, CHANNEL, number, author, "Ada", Role.MEMBER, "words", when)
    return ScoredMessage(message, Score(0.0, toxicity, tension))


def test_a_level_halves_every_half_life():
    level = TensionLevel(0.8, NOON)
    assert decayed(level, at(hours=24), 24.0) == pytest.approx(0.4)
    assert decayed(level, at(hours=72), 24.0) == pytest.approx(0.1)
    assert decayed(level, at(hours=6), 6.0) == pytest.approx(0.4)
    assert decayed(level, NOON - timedelta(hours=1), 24.0) == 0.8


@given(st.lists(st.floats(0, 1), max_size=60), st.floats(1, 168))
def test_a_level_stays_between_0_and_1_and_one_batch_is_as_good_as_many(scores, half_life):
    settings = replace(SETTINGS, half_life_hours=half_life)
    messages = [
        said(score, number=number, when=at(minutes=number)) for number, score in enumerate(scores)
    ]
    once = apply_scores({}, messages, settings)[0]
    levels: dict[TensionSubject, TensionLevel] = {}
    for message in messages:
        levels |= apply_scores(levels, [message], settings)[0]
    assert once == levels
    assert all(0.0 <= level.value <= 1.0 for level in once.values())


def test_a_quarrel_crosses_the_threshold_once():
    messages = [said(0.95, number=number, when=at(minutes=number)) for number in range(30)]
    crossings = apply_scores({}, messages, SETTINGS)[1]
    assert [one.trigger for one in crossings] == [
        AlertTrigger.CHANNEL_TENSION,
        AlertTrigger.MEMBER_TENSION,
    ]
    (channel, _) = crossings
    assert channel.level >= channel.threshold == SETTINGS.tension_alert
    assert 4 <= channel.message_id <= 6


def test_every_toxic_message_is_told_of():
    messages = [said(0.1, toxicity=toxicity, number=n) for n, toxicity in enumerate((0.79, 0.8, 1))]
    crossings = apply_scores({}, messages, SETTINGS)[1]
    assert [(one.trigger, one.message_id) for one in crossings] == [
        (AlertTrigger.TOXICITY, 1),
        (AlertTrigger.TOXICITY, 2),
    ]


def test_words_that_are_only_shown_raise_the_channels_tension_alone():
    assert list(apply_scores({}, [said(0.9, author=NO_USER)], SETTINGS)[0]) == [HERE]
