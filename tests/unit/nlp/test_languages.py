"""Language files: every one is sound, and a bad one gets a sentence that says why."""

import pytest
from pydantic import TypeAdapter

from utils.common.errors import LanguageFileError
from utils.nlp import languages as languages_module
from utils.nlp.languages import Language, languages, shared_tables


@pytest.fixture
def read(tmp_path):
    """Read a language file with the given content."""

    def read(content):
        path = tmp_path / "xx.toml"
        path.write_text(content, encoding="utf-8")
        return languages_module._read(path, TypeAdapter(Language))

    return read


def test_english_settles_ties_first_and_every_language_has_stop_words():
    assert next(iter(languages())) == "en"
    assert all(language.words.stop_words for language in languages().values())


def test_the_place_of_a_language_in_ties_is_its_own():
    orders = [one.order for one in languages().values() if one.script == "latin"]
    assert sorted(orders) == list(range(1, len(orders) + 1))


def test_a_language_has_the_shared_classes_unless_it_defines_its_own():
    assert languages()["de"].classes["admin"] == shared_tables().classes["admin"]
    assert languages()["en"].classes["admin"] != shared_tables().classes["admin"]


def test_a_file_needs_hardly_anything(read):
    language = read('name = "Klingon"\nscript = "latin"\n[words]\nstop_words = "je\\n net"')
    assert language.words.stop_words == {"je", "net"}
    assert language.dates.months == ()


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ('script = "latin"', "name: Field required"),
        ('name = "X"\nscript = "latin"\n[word]', "word: Unexpected keyword argument"),
        (
            'name = "X"\nscript = "latin"\n[dates.units]\nhour = "h"',
            "dates.units.hour.*: Input should be 'day', 'week', 'month' or 'year'",
        ),
        ('name = "X"\nscript = "latin"\norder = "1"', "order: Input should be a valid integer"),
        ('name = "X"\nscript = "latin"\nwords = "a b"', "words: Input should be a dictionary"),
        (
            'name = "X"\nscript = "latin"\n[dates]\nmonths = ["a", "b"]',
            "dates.months: Tuple should have at least 12 items",
        ),
        (
            'name = "X"\nscript = "latin"\n[dates.clock]\nspans = { score = "20 dya" }',
            "dates.clock.spans.score.1: Input should be 'second', 'minute'",
        ),
        (
            'name = "X"\nscript = "latin"\n[statements]\nspellings = "im: i am, ive"',
            "statements.spellings.1: String should match pattern ': '",
        ),
        ('name = "X', "xx.toml"),
    ],
)
def test_a_bad_file_is_named_with_its_problem(read, content, problem):
    with pytest.raises(LanguageFileError, match=problem):
        read(content)
