"""What utils.nlp.stemming promises: the same word is found again, in any language and thread."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

from hypothesis import given
from hypothesis import strategies as st

from tests.rows import each_row
from utils.nlp.stemming import STOP_WORDS, language_of, query_stems, stems

anything = st.text() | st.text(st.characters(categories=None), max_size=60)

SENTENCES = {
    "en": "My sister and I are moving to a bigger flat with two dogs",
    "de": "Meine Schwester und ich ziehen nächste Woche in eine größere Wohnung",
    "fr": "Ma sœur et moi déménageons dans un appartement plus grand avec deux chiens",
    "es": "Mi hermana y yo nos mudamos a un piso más grande con dos perros",
    "pt": "Minha irmã e eu vamos nos mudar para um apartamento maior com dois cachorros",
    "it": "Mia sorella e io ci trasferiamo in una casa più grande con due cani",
    "nl": "Mijn zus en ik verhuizen naar een groter huis met twee honden",
    "sv": "Min syster och jag flyttar till en större lägenhet med två hundar",
    "pl": "Moja siostra i ja przeprowadzamy się do większego mieszkania",
    "tr": "Kız kardeşim ve ben iki köpek ile daha büyük bir eve taşınıyoruz",
    "ru": "Мы с сестрой переезжаем в большую квартиру с двумя собаками",
    "uk": "Ми з сестрою переїжджаємо у більшу квартиру",
    "el": "Η αδερφή μου και εγώ μετακομίζουμε",
    "ar": "أنا وأختي ننتقل إلى شقة أكبر",
    "hi": "मैं और मेरी बहन बड़े घर में जा रहे हैं",
    "ja": "妹と大きいアパートに引っ越します",
    "zh": "我和妹妹要搬到更大的公寓",
    "ko": "여동생과 더 큰 아파트로 이사해요",
    "th": "ฉันกับน้องสาวกำลังจะย้ายบ้าน",
}


class TestWords:
    def test_accents_do_not_matter(self):
        assert stems("café", language="fr") == stems("CAFE", language="fr")
        assert stems("schöne Straße", language="de") == stems("schone strasse", language="de")
        assert stems("ёлка", language="ru") == stems("елка", language="ru")

    def test_marks_that_spelling_needs_stay(self):
        assert stems("йод", language="ru") == ["йод"]
        assert stems("が", language="xx") == ["が"]
        assert stems("हिन्दी", language="xx") == ["हिन्दी"]

    def test_apostrophes_and_names_in_code(self):
        assert stems("l'amour", language="fr") == ["amour"]
        assert stems("GuildSettings") == [stems("guildsettings")[0]]

    @each_row(
        ("text", "words"),
        [
            ("👍🏽👍 ❤️", ["👍", "👍", "❤"]),
            ("👩\u200d🚀", ["👩\u200d🚀"]),
            ("🇩🇪🇫🇷", ["🇩🇪", "🇫🇷"]),
            ("<:pepe:123456789012345678>", ["pepe"]),
            ("snake_case_name", ["snake", "case", "name"]),
            ("In 2026, 3.5 or 3,5 and v1.20.4", ["2026", "3.5", "3.5", "v1", "20.4"]),
            ("Don't forget Rex's bone", ["forget", "rex", "bone"]),
            ("Don’t forget Rex’s bone", ["forget", "rex", "bone"]),
            ("The dogs were running with another dog", ["dog", "run", "anoth", "dog"]),
            ("my sister Mia lives in Rome", ["sister", "mia", "live", "rome"]),
            ("I'll call Will", ["call", "will"]),
            ("has a dog named Bo", ["dog", "name", "bo"]),  # "bo" and "a" are Polish stop words
            ("I WILL CALL", ["call"]),
            ("東京タワー", ["東京", "タワ", "ワー"]),
            ("東京都庁", ["東京", "京都", "都庁"]),
            ("猫", ["猫"]),
            ("ไทย", ["ไท", "ทย"]),
            ("犬の名前はレックス", ["犬", "名前", "レッ", "ック", "クス"]),
            ("고양이가", ["고양이가", "고양", "양이", "이가"]),
            ("고양", ["고양"]),
        ],
    )
    def test_words_are_cut_and_stemmed_as_their_script_needs(self, text, words):
        assert stems(text) == words

    def test_width_and_case_do_not_matter(self):
        assert stems("ＦＵＬＬ Ｗｉｄｔｈ") == stems("full width")

    def test_nothing_gives_nothing(self):
        assert stems("") == stems(" \n") == stems("...") == stems("who are you?") == []


class TestOtherScripts:
    def test_a_short_japanese_query_finds_a_longer_text(self):
        assert set(stems("東京")) <= set(stems("来週は東京に行きます"))

    def test_arabic_and_russian_are_stemmed(self):
        assert stems("المكتبة") == stems("مكتبة", language="ar")
        assert stems("собаки") == stems("собака") == stems("собаку")

    def test_mixed_scripts_are_cut_apart(self):
        assert stems("iPhone買った", language="ja")[0] == "iphone"


class TestLanguage:
    @each_row("language", SENTENCES)
    def test_a_sentence_tells_its_language(self, language):
        assert language_of(SENTENCES[language]) == language

    @each_row("text", ["", "Rex", "lol", "123", "🎉", "die hard", "gg wp", "C++"])
    def test_english_when_nothing_tells(self, text):
        assert language_of(text) == "en"

    @each_row(
        ("text", "language"),
        [
            ("ich mag Katzen", "de"),
            ("j'aime les chats", "fr"),
            ("me gustan los gatos", "es"),
            ("mi piace la pizza", "it"),
            ("eu gosto de gatos", "pt"),
            ("ik hou van katten", "nl"),
            ("jag gillar katter", "sv"),
        ],
    )
    def test_a_few_words_are_enough(self, text, language):
        assert language_of(text) == language

    def test_english_words_are_not_dropped_for_another_language(self):
        assert stems("the movie Die Hard was a hit") == ["movi", "die", "hard", "hit"]

    def test_a_given_language_is_used(self):
        assert stems("die Hunde", language="de") == ["hund"]
        assert stems("die Hunde", language="xx") == ["die", "hunde"]

    @given(anything)
    def test_it_never_raises(self, text):
        assert language_of(text) in {*SENTENCES, "he", "ta", "hy", "ka"}

    def test_the_stop_words_are_folded_and_plenty(self):
        for language in ("en", "de", "fr", "es", "pt", "ru"):
            assert 60 <= len(STOP_WORDS[language]) <= 220
        assert "fur" in STOP_WORDS["de"]


class TestQueries:
    def test_each_content_word_has_its_alternatives(self):
        assert query_stems("wo wohnen die Hunde") == [["wohn", "wohnen"], ["hund", "hunde"]]

    def test_a_word_of_unknown_language_is_found_as_it_stands(self):
        (options,) = query_stems("Katzen")
        assert "katzen" in options

    def test_a_repeated_word_is_asked_once_and_the_limit_holds(self):
        assert query_stems("dogs dogs dogs") == [["dog", "dogs"]]
        assert len(query_stems(" ".join(f"word{n}" for n in range(99)), limit=5)) == 5

    @given(anything)
    def test_its_first_choices_are_the_stems(self, text):
        found = stems(text)
        firsts = [options[0] for options in query_stems(text, limit=1_000)]
        assert set(firsts) == set(found)
        assert all(firsts)


class TestAnyText:
    @given(anything, st.sampled_from([None, "en", "de", "ja", "ko", "xx"]))
    def test_no_stem_is_empty_or_holds_whitespace(self, text, language):
        for stem in stems(text, language=language):
            assert stem
            assert len(stem.split()) == 1
            assert stem == stem.strip()
            assert len(stem) <= 60
            stem.encode()

    @given(anything, st.integers(0, 10))
    def test_the_limit_gives_the_first_ones(self, text, limit):
        assert stems(text, limit=limit) == stems(text)[:limit]

    @each_row("unit", ["word ", "東", "a", "\ud800", "a\u0301 "])
    def test_thirty_thousand_characters_are_read(self, unit):
        text = unit * (30_000 // len(unit))
        began_at = time.thread_time()  # what else the machine does is not counted
        assert len(stems(text, limit=40)) <= 40
        language_of(text)
        query_stems(text)
        assert time.thread_time() - began_at < 10

    def test_a_limited_reading_of_a_long_run_is_not_remembered_short(self):
        run = "東京" * 15
        assert stems(run)[:2] == stems(run, limit=2)
        assert len(stems(run)) == 29

    def test_threads_agree(self):
        texts = [*SENTENCES.values(), *SENTENCES.values()]
        expected = [stems(text) for text in texts]
        start = threading.Barrier(8)

        def read(_):
            start.wait()
            return all([stems(text) for text in texts] == expected for _ in range(10))

        with ThreadPoolExecutor(8) as pool:
            assert all(pool.map(read, range(8)))
