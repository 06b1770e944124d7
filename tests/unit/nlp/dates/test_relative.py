"""Relative days in notes become dates, or the note is none."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from tests.rows import each_row
from utils.nlp.dates.relative import without_relative_days

TUESDAY = datetime(2026, 11, 24, 12, tzinfo=UTC)


@each_row(
    ("note", "resolved"),
    [
        ("is moving house this week", "is moving house in the week of 23 November 2026"),
        ("has an exam tomorrow", "has an exam on 25 November 2026"),
        ("went to the opera yesterday", "went to the opera on 23 November 2026"),
        ("starts a new job next month", "starts a new job in December 2026"),
        ("visits Rome next weekend", "visits Rome on the weekend of 5 December 2026"),
        ("must hand it in by tomorrow", "must hand it in by 25 November 2026"),
        ("flies to Oslo in three days", "flies to Oslo on 27 November 2026"),
        ("broke an arm two weeks ago", "broke an arm on 10 November 2026"),
        ("graduates next year", "graduates in 2027"),
        ("sees the dentist next Friday", "sees the dentist on 27 November 2026"),
        ("zieht morgen um", "zieht am 25.11.2026 um"),
        (
            "hat diese Woche Urlaub und ist in Köln",
            "hat in der Woche ab 23.11.2026 Urlaub und ist in Köln",
        ),
        ("war gestern beim Arzt und hat frei", "war am 23.11.2026 beim Arzt und hat frei"),
        ("se muda mañana a una casa nueva", "se muda 2026-11-25 a una casa nueva"),
    ],
)
def test_relative_days_become_dates(note, resolved):
    assert without_relative_days(note, TUESDAY, UTC) == resolved


@each_row(
    "note",
    [
        "has a dog named Rex",
        "goes running every morning",
        "plays football every Friday",
        "is getting married on 5 June 2027",
        "works on Fridays",
        "trinkt jeden Morgen Kaffee und liest",
        "toma café por la mañana con su perro",
        "plays chess once a week on Fridays",
        "meets every week on Fridays",
        "likes the band This Mortal Coil",
        "lives in Lisbon",
        "",
    ],
)
def test_what_is_not_relative_stays_word_for_word(note):
    assert without_relative_days(note, TUESDAY, UTC, weekdays_ahead=True) == note


@each_row(
    ("note", "resolved"),
    [
        ("hat am Freitag in einer Woche eine Prüfung", "hat am 4.12.2026 eine Prüfung"),
        ("hat heute in einer Woche eine Prüfung", "hat am 1.12.2026 eine Prüfung"),
        ("zieht übernächsten Freitag um und ist froh", "zieht am 4.12.2026 um und ist froh"),
        ("hat nächste Woche Freitag eine Prüfung", "hat am 4.12.2026 eine Prüfung"),
        ("hat übernächste Woche eine Prüfung", "hat in der Woche ab 7.12.2026 eine Prüfung"),
        ("has an exam a week on Friday", "has an exam on 4 December 2026"),
        ("moves on the Friday after next", "moves on 4 December 2026"),
        ("went to the opera last week on Friday", "went to the opera on 20 November 2026"),
        ("went to the opera a week ago today", "went to the opera on 17 November 2026"),
        ("war heute vor einer Woche beim Arzt", "war am 17.11.2026 beim Arzt"),
        ("moves on Friday. In two weeks sees Bob", "moves on Friday. on 8 December 2026 sees Bob"),
    ],
)
def test_two_expressions_become_one_date(note, resolved):
    assert without_relative_days(note, TUESDAY, UTC) == resolved


@each_row(
    "note",
    [
        "moves on Friday the 11th",
        "moves next Friday, 11 December",
        "zieht am Freitag, dem 11. Dezember, um und ist froh",
    ],
)
def test_a_weekday_with_its_date_stays(note):
    assert without_relative_days(note, TUESDAY, UTC, weekdays_ahead=True) == note


@each_row(
    "note",
    [
        "moves on Friday, in two weeks sees Bob",
        "moves on Friday in a month",
        "moved on Friday two weeks ago",
    ],
)
def test_a_sum_that_is_not_sure_is_no_note(note):
    assert without_relative_days(note, TUESDAY, UTC) is None


@each_row("note", ["wants to travel next summer", "met Bob the other day"])
def test_what_cannot_be_resolved_is_no_note(note):
    assert without_relative_days(note, TUESDAY, UTC) is None


def test_dates_that_a_model_wrote_are_put_in_the_same_words():
    for note, words in [
        ("has an exam on 2026-03-13", "has an exam on 13 March 2026"),
        ("hat am 2026-03-03 eine Prüfung in Mathe", "hat am 3.3.2026 eine Prüfung in Mathe"),
        ("runs v2026-03-13 and 2026-13-99", "runs v2026-03-13 and 2026-13-99"),
        ("moves tomorrow, until 2026-04-01", "moves on 25 November 2026, until 1 April 2026"),
    ]:
        assert without_relative_days(note, TUESDAY, UTC) == words


def test_a_weekday_alone_is_the_next_of_a_task_and_the_last_of_what_happened():
    note = "has a job interview on Friday"
    assert without_relative_days(note, TUESDAY, UTC) == note
    ahead = without_relative_days(note, TUESDAY, UTC, weekdays_ahead=True)
    assert ahead == "has a job interview on 27 November 2026"
    back = without_relative_days(note, TUESDAY, UTC, weekdays_ahead=False)
    assert back == "has a job interview on 20 November 2026"


def test_days_are_those_of_the_servers_time_zone():
    late = datetime(2026, 11, 24, 2, tzinfo=UTC)
    assert without_relative_days("moves today", late, ZoneInfo("America/New_York")) == (
        "moves on 23 November 2026"
    )


@given(st.text(max_size=200), st.sampled_from([None, True, False]))
def test_any_text_is_resolved_or_refused_and_then_stays(text, ahead):
    resolved = without_relative_days(text, TUESDAY, UTC, weekdays_ahead=ahead)
    assert resolved is None or isinstance(resolved, str)
