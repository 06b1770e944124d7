"""Prompts are files with slots, known by their content."""

import pytest

from utils.llm import prompts


def test_every_slot_is_filled_and_what_fills_it_is_not_looked_at_again():
    text = prompts.load("reply").fill(
        persona="{{now}} {{evil}}", now="noon", time_zone="UTC", content="x", kind="", place=""
    )
    assert "{{now}} {{evil}}" in text
    assert "noon (UTC)" in text
    with pytest.raises(KeyError):
        prompts.load("reply").fill(persona="x")


def test_a_prompt_is_known_by_the_hash_of_its_words():
    hashes = {prompts.load(name).hash for name in ("reply", "extract")}
    assert len(hashes) == 2
    assert all(len(one) == 16 and int(one, 16) >= 0 for one in hashes)
