"""How far distributions are apart, and what of that is chance."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rows import each_row
from utils.memory.evaluation.drift import finding
from utils.nlp.divergence import (
    FALSE_ALARM_RATE,
    MIN_COUNT,
    chance_distance,
    js_distance,
    p_value_by_day,
    threshold,
)

COUNTS = st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 1000), min_size=1)


@given(COUNTS, COUNTS)
def test_the_distance_is_symmetric_and_between_0_and_1(one, other):
    distance = js_distance(one, other)
    assert 0.0 <= distance <= 1.0
    assert distance == pytest.approx(js_distance(other, one), abs=1e-12)


@given(COUNTS, st.integers(1, 50))
def test_equal_shares_are_no_distance_apart_whatever_their_number(counts, times):
    more = {name: count * times for name, count in counts.items()}
    assert js_distance(counts, more) == pytest.approx(0.0, abs=1e-6)


@given(COUNTS, COUNTS, COUNTS)
def test_no_detour_is_shorter(one, other, between):
    detour = js_distance(one, between) + js_distance(between, other)
    assert js_distance(one, other) <= detour + 1e-9


def test_what_has_nothing_in_common_is_1_apart():
    assert js_distance({"a": 5}, {"b": 9}) == pytest.approx(1.0)
    assert math.isnan(js_distance({}, {"a": 1}))


def test_a_tenth_that_moves_is_just_below_what_matters():
    alike = dict.fromkeys("abcde", 2000)
    assert js_distance(alike, {**alike, "a": 1000, "b": 3000}) == pytest.approx(0.14, abs=0.003)
    assert not finding("x", alike, {**alike, "a": 1000, "b": 3000}).is_breach
    assert finding("x", alike, {**alike, "a": 500, "b": 3500}).is_breach


@each_row("size", [MIN_COUNT, 300, 3000])
def test_samples_of_one_distribution_are_hardly_ever_called_drift(size):
    chance, shares = np.random.default_rng(7), np.array([0.5, 0.2, 0.15, 0.1, 0.05])
    alarms = 0
    for _ in range(60):
        one, other = (
            dict(zip("abcde", map(int, chance.multinomial(size, shares)), strict=True))
            for _ in range(2)
        )
        alarms += finding("x", one, other).is_breach
    assert alarms <= 3


def test_few_samples_are_further_apart_by_chance_than_many():
    few, many = (dict.fromkeys("abcde", n) for n in (20, 2000))
    assert chance_distance(few, few) > 3 * chance_distance(many, many)
    assert threshold(few, few) == chance_distance(few, few)


def test_with_too_few_samples_nothing_is_said():
    found = finding("kinds", {"fact": MIN_COUNT - 1}, {"lore": 10_000})
    assert not found.is_breach
    assert str(found) == "kinds: too few samples (99 of 100)"


def test_days_that_differ_among_themselves_are_no_change_of_policy():
    """A few loud members on each day: single draws call it drift, shuffled days do not."""
    ours, theirs = {"0": 60, "1-3": 4}, {"0": 4, "4-8": 60}
    before, after = [ours, ours, theirs, ours, theirs, ours, ours], [theirs, ours, theirs, theirs]
    summed = [{key: sum(day.get(key, 0) for day in days) for key in ("0", "1-3", "4-8")}
              for days in (before, after)]  # fmt: skip
    assert finding("recall sizes", *summed).is_breach
    assert p_value_by_day(before, after) > 10 * FALSE_ALARM_RATE


def test_days_that_all_changed_are_told_from_chance_once_there_are_enough_of_them():
    usual, empty = {"0": 40, "1-3": 60}, {"0": 90, "1-3": 10}
    assert p_value_by_day([usual] * 7, [empty] * 8) < FALSE_ALARM_RATE / 14
    assert p_value_by_day([usual] * 7, [empty] * 3) == pytest.approx(1 / 120, abs=0.003)
    assert p_value_by_day([usual] * 7, []) == 1.0
