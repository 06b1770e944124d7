"""Prompts are files with slots, known by their content."""

import pytest

from tests.rows import each_row
from utils.llm import prompts


def test_there_are_at_least_the_four_promised_modes_and_each_has_words():
    assert {"helpful", "friendly", "dry-wit", "roast"} <= {
        mode.replace("_", "-").replace(" ", "-") for mode in prompts.modes()
    }
    for mode in prompts.modes():
        assert len(prompts.persona(mode).text) > 40


@each_row("mode", ["", "nobody", "../reply", "friendly.md", "FRIENDLY"])
def test_a_mode_that_does_not_exist_is_no_file_to_read(mode):
    with pytest.raises(KeyError):
        prompts.persona(mode)


def test_every_slot_is_filled_and_what_fills_it_is_not_looked_at_again():
    text = prompts.load("reply").fill(
        persona="{{now}} {{evil}}", now="noon", time_zone="UTC", content="x", kind="", place=""
    )
    assert "{{now}} {{evil}}" in text
    assert "noon (UTC)" in text
    with pytest.raises(KeyError):
        prompts.load("reply").fill(persona="x")


def test_personas_have_no_slots():
    for mode in prompts.modes():
        assert "{{" not in prompts.persona(mode).text


def test_a_prompt_is_known_by_the_hash_of_its_words():
    hashes = {prompts.load(name).hash for name in ("reply", "extract")}
    assert len(hashes) == 2
    assert all(len(one) == 16 and int(one, 16) >= 0 for one in hashes)


def test_a_prompt_that_does_not_exist_is_an_error():
    with pytest.raises(FileNotFoundError):
        prompts.load("nothing")
