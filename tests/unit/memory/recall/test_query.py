"""A message as a query: its words, sentences, days, and whether it asks or tells."""

from datetime import UTC

import pytest

from tests.fakes.builders import NOON
from tests.rows import each_row
from utils.memory.recall.query import Query, without_names


def words(query):
    return [alternatives[0] for alternatives in query.words]


def test_names_are_left_out_and_each_word_counts_once():
    query = Query.of("Does Rex like tea? Tea, Rex, tea and figs!", ["Rex Smith"], ["Green Tea"])
    assert words(query) == ["like", "tea", "fig"]
    assert query.sentences == ((0, 1), (1, 2))
    assert query.channel_topics == {"green", "tea"}
    assert (query.days, query.asks_when, query.telling) == ((), False, 0.5)


def test_a_single_sentence_has_all_words_and_empty_text_none():
    assert Query.of("likes tea\n \n").sentences == ((0, 1),)
    assert Query.of("") == Query((), sentences=())
    assert Query.of("\n  \n").telling == 0.0
    assert Query.of("🙂 and. or").sentences == ((0,),)


def test_a_long_message_counts_with_its_first_sixty_words_and_twenty_sentences():
    text = " ".join(f"word{n}x" for n in range(100))
    assert words(Query.of(text)) == [f"word{n}x" for n in range(60)]
    assert len(words(Query.of(" ".join(f"word{n}x word{n}x" for n in range(100))))) == 60
    lines = "\n".join(f"word{n}x" for n in range(30))
    assert Query.of(lines).sentences == tuple((n,) for n in range(20))


def test_days_are_read_only_with_a_time_and_a_zone():
    text = "what did I do yesterday?"
    assert len(Query.of(text, now=NOON, zone=UTC).days) == 1
    assert Query.of(text, now=NOON).days == Query.of(text, zone=UTC).days == ()


@each_row(
    ("text", "asks_when", "telling"),
    [
        ("when do we meet?", True, 0.0),
        ("Wann treffen wir uns?", True, 0.0),
        ("when we meet, I sing", False, 1.0),
        ("I sing. I dance. When do we meet?", True, 2 / 3),
        ('so you ask "when?"', True, 0.0),
        ("what do I like?", False, 0.0),
        ("do I like Dr. Seuss or C. S. Lewis?", False, 0.0),
        ("いつ会いますか？", True, 0.0),
        ("[image attached: when.png] nice", False, 1.0),
    ],
)
def test_a_question_for_a_time_is_told_from_other_words(text, asks_when, telling):
    query = Query.of(text)
    assert (query.asks_when, query.telling) == (asks_when, pytest.approx(telling))


def test_a_word_is_asked_for_with_its_other_forms_and_synonyms():
    (mother, bought) = Query.of("What has my mother bought?").words
    assert mother[0] == "mother" and "mom" in mother
    assert bought[0] == "bought" and "buy" in bought


def test_related_words_count_once_and_stand_in_the_sentences_of_both():
    query = Query.of("My mother called. My mom likes tea.")
    assert len(query.words) == 4
    assert query.sentences == ((0, 1), (0, 2, 3))


def test_words_are_related_in_the_language_of_the_message():
    assert "went" not in Query.of("Wann ging Ada ins Kino?").words[1]
    assert "geh" in {stem for word in Query.of("Wann ging Ada nach Hause?").words for stem in word}


@each_row(
    ("text", "rest"),
    [
        ("When did Ada buy Ada's boat?", "When did buy boat?"),
        ("what does ada lovelace like", "what does like"),
        ("Adam and the Canada trip", "Adam and the Canada trip"),
        ("Ada?", "Ada?"),
    ],
)
def test_a_message_is_compared_by_meaning_without_the_names_in_it(text, rest):
    assert without_names(text, ["Ada Lovelace", "(a+)*"]) == rest
    assert without_names(text, []) == without_names(text, [""]) == text
