"""The first lines say what this is, what to type, which model answers and where data is kept."""

from functools import partial

import pytest

from cogs.bot.translation import languages, translate
from cogs.console.help import first_screen
from cogs.console.terminal import language_of
from tests.rows import each_row
from utils.common.config import load_settings


@pytest.fixture(autouse=True)
def nothing_configured(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "DATABASE_URL"):
        monkeypatch.delenv(name, raising=False)


def shown(name="Guest", known=0, language="en", **settings):
    tr = partial(translate, language)
    return "\n".join(first_screen(load_settings(None, **settings), name, known, tr))


@pytest.mark.parametrize("language", ["en", *languages()])
@pytest.mark.parametrize("known", [0, 1, 12])
def test_it_is_short(known, language):
    lines = shown("Sam", known, language).split("\n")
    assert len(lines) < 8
    assert max(map(len, lines)) <= 80


def test_a_newcomer_is_told_what_to_type_and_somebody_known_is_welcomed():
    assert "Try: Hi! My name is Sam" in shown()
    assert "Welcome back, Sam! I keep 12 things you told me" in shown("Sam", 12)
    assert "I keep 1 thing you told me" in shown("Sam", 1)


def test_it_names_the_model_or_says_that_there_is_none():
    assert "No language model: I quote what you told me. `python bot.py setup` adds one." in shown()
    local = shown(openai_base_url="http://127.0.0.1:11434/v1", chat_model="qwen3:8b")
    assert "the language model qwen3:8b at 127.0.0.1:11434" in local
    assert "at api.openai.com" in shown(openai_api_key="x" * 20)


def test_it_says_where_data_is_kept():
    assert "kept in data/kith.db, on this computer only" in shown()
    server = shown(database_url="mssql+pyodbc://u:p@db/kith")
    assert "SQL Server" in server
    assert "u:p" not in server


@each_row(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "de_DE", "LC_ALL": ""}, "de"),
    ],
)
def test_it_is_in_the_language_of_the_terminal(environment, language):
    assert language_of(environment) == language
