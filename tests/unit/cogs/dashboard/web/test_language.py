"""The language of the pages: who gets which, and how numbers, dates and texts are written in it."""

from datetime import UTC, datetime, timedelta

import pytest
from markupsafe import Markup

from cogs.dashboard.web import language
from cogs.dashboard.web.language import choose, languages
from utils.common.errors import BadInput

NOON = datetime(2026, 3, 5, 12, tzinfo=UTC)


@pytest.fixture
def german():
    language.use(languages()["de"])
    yield
    language.use(language.ENGLISH)


@pytest.mark.parametrize(
    ("cookie", "accepted", "code"),
    [
        (None, "", "en"),
        (None, "de-AT,de;q=0.9,en;q=0.5", "de"),
        (None, "fr, en;q=0.8, de;q=0.7", "en"),
        (None, "fr", "en"),
        ("de", "en", "de"),
        ("en", "de", "en"),
        ("xx", "DE", "de"),
    ],
)
def test_a_choice_comes_before_what_the_browser_asks_for(cookie, accepted, code):
    assert choose(cookie, accepted).code == code


def test_values_are_escaped_unless_they_are_markup():
    text = language.t("`{a}` & {b}", a="<i>", b=Markup("<b>x</b>"))
    assert text == "<code>&lt;i&gt;</code> &amp; <b>x</b>"
    assert language.t("<script>{b}", b="`x`") == "&lt;script&gt;`x`"


def test_numbers_dates_and_distances_are_written_as_germans_do(german):
    assert language.count(1_234_567) == "1.234.567"
    assert language.written(0.5, ".2f") == "0,50"
    assert language.written(0.84, ".0%") == "84\N{NO-BREAK SPACE}%"
    assert language.day(NOON) == "5. M\u00e4rz 2026"
    assert language.ago(NOON - timedelta(days=3), NOON) == "vor 3 Tagen"
    assert language.ago(NOON + timedelta(hours=1), NOON) == "in 1 Stunde"
    assert language.clock(NOON) == "5. M\u00e4rz 2026, 12:00 UTC"


def test_an_error_is_said_in_the_language_and_keeps_its_values(german):
    error = BadInput("{what} must be a number of at most 19 digits.", what="{x}")
    assert language.sentence_of(error).startswith("{x} ")
    assert language.sentence_of(error) != str(error)
