"""Relative days in notes become dates, or the note is none."""

import re
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from tests.rows import each_row
from utils.nlp.dates.relative import with_dates

TUESDAY = datetime(2026, 11, 24, 12, tzinfo=UTC)


def without_dates(text):
    """The text as a model wrote it."""
    return re.sub(r" \([^)]*\)", "", text)


def dated(text, said_at, zone, **given):
    """The text with dates, or None."""
    found = with_dates(text, said_at, zone, **given)
    return found and found.text


@each_row(
    "resolved",
    [
        "is away all of this week (the week of 23 November 2026)",
        "has an exam tomorrow (25 November 2026)",
        "went to the opera yesterday (23 November 2026)",
        "starts a new job next month (December 2026)",
        "visits Rome next weekend (the weekend of 5 December 2026)",
        "must hand it in by tomorrow (25 November 2026)",
        "flies to Oslo in three days (27 November 2026)",
        "broke an arm two weeks ago (10 November 2026)",
        "graduates next year (2027)",
        "sees the dentist next Friday (27 November 2026)",
        "zieht morgen (25.11.2026) um",
        "hat diese Woche (Woche ab 23.11.2026) Urlaub und ist in Köln",
        "war gestern (23.11.2026) beim Arzt und hat frei",
        "ist krank und bleibt zu Hause. Morgen (25.11.2026) ist er wieder da",
        "se muda mañana (2026-11-25) a una casa nueva",
        "hat am Freitag in einer Woche (4.12.2026) eine Prüfung",
        "hat heute in einer Woche (1.12.2026) eine Prüfung",
        "zieht übernächsten Freitag (4.12.2026) um und ist froh",
        "hat nächste Woche Freitag (4.12.2026) eine Prüfung",
        "hat übernächste Woche (Woche ab 7.12.2026) eine Prüfung",
        "has an exam a week on Friday (4 December 2026)",
        "moves on the Friday after next (4 December 2026)",
        "moves two weeks from now (8 December 2026)",
        "went to the opera last week on Friday (20 November 2026)",
        "went to the opera a week ago today (17 November 2026)",
        "war heute vor einer Woche (17.11.2026) beim Arzt",
        "moves on Friday. In two weeks (8 December 2026) sees Bob",
    ],
)
def test_one_date_stands_behind_a_relative_day_in_one_expression_or_two(resolved):
    assert dated(without_dates(resolved), TUESDAY, UTC) == resolved


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
        "moves on Friday the 11th",
        "moves next Friday, 11 December",
        "zieht am Freitag, dem 11. Dezember, um und ist froh",
    ],
)
def test_what_is_not_relative_stays_word_for_word(note):
    assert dated(note, TUESDAY, UTC, weekdays_ahead=True) == note


@each_row(
    "note",
    [
        "moves on Friday, in two weeks sees Bob",
        "moves on Friday in a month",
        "moved on Friday two weeks ago",
        "wants to travel next summer",
        "met Bob the other day",
    ],
)
def test_what_cannot_be_resolved_for_sure_is_no_note(note):
    assert dated(note, TUESDAY, UTC) is None


def test_dates_that_a_model_wrote_are_put_in_the_same_words():
    for note, words in [
        ("has an exam on 2026-03-13", "has an exam on 13 March 2026"),
        ("hat am 2026-03-03 eine Prüfung in Mathe", "hat am 3.3.2026 eine Prüfung in Mathe"),
        ("runs v2026-03-13 and 2026-13-99", "runs v2026-03-13 and 2026-13-99"),
        (
            "moves tomorrow, until 2026-04-01",
            "moves tomorrow (25 November 2026), until 1 April 2026",
        ),
    ]:
        assert dated(note, TUESDAY, UTC) == words


def test_a_weekday_alone_is_the_next_of_a_task_and_the_last_of_what_happened():
    for note in ("has a job interview on Friday", "was ill the day before Friday"):
        assert dated(note, TUESDAY, UTC) == note
        assert dated(note, TUESDAY, UTC, weekdays_ahead=True) == f"{note} (27 November 2026)"
        assert dated(note, TUESDAY, UTC, weekdays_ahead=False) == f"{note} (20 November 2026)"


def test_days_are_those_of_the_servers_time_zone():
    late = datetime(2026, 11, 24, 2, tzinfo=UTC)
    assert dated("moves today", late, ZoneInfo("America/New_York")) == (
        "moves today (23 November 2026)"
    )


@given(st.text(max_size=200), st.sampled_from([None, True, False]))
def test_any_text_is_dated_or_refused(text, ahead):
    found = with_dates(text, TUESDAY, UTC, weekdays_ahead=ahead)
    assert found is None or isinstance(found.text, str)


@each_row(
    ("note", "last_day"),
    [
        ("is getting married on 5 June 2027", date(2027, 6, 5)),
        ("is away next week, and back on 2026-12-09", date(2026, 12, 9)),
        ("starts a new job next month", date(2026, 12, 31)),
        ("graduates next year", date(2027, 12, 31)),
        ("visits Rome next weekend", date(2026, 12, 6)),
        ("was born on 5 June 1990", None),
        ("has his birthday on 5 June", None),
        ("adopted a cat this year", None),
        ("has a cat", None),
    ],
)
def test_the_last_day_to_come_is_known(note, last_day):
    found = with_dates(note, TUESDAY, UTC)
    assert found is not None and found.last_day == last_day
