"""What Kith says in other languages: every text has its translation, with the same slots."""

import string

import discord
import pytest

from cogs.bot.localisation import tr
from tests.spoken_texts import lines_of, said_by_cogs, said_by_errors, unfixed_sentences
from utils.common import translation
from utils.common.errors import BadInput, KithError
from utils.common.translation import FOLDER, languages

GERMAN = discord.Locale.german
FRENCH = discord.Locale.french
EVERY = pytest.mark.parametrize("language", sorted(languages()))


def slots(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def missing(known, texts: dict[str, str]) -> list[str]:
    """The texts, or lines of texts, that a language does not have."""
    return sorted(
        f"{where}: {line!r}"
        for text, where in texts.items()
        if text not in known
        for line in lines_of(text)
        if line not in known
    )


@EVERY
def test_every_text_of_the_cogs_and_of_errors_is_translated(language):
    for said in (said_by_cogs(), said_by_errors()[0]):
        absent = missing(languages()[language]["texts"], said)
        assert not absent, "add to utils/common/languages: " + "\n".join(absent)
    assert unfixed_sentences() == [], "put together before they are translated"


@EVERY
def test_translations_have_the_same_slots_and_say_something(language):
    for part in languages()[language].values():
        for english, other in part.items():
            assert other.strip()
            assert slots(english) == slots(other), english


def forget_languages():
    languages.cache_clear()
    translation.language_file.cache_clear()


def test_a_third_language_needs_only_a_file(tmp_path, monkeypatch):
    for file in FOLDER.glob("*.json"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    words = '{"texts": {"Keep it": "Garder"}, "options": {}, "choices": {}}'
    (tmp_path / "fr.json").write_text(words, encoding="utf-8")
    monkeypatch.setattr(translation, "FOLDER", tmp_path)
    forget_languages()
    try:
        assert tr(FRENCH, "Keep it") == "Garder"
        assert tr(FRENCH, "Newer") == "Newer"
        assert tr(GERMAN, "Newer") != "Newer"
    finally:
        forget_languages()


def test_an_error_keeps_its_sentence_and_what_fills_it():
    error = BadInput("There is a mode {name} already.", name="{evil}")
    assert str(error) == "There is a mode {evil} already."
    assert error.template == "There is a mode {name} already."
    assert str(BadInput("braces {stay}")) == "braces {stay}"
    assert str(KithError()) == KithError.sentence
