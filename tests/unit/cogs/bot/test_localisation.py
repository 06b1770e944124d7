"""What Kith says in other languages: every text has its translation, with the same slots."""

import re
import string
from datetime import UTC, datetime

import discord
import pytest

from cogs.bot import localisation, translation
from cogs.bot.localisation import tr
from cogs.bot.translation import FOLDER, languages
from tests.spoken_texts import lines_of, said_by_cogs, said_by_errors, unfixed_sentences
from utils.common.errors import BadInput, KithError
from utils.llm import client, endpoint
from utils.llm.capabilities import refusal
from utils.memory.member_data import edit_rules
from utils.memory.policy.categories import Category
from utils.memory.privacy import prune_report

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


def test_there_is_german_beside_english():
    assert "de" in languages()


@EVERY
def test_every_text_of_the_cogs_and_of_errors_is_translated(language):
    for said in (said_by_cogs(), said_by_errors()[0]):
        absent = missing(languages()[language]["texts"], said)
        assert not absent, "add to cogs/bot/languages: " + "\n".join(absent)
    assert unfixed_sentences() == [], "put together before they are translated"


@EVERY
def test_every_reason_not_to_store_something_is_said_in_the_language(language):
    sentences = [*edit_rules.SENTENCES.values(), edit_rules.OTHER_REASON]
    assert [s for s in sentences if s not in languages()[language]["texts"]] == []
    assert {category.value for category in Category} <= {*edit_rules.SENTENCES}


@EVERY
def test_what_pruning_removed_is_said_in_the_language(language):
    sentences = [prune_report.REMOVED, *prune_report.ALSO_REMOVED.values()]
    assert [s for s in sentences if s not in languages()[language]["texts"]] == []


@EVERY
def test_what_a_model_fails_at_is_said_in_the_language(language):
    refusals = [refusal(status, "") for status in (400, 401, 402, 403, 404, 413, 429, 500, 501)]
    sentences = [error.template for error in refusals]
    sentences += [refusal(400, "content_filter").template]
    sentences += [refusal(500, "no images", has_pictures=True).template]
    sentences += [client._FILTERED, client._NOT_CHAT]
    sentences += [endpoint._BUSY, endpoint._SLOW]
    assert [s for s in sentences if s not in languages()[language]["texts"]] == []


@EVERY
def test_translations_have_the_same_slots_and_say_something(language):
    for part in languages()[language].values():
        for english, other in part.items():
            assert other.strip()
            assert slots(english) == slots(other), english


@EVERY
def test_a_file_has_the_three_parts_and_a_locale_of_discord_for_its_name(language):
    assert set(languages()[language]) == {"texts", "options", "choices"}
    values = {locale.value for locale in discord.Locale}
    assert language in values or any(one.startswith(f"{language}-") for one in values)


@EVERY
def test_names_of_options_are_what_discord_allows(language):
    for name in languages()[language]["options"].values():
        assert re.fullmatch(r"[-_'\w]{1,32}", name)
        assert name == name.lower()


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


def test_a_text_is_said_in_english_where_there_is_no_other():
    assert tr(FRENCH, "I am {name}", name="{x}") == "I am {x}"
    assert tr(discord.Locale.british_english, "Keep it") == "Keep it"
    assert tr(GERMAN, "nobody ever said this {not_filled}") == "nobody ever said this {not_filled}"


def test_a_longer_text_may_be_translated_line_by_line():
    assert tr(GERMAN, "Newer\n\nOlder") == f"{tr(GERMAN, 'Newer')}\n\n{tr(GERMAN, 'Older')}"


def test_an_error_keeps_its_sentence_and_what_fills_it():
    error = BadInput("There is a mode {name} already.", name="{evil}")
    assert str(error) == "There is a mode {evil} already."
    assert error.template == "There is a mode {name} already."
    assert str(BadInput("braces {stay}")) == "braces {stay}"
    assert str(KithError()) == KithError.sentence


def test_commands_whose_ids_are_known_can_be_clicked_and_no_others():
    text = "`/memory show`, `/memory` and `/config show`, {name}"
    try:
        translation.set_command_ids({"memory show": 7})
        shown = tr(discord.Locale.american_english, text, name="`/memory show`")
    finally:
        translation.set_command_ids({})
    assert shown == "</memory show:7>, `/memory` and `/config show`, `/memory show`"
    assert tr(discord.Locale.american_english, text, name="") == text.format(name="")


def test_numbers_are_written_as_in_the_language():
    text, values = (
        "{days:,} · {tension:.2f} · {share:.0%} · {id} · {at:%d.%m.}",
        {
            "days": 1234,
            "tension": 0.5,
            "share": 0.9,
            "id": 1234,
            "at": datetime(2026, 3, 12, tzinfo=UTC),
        },
    )
    assert tr(GERMAN, text, **values) == "1.234 · 0,50 · 90\N{NO-BREAK SPACE}% · 1234 · 12.03."
    assert tr(FRENCH, text, **values) == text.format(**values)
    assert localisation.number(GERMAN, 1234.5, ",.1f") == "1.234,5"
