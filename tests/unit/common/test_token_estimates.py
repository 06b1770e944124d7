"""Estimates of tokens against counts that a public tokenizer made once."""

import json
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("language", ["english", "german", "japanese"])
def test_blocks_are_hardly_ever_low_and_a_twentieth_high_on_average(language):
    estimates = [(estimate_tokens(text), count) for text, count in RECORDED["blocks"][language]]
    counted = sum(count for _, count in estimates)
    assert counted <= sum(estimate for estimate, _ in estimates) <= counted * 1.05
    assert all(estimate >= 0.98 * count for estimate, count in estimates)
