"""Words that find each other: irregular forms and everyday synonyms, by language."""

from tests.rows import each_row
from utils.memory.recall.query import Query, related_stems
from utils.nlp.languages import languages
from utils.nlp.stemming import STOP_WORDS, stems


@each_row(
    ("language", "asked", "told"),
    [
        ("en", "go", "went"),
        ("en", "teeth", "tooth"),
        ("en", "mothers", "mum"),
        ("en", "bike", "bicycles"),
        ("de", "gegangen", "ging"),
        ("de", "Mutter", "Mama"),
        ("de", "Fahrrad", "Rad"),
    ],
)
def test_a_word_finds_its_other_forms_and_its_synonyms(language, asked, told):
    assert {*stems(told, language=language)} <= related_stems(
        stems(asked, language=language), language
    )
    assert {*stems(asked, language=language)} <= related_stems(
        stems(told, language=language), language
    )


def test_words_in_no_row_and_languages_without_rows_find_nothing():
    assert related_stems(["zanzibar"], "en") == related_stems(["mother"], "ja") == frozenset()
    assert not related_stems(["mother"], "xx")


@each_row("code", ["en", "de"])
def test_every_row_joins_words_that_are_different_and_searched_for(code):
    words = languages()[code].search
    for row in (*words.irregular, *words.synonyms):
        assert len({stem for word in row for stem in stems(word, language=code)}) > 1, row
        assert row.isdisjoint(STOP_WORDS[code]), row


@each_row("code", ["en", "de"])
def test_every_category_has_several_members_that_are_searched_for(code):
    for names, members in languages()[code].search.categories.items():
        words = {*names.split(), *members.split()}
        assert len(set(stems(members, language=code)) - set(stems(names, language=code))) > 1, names
        assert words.isdisjoint(STOP_WORDS[code]), words & STOP_WORDS[code]
        assert len(members.split()) == len(set(members.split())), names


@each_row(
    ("question", "category", "member"),
    [
        ("Which instruments do you play?", "instrument", "cello"),
        ("Where is your favourite city?", "citi", "pari"),
        ("Welches Instrument spielst du?", "instrument", "gitarr"),
    ],
)
def test_a_question_has_the_members_of_its_categories(question, category, member):
    members = {word[0]: stems for word, stems in Query.of(question).members.items()}
    assert member in members[category]
    assert category not in members[category]
    assert {category, member} <= Query.of(question).stems


def test_a_statement_has_no_members_of_categories():
    assert Query.of("I play two instruments.").members == {}
    assert Query.of("Ich spiele zwei Instrumente.").members == {}
    assert Query.of("楽器は？").members == {}
