"""The notation that lexicons are written in, and that every table in it is sound."""

import re
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rows import each_row
from utils.common.errors import LanguageFileError
from utils.memory.policy.categories import Category
from utils.memory.safety.filter import (
    ALWAYS_REFUSED,
    REASONS,
    memory_lexicon,
    unspaced_words,
)
from utils.nlp.languages import languages
from utils.nlp.normalization import disguises, fold
from utils.nlp.phrase_matcher import Lexicon, UnspacedWords, tokens_of

CLASSES = {"be": "is are m", "pet": "dog guinea+pig"}


@cache
def all_patterns():
    """Every pattern of the safety filter."""
    return {pattern for entries in memory_lexicon()._index.values() for _, pattern in entries}


@cache
def compiled_patterns():
    """The patterns, compiled; ``re`` itself keeps no more than 512."""
    return [re.compile(pattern) for pattern in all_patterns()]


def finds(phrase, text, classes=CLASSES):
    return (
        Lexicon({"reason": {"en": phrase}}, {"en": classes}).first_rank(
            tokens_of(fold(text).casefold()), frozenset({0})
        )
        is not None
    )


class TestNotation:
    @each_row(
        ("phrase", "text", "found"),
        [
            ("password", "my password is x", True),
            ("password", "my passwords are x", False),
            ("passw*", "my passwords are x", True),
            ("wohnt ~1 *strasse", "wohnt Lange Hauptstraße", True),
            ("seed phrase", "the seed-phrase", True),
            ("seed phrase", "the phrase seed", False),
            ("red/blue car", "a blue car", True),
            ("red/light+blue car", "a light blue car", True),
            ("red/light+blue car", "a light red car", True),
            ("red very? car", "red car", True),
            ("red very? car", "red very car", True),
            ("red ~ car", "red and very old car", True),
            ("red ~ car", "red and very old and rusty car", False),
            ("red ~ car", "red. A car", False),
            ("red ~0 car", "red old car", False),
            ("pin #4", "pin 1234", True),
            ("pin #4", "pin 123", False),
            ("aged #<18", "aged 17", True),
            ("aged #<18", "aged 18", False),
            ("aged #10-17", "aged 9", False),
            ("aged #10-17", "aged 10", True),
            ("{be} blue", "it's so, I'm blue", True),
            ("walks ~1 {pet}", "walks the guinea pig", True),
            ("^ always", "so. Always", True),
            ("^ always", "so always", False),
            ("^~1 always", "Kith, always", True),
            ("^~1 always", "I always", False),
            ("late $", "is late", True),
            ("late $", "is late again", False),
            ("late/$ again", "late again", True),
            ("!great depression", "a depression", True),
            ("!great depression", "the great depression", False),
            ("straight !up/to+the", "is straight", True),
            ("straight !up/to+the", "is straight up", False),
            ("straight !up/to+the", "straight to the point", False),
            ("mention -2 say", "mention it, say", True),
            ("mention -2 say", "mention it, I say", False),
            ("contraseña", "la CONTRASENA", True),
            ("l'église", "à l’église", True),
            ("one/two/\n      three apples", "three apples", True),
        ],
    )
    def test_means_what_its_table_says(self, phrase, text, found):
        assert finds(phrase, text) is found

    def test_a_phrase_without_a_word_of_its_own_is_an_error(self):
        with pytest.raises(LanguageFileError, match=r"file en[.]toml .*: no word to index"):
            finds("~ #4", "x")

    def test_the_first_reason_wins_and_only_asked_ones_count(self):
        lexicon = Lexicon({"a": {"en": "tea"}, "b": {"en": "tea cup"}})
        assert lexicon.first_rank(["tea", "cup"], frozenset({0, 1})) == 0
        assert lexicon.first_rank(["tea", "cup"], frozenset({1})) == 1
        assert lexicon.first_rank(["tea", "cup"], frozenset()) is None

    @given(st.integers(0, 400), st.integers(0, 400))
    def test_a_phrase_is_found_wherever_in_a_long_text_it_stands(self, before, after):
        words = ["so"] * before + ["red", "old", "and", "rusty", "car"] + ["so"] * after
        lexicon = Lexicon({"reason": {"en": "red ~ car"}})
        assert lexicon.first_rank(words, frozenset({0})) == 0

    def test_where_a_window_begins_no_sentence_begins(self):
        assert not finds("^ always", "so " * 300 + "always" + " so" * 300)

    @each_row(
        ("table", "text", "found"),
        [
            ("犬 | 猫", "私の猫", True),
            ("犬 | 猫", "私の鳥", False),
            ("(?:犬|猫)が好き", "猫が好き", True),
            ("(?:犬|猫)?好き", "好き", True),
            (r"\d+歳", "5歳", True),
            ("犬\n| 猫", "私の猫", True),
        ],
    )
    def test_words_without_spaces_are_found_anywhere(self, table, text, found):
        assert UnspacedWords([table]).occur_in(text, set(text)) is found


