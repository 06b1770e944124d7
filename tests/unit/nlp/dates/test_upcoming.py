"""Days that are to come, in the words of many languages."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rows import each_row
from utils.nlp.dates.upcoming import coming_day

NOW = datetime(2026, 3, 11, 12, tzinfo=UTC)  # a Wednesday


TUESDAY = datetime(2026, 11, 24, 12, tzinfo=UTC)


@each_row(
    ("now", "text", "day"),
    [
        *(
            (NOW, *row)
            for row in [
                ("today", "2026-03-11"),
                ("tomorrow evening", "2026-03-12"),
                ("the day after tomorrow", "2026-03-13"),
                ("on Friday", "2026-03-13"),
                ("next Friday", "2026-03-13"),
                ("Wednesday", "2026-03-18"),
                ("at the weekend", "2026-03-14"),
                ("in three days", "2026-03-14"),
                ("in 2 weeks", "2026-03-25"),
                ("in a month", "2026-04-11"),
                ("next week", "2026-03-16"),
                ("next month", "2026-04-01"),
                ("on 12 April", "2026-04-12"),
                ("March 12th", "2026-03-12"),
                ("on the 3rd of April 2027", "2027-04-03"),
                ("31 January", "2027-01-31"),
                ("29 February", "2028-02-29"),
                ("2026-03-20", "2026-03-20"),
                ("2025-01-01", "2025-01-01"),
                ("am 15.4.", "2026-04-15"),
                ("am Freitag", "2026-03-13"),
                ("übermorgen", "2026-03-13"),
                ("in einer Woche", "2026-03-18"),
                ("nächste Woche", "2026-03-16"),
                ("après-demain", "2026-03-13"),
                ("vendredi prochain", "2026-03-13"),
                ("le 12 mai", "2026-05-12"),
                ("pasado mañana", "2026-03-13"),
                ("manana", "2026-03-12"),
                ("dentro de poco, el viernes", "2026-03-13"),
                ("la semana que viene", "2026-03-16"),
                ("na sexta", "2026-03-13"),
                ("amanhã", "2026-03-12"),
                ("venerdì", "2026-03-13"),
                ("завтра", "2026-03-12"),
                ("через неделю", "2026-03-18"),
                ("明日", "2026-03-12"),
            ]
        ),
        *(
            (TUESDAY, *row)
            for row in [
                ("am Freitag in einer Woche", "2026-12-04"),
                ("Freitag, in 2 Wochen", "2026-12-11"),
                ("Freitag Abend in einer Woche", "2026-12-04"),
                ("in zwei Wochen am Freitag", "2026-12-11"),
                ("heute in einer Woche", "2026-12-01"),
                ("heute in vierzehn Tagen", "2026-12-08"),
                ("morgen in einem Monat", "2026-12-25"),
                ("übernächsten Freitag", "2026-12-04"),
                ("nächste Woche Freitag", "2026-12-04"),
                ("Freitag in der nächsten Woche", "2026-12-04"),
                ("Samstag übernächste Woche", "2026-12-12"),
                ("diese Woche am Freitag", "2026-11-27"),
                ("a week on Friday", "2026-12-04"),
                ("Friday week", "2026-12-04"),
                ("two weeks from Friday", "2026-12-11"),
                ("three days from tomorrow", "2026-11-28"),
                ("a month from now", "2026-12-24"),
                ("two days after Monday", "2026-12-02"),
                ("the day before Friday", "2026-11-26"),
                ("drei Tage nach dem nächsten Freitag", "2026-11-30"),
                ("am Tag vor Freitag", "2026-11-26"),
                ("next week Friday", "2026-12-04"),
                ("Friday of next week", "2026-12-04"),
                ("the Friday after next", "2026-12-04"),
                ("the week after next", "2026-12-07"),
                ("the week after next on Friday", "2026-12-11"),
                ("vendredi dans deux semaines", "2026-12-11"),
                ("vendredi de la semaine prochaine", "2026-12-04"),
                ("übernächster Monat", "2027-01-01"),
                ("überübermorgen", "2026-11-27"),
                ("every week on Friday", "2026-11-27"),
                ("on Friday May has a concert", "2026-11-27"),
                ("on Friday I may go swimming", "2026-11-27"),
                ("on Friday the march takes place", "2026-11-27"),
                ("Friday before work", "2026-11-27"),
                ("the week of December 14", "2026-12-14"),
                ("done before the 5 December", "2026-12-05"),
                ("am Freitag nach der Arbeit", "2026-11-27"),
                ("the day after the weekend", "2026-11-30"),
                ("zwei Tage nach dem Wochenende", "2026-12-01"),
                ("the day before the weekend", "2026-11-27"),
                ("the day after Saturday", "2026-11-29"),
                ("on Friday, in May we are away", "2026-11-27"),
                ("away for a week from Friday", "2026-11-27"),
                # an explicit day wins over a weekday
                ("nächsten Freitag, 11. Dezember", "2026-12-11"),
                ("tomorrow or on 12 December", "2026-12-12"),
                ("at 5 on December 7", "2026-12-07"),
                ("December 11, 2027", "2027-12-11"),
                ("am 5. Jänner", "2027-01-05"),
                ("1er décembre", "2026-12-01"),
                ("ab 2026/12/01 bin ich weg", "2026-12-01"),
                ("2026.12.01-2026.12.03", "2026-12-01"),
                ("freitag den 11.", "2026-12-11"),
                ("Freitag den 11", "2026-12-11"),
                ("Friday the 11th", "2026-12-11"),
                ("on Friday, the 11th", "2026-12-11"),
                ("am 11.", "2026-12-11"),
                ("am 24. abends", "2026-11-24"),
                ("on the 31st", "2026-12-31"),
                ("am 5. nächsten Monats", "2026-12-05"),
                ("the 28th of next month", "2026-12-28"),
            ]
        ),
    ],
)
def test_a_day_to_come_is_found(now, text, day):
    assert coming_day(text, now, UTC) == date.fromisoformat(day)


@each_row(
    "text",
    [
        "",
        "some day",
        "soon",
        "31 February",
        "2026-02-30",
        "9999999",
        "Friday the 12th",
        "Freitag den 4. ab Mittag",
        "Freitag in drei Tagen",
        "on Friday in a month",
        "diese Woche Montag",
        "Friday last week",
        "Freitag vor einer Woche",
        "im Jänner",
        "am 2. Advent",
        "on the last Friday of December",
        "first Monday in May, at school",
        "letzter Freitag im Dezember",
        "el último viernes de diciembre",
        "on Friday next month",
        "the Friday before Christmas",
        "am Montag nach Ostern",
        "two days after 24 December",
        "zwei Tage nach dem 24. Dezember",
        "a Friday in spring",
        "der erste Samstag des Monats",
        "the 5th time",
        "I use Home Assistant 2026.12.1",
        "cats.example/2026/12/24/cats, photos/2026-12-24.zip and 2026/12/24/cats",
        "my file number is 2026-12/24",
    ],
)
def test_what_names_no_day_or_several_gives_none(text):
    assert coming_day(text, TUESDAY, UTC) is None


def test_a_week_and_its_weekday_must_agree_with_the_sum():
    saturday = datetime(2026, 11, 28, 12, tzinfo=UTC)
    assert coming_day("in zwei Wochen am Freitag", saturday, UTC) is None
    assert coming_day("Freitag in zwei Wochen", saturday, UTC) == date(2026, 12, 18)


def test_the_day_is_that_of_the_zone():
    late = datetime(2026, 3, 11, 23, 30, tzinfo=UTC)
    assert coming_day("tomorrow", late, ZoneInfo("Asia/Tokyo")) == date(2026, 3, 13)
    assert coming_day("tomorrow", late, UTC) == date(2026, 3, 12)


def test_a_month_that_is_too_short_gives_its_last_day():
    assert coming_day("in a month", datetime(2026, 1, 31, 9, tzinfo=UTC), UTC) == date(2026, 2, 28)


@given(st.text(max_size=400))
def test_it_never_raises(text):
    coming_day(text, NOW, UTC)
    coming_day(f"in {text} weeks", datetime.max.replace(tzinfo=UTC), UTC)


@pytest.mark.timeout(10)
def test_long_texts_cost_no_time():
    assert coming_day("in " * 1_000_000, NOW, UTC) is None
