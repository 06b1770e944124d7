"""The first lines say what this is, what to type, which model answers and where data is kept."""

from functools import partial

import pytest

from cogs.console.help import first_screen
from utils.common.config import load_settings
from utils.common.translation import translate


@pytest.fixture(autouse=True)
def nothing_configured(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "DATABASE_URL"):
        monkeypatch.delenv(name, raising=False)


def shown(name="Guest", known=0, language="en", **settings):
    tr = partial(translate, language)
    return "\n".join(first_screen(load_settings(None, **settings), name, known, tr))


def test_a_newcomer_is_told_what_to_type_and_somebody_known_is_welcomed():
    assert "Try: Hi! My name is Sam" in shown()
    assert "Welcome back, Sam! I keep 12 things you told me" in shown("Sam", 12)
    assert "I keep 1 thing you told me" in shown("Sam", 1)


def test_it_names_the_model_or_says_that_there_is_none():
    assert "No language model: I quote what you told me. `python bot.py setup` adds one." in shown()
    local = shown(openai_base_url="http://127.0.0.1:11434/v1", chat_model="qwen3:8b")
    assert "the language model qwen3:8b at 127.0.0.1:11434" in local
    assert "at api.openai.com" in shown(openai_api_key="x" * 20)