class TestTables:
    @each_row("reason", REASONS)
    def test_every_reason_has_words_in_six_languages(self, reason):
        speaking = {code for code, words in languages().items() if reason in words.memory_filter}
        assert speaking == {"en", "de", "fr", "es", "pt", "ru"}

    def test_every_category_has_words_with_and_without_spaces(self):
        assert memory_lexicon().reasons == REASONS
        assert set(REASONS) == {*ALWAYS_REFUSED, *Category}
        assert set(unspaced_words()) >= {"secret", "order", *Category}

    def test_every_pattern_compiles(self):
        assert len(compiled_patterns()) > 1000

    def test_no_pattern_repeats_without_a_bound(self):
        for pattern in all_patterns():
            assert not re.search(r"\)[*+]|\{\d+,\}\)\{", pattern)

    def test_no_pattern_matches_nothing(self):
        for pattern in compiled_patterns():
            assert not pattern.search(". . ")


class TestFolding:
    @each_row(
        ("text", "plain"),
        [
            ("ｆｕｌｌ", "full"),
            ("𝓯𝓾𝓵𝓵", "full"),
            ("ⓕⓤⓛⓛ", "full"),
            ("ꜰᴜʟʟ", "full"),
            ("🅵🆄🅻🅻", "FULL".lower()),
            ("fu\u200bll", "full"),
            ("f\u0336u\u0301l\u0300l", "full"),
            ("fυll", "full"),
            ("раssword", "password"),
            ("пapoль", "пароль"),
            ("Straße", "Straße"),
            ("Café", "Cafe"),
            ("ёлка", "елка"),
            ("犬が好き", "犬が好き"),
            ("١٢٣", "123"),
            ("plain", "plain"),
        ],
    )
    def test_one_spelling_for_many(self, text, plain):
        assert fold(text) == plain

    def test_words_of_one_alphabet_stay(self):
        assert fold("играю в Minecraft") == "играю в Minecraft"

    @given(st.text())
    def test_nothing_hidden_is_left_of_any_text(self, text):
        assert not re.search("[\u0300-\u036f\u200b-\u200f\u2060\ufeff]", fold(text))

    @each_row(
        ("text", "reading"),
        [
            ("p a s s word", "pass word"),
            ("p4ssw0rd", "password"),
            ("1gnore", "ignore"),
            ("a1ways", "always"),
            ("w.o.r.d.s", "words"),
            ("two\nlines", "two lines"),
        ],
    )
    def test_disguises_are_read(self, text, reading):
        found = disguises(text, tokens_of(text), has_digits=any(map(str.isdigit, text)))
        assert reading in found

    def test_most_texts_have_no_other_reading(self):
        text = "has a dog named rex and two cats"
        assert disguises(text, tokens_of(text), has_digits=False) == []
