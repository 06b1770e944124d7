"""Estimates of tokens against counts that a public tokenizer made once."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from utils.common.text import estimate_tokens

RECORDED = json.loads(Path(__file__).with_name("counted_tokens.json").read_text("utf-8"))
LANGUAGES = ("english", "german", "japanese", "emoji", "code")
SETS = ("tuned", "held_out")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SETS)
def test_the_total_is_never_low_and_at_most_a_fifth_high(name, language):
    rows = RECORDED[name][language]
    counted = sum(count for _, count in rows)
    assert counted <= sum(estimate_tokens(text) for text, _ in rows) <= counted * 1.2


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SETS)
def test_so_is_the_estimate_of_all_of_them_as_one_text(name, language):
    text = "\n".join(text for text, _ in RECORDED[name][language])
    counted = sum(count for _, count in RECORDED[name][language])
    assert counted <= estimate_tokens(text) <= counted * 1.2


@pytest.mark.parametrize("language", ["english", "german", "japanese"])
def test_blocks_are_hardly_ever_low_and_a_twentieth_high_on_average(language):
    estimates = [(estimate_tokens(text), count) for text, count in RECORDED["blocks"][language]]
    counted = sum(count for _, count in estimates)
    assert counted <= sum(estimate for estimate, _ in estimates) <= counted * 1.05
    assert all(estimate >= 0.98 * count for estimate, count in estimates)


def test_there_are_enough_of_each_to_tell():
    assert all(len(RECORDED["tuned"][language]) >= 40 for language in LANGUAGES)


def test_nothing_costs_nothing():
    assert estimate_tokens("") == 0


@given(st.text())
def test_something_costs_something(text):
    assert (estimate_tokens(text) > 0) == bool(text)
