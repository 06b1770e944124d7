"""The days that a message speaks of, in eight languages; and what only looks like a date."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rows import each_row
from utils.nlp.dates import vocabulary
from utils.nlp.dates.parser import MAX_RANGES, mentioned_dates
from utils.nlp.dates.vocabulary import DATES

NOW = datetime(2026, 5, 15, 12, 0, tzinfo=UTC)  # a Friday


def told(text, now=NOW, zone=UTC):
    """Every range as it is written in the tables below: a day, or two with a blank between."""
    return [
        str(one.first) if one.first == one.last else f"{one.first} {one.last}"
        for one in mentioned_dates(text, now, zone)
    ]


MARCH = "2026-03-01 2026-03-31"
LAST_WEEK = "2026-05-04 2026-05-10"
LAST_YEAR = "2025-01-01 2025-12-31"
SUMMER = "2025-06-01 2025-08-31"
TWO_WEEKS_AGO = "2026-04-28 2026-05-04"
FEW_DAYS_AGO = "2026-05-09 2026-05-13"
CHRISTMAS = "2025-12-24 2025-12-26"

NAMED = {
    "english": [
        ("what did I say on 12 March?", "2026-03-12"),
        ("March 12th, 2025 was great", "2025-03-12"),
        ("the 12th of March 2025", "2025-03-12"),
        ("it was May 12", "2026-05-12"),
        ("12.03.2026", "2026-03-12"),
        ("since 2026-03-12", "2026-03-12"),
        ("13/12/2025", "2025-12-13"),
        ("from 3-5 March", "2026-03-03 2026-03-05"),
        ("from 15 March 2019 to the 2nd of April", "2019-03-15 2019-04-02"),
        ("28 December to 3 January", "2025-12-28 2026-01-03"),
        ("from 1 January 2019 to 31 December", "2019-01-01 2019-12-31"),
        ("from 2010 until May", "2010-01-01 2026-05-31"),
        ("in January through February", "2026-01-01 2026-02-28"),
        ("in March", MARCH),
        ("in the last week of March", MARCH),  # which one of its weeks is not told apart
        ("on the first Sunday in March", MARCH),
        ("Christmas in 2025", LAST_YEAR),
        ("in may", "2026-05-01 2026-05-31"),
        ("in december", "2025-12-01 2025-12-31"),
        ("March 2024", "2024-03-01 2024-03-31"),
        ("back in 2023", "2023-01-01 2023-12-31"),
        ("summer 2024", "2024-06-01 2024-08-31"),
        ("last summer", SUMMER),
        ("in the winter", "2025-12-01 2026-02-28"),
        ("what did I get for Christmas?", CHRISTMAS),
        ("Christmas 2023", "2023-12-24 2023-12-26"),
        ("on New Year's Eve", "2025-12-31 2026-01-01"),
        ("at Easter", "2026-04-03 2026-04-06"),
        ("at Halloween", "2025-10-31"),
        ("on Valentine's Day", "2026-02-14"),
        ("yesterday", "2026-05-14"),
        ("the day before yesterday", "2026-05-13"),
        ("last night", "2026-05-14 2026-05-15"),
        ("last March", MARCH),
        ("last May", "2025-05-01 2025-05-31"),
        ("March last year", "2025-03-01 2025-03-31"),
        ("last week", LAST_WEEK),
        ("last year", LAST_YEAR),
        ("this month", "2026-05-01 2026-05-31"),
        ("in the last month", "2026-04-15 2026-05-15"),
        ("over the past two weeks", "2026-05-01 2026-05-15"),
        ("two weeks ago", TWO_WEEKS_AGO),
        ("3 days ago", "2026-05-12"),
        ("3 months ago", "2026-01-29 2026-02-28"),
        ("a few days ago", FEW_DAYS_AGO),
        ("a couple of days ago", "2026-05-11 2026-05-13"),
        ("the other day", "2026-05-05 2026-05-14"),
        ("last Friday", "2026-05-08"),
        ("on Monday", "2026-05-11"),
        ("Friday last week", "2026-05-08"),
        ("last weekend", "2026-05-09 2026-05-10"),
        ("on the weekend", "2026-05-09 2026-05-10"),
        ("on the 5th.", "2026-05-05"),
    ],
    "german": [
        ("vom 28. Dezember 2025 bis zum 3. Januar", "2025-12-28 2026-01-03"),
        ("von Mai 2019 bis Juni", "2019-05-01 2019-06-30"),
        ("am 12. März", "2026-03-12"),
        ("am 12. März 2025", "2025-03-12"),
        ("am 12.3. war ich da", "2026-03-12"),
        ("im März", MARCH),
        ("am letzten Sonntag im März", MARCH),
        ("im Mai", "2026-05-01 2026-05-31"),
        ("im Jahr 2023", "2023-01-01 2023-12-31"),
        ("letzten Sommer", SUMMER),
        ("Weihnachten", CHRISTMAS),
        ("gestern", "2026-05-14"),
        ("vorgestern", "2026-05-13"),
        ("vor drei Tagen", "2026-05-12"),
        ("vor zwei Wochen", TWO_WEEKS_AGO),
        ("vor ein paar Tagen", FEW_DAYS_AGO),
        ("letzte Woche", LAST_WEEK),
        ("letztes Jahr", LAST_YEAR),
        ("letzten Freitag", "2026-05-08"),
        ("in den letzten drei Wochen", "2026-04-24 2026-05-15"),
        ("diesen Monat", "2026-05-01 2026-05-31"),
    ],
    "french": [
        ("le 12 mars 2025", "2025-03-12"),
        ("le 1er mai", "2026-05-01"),
        ("en mars", MARCH),
        ("fin août", "2025-08-01 2025-08-31"),
        ("l'été dernier", SUMMER),
        ("à Noël", CHRISTMAS),
        ("qu'est-ce que j'ai dit hier ?", "2026-05-14"),
        ("avant-hier", "2026-05-13"),
        ("il y a deux semaines", TWO_WEEKS_AGO),
        ("il y a quelques jours", FEW_DAYS_AGO),
        ("la semaine dernière", LAST_WEEK),
        ("l'année dernière", LAST_YEAR),
        ("vendredi dernier", "2026-05-08"),
        ("ces 3 derniers mois", "2026-02-13 2026-05-15"),
    ],
    "spanish": [
        ("el 12 de marzo de 2025", "2025-03-12"),
        ("en marzo", MARCH),
        ("en mayo", "2026-05-01 2026-05-31"),
        ("el verano pasado", SUMMER),
        ("en Navidad", CHRISTMAS),
        ("ayer", "2026-05-14"),
        ("antes de ayer", "2026-05-13"),
        ("hace dos semanas", TWO_WEEKS_AGO),
        ("hace unos días", FEW_DAYS_AGO),
        ("la semana pasada", LAST_WEEK),
        ("el año pasado", LAST_YEAR),
        ("el lunes", "2026-05-11"),
        ("el viernes pasado", "2026-05-08"),
        ("en el último mes", "2026-04-15 2026-05-15"),
    ],
    "portuguese": [
        ("12 de março de 2024", "2024-03-12"),
        ("em março", MARCH),
        ("no verão passado", SUMMER),
        ("no natal", CHRISTMAS),
        ("este Natal", CHRISTMAS),
        ("ontem", "2026-05-14"),
        ("anteontem", "2026-05-13"),
        ("há três dias", "2026-05-12"),
        ("duas semanas atrás", TWO_WEEKS_AGO),
        ("há alguns dias", FEW_DAYS_AGO),
        ("semana passada", LAST_WEEK),
        ("ano passado", LAST_YEAR),
        ("sexta-feira passada", "2026-05-08"),
        ("na segunda-feira", "2026-05-11"),
    ],
    "italian": [
        ("il 12 marzo 2025", "2025-03-12"),
        ("in luglio", "2025-07-01 2025-07-31"),
        ("l'estate scorsa", SUMMER),
        ("a Natale", CHRISTMAS),
        ("ieri", "2026-05-14"),
        ("l'altro ieri", "2026-05-13"),
        ("due settimane fa", TWO_WEEKS_AGO),
        ("qualche giorno fa", FEW_DAYS_AGO),
        ("la settimana scorsa", LAST_WEEK),
        ("la scorsa settimana", LAST_WEEK),
        ("l'anno scorso", LAST_YEAR),
        ("venerdì scorso", "2026-05-08"),
    ],
    "russian": [
        ("12 марта 2025 года", "2025-03-12"),
        ("в марте", MARCH),
        ("в 2023 году", "2023-01-01 2023-12-31"),
        ("прошлым летом", SUMMER),
        ("вчера", "2026-05-14"),
        ("позавчера", "2026-05-13"),
        ("три дня назад", "2026-05-12"),
        ("две недели назад", TWO_WEEKS_AGO),
        ("несколько дней назад", FEW_DAYS_AGO),
        ("неделю назад", "2026-05-05 2026-05-11"),
        ("на прошлой неделе", LAST_WEEK),
        ("в прошлом году", LAST_YEAR),
        ("в прошлую пятницу", "2026-05-08"),
        ("в понедельник", "2026-05-11"),
    ],
    "japanese": [
        ("2024年3月12日に", "2024-03-12"),
        ("3月に何をした？", MARCH),
        ("３月１２日", "2026-03-12"),
        ("2023年", "2023-01-01 2023-12-31"),
        ("去年の夏", SUMMER),
        ("クリスマス", CHRISTMAS),
        ("昨日", "2026-05-14"),
        ("一昨日", "2026-05-13"),
        ("3日前", "2026-05-12"),
        ("2週間前", TWO_WEEKS_AGO),
        ("数日前", FEW_DAYS_AGO),
        ("先週", LAST_WEEK),
        ("先月", "2026-04-01 2026-04-30"),
        ("去年", LAST_YEAR),
        ("先週の金曜日", "2026-05-08"),
        ("月曜日に", "2026-05-11"),
    ],
    "chinese": [
        ("2024年3月12日", "2024-03-12"),
        ("三月十二日", "2026-03-12"),
        ("去年三月", "2025-03-01 2025-03-31"),
        ("去年夏天", SUMMER),
        ("圣诞节", CHRISTMAS),
        ("昨天", "2026-05-14"),
        ("前天", "2026-05-13"),
        ("三天前", "2026-05-12"),
        ("两个星期前", TWO_WEEKS_AGO),
        ("几天前", FEW_DAYS_AGO),
        ("上周", LAST_WEEK),
        ("上个月", "2026-04-01 2026-04-30"),
        ("上周五", "2026-05-08"),
        ("星期一", "2026-05-11"),
    ],
}


@each_row(("text", "days"), [case for rows in NAMED.values() for case in rows])
def test_what_a_date_means(text, days):
    assert told(text) == [days]


@each_row(
    "text",
    [
        "I may go to the march",
        "may 12 people come",
        "may I ask",
        "this may be it",
        "march on!",
        "we march 3 miles",
        "the sun is up, a sat phone",
        "python 3.12",
        "v1.2.2024",
        "3.12.4",
        "10.0.0.1",
        "12:30",
        "at 12:30:05",
        "ratio 3:4",
        "1/2 cup",
        "24/7",
        "3/12 done",
        "it is $12.50, or 12,50 €",
        "in 2000 euros",
        "it has 2023 lines",
        "wait a second",
        "the second one",
        "what does April like?",
        "June and August are my cats",
        "every Friday",
        "each Monday",
        "on Fridays",
        "next Friday",
        "next week",
        "plans for the weekend",
        "next March",
        "tomorrow",
        "today",
        "30 February",
        "on the 5th floor",
        "a long time ago",
        "years ago",
        "call 01712345678",
        "in 20231",
        "ich bin hier",
        "jeden Montag",
        "nächsten Freitag",
        "vor dem Haus",
        "j'ai été malade",
        "la planète Mars",
        "tous les lundis",
        "la mayo",
        "Marco lives",
        "el viernes que viene",
        "cada lunes",
        "a segunda vez",
        "a cidade de Natal",
        "ogni venerdì",
        "Марта и Мая",
        "каждую пятницу",
        "3ヶ月間",
        "毎週金曜日",
        "来週の金曜日",
        "每周五",
        "明天",
        "",
        "😀" * 20,
    ],
)
def test_what_only_looks_like_a_date(text):
    assert told(text) == []


def test_day_and_month_in_slashes_are_read_both_ways_where_it_must_be_a_date():
    assert told("3/12/2025") == ["2025-12-03", "2025-03-12"]
    assert told("on 3/12") == ["2025-12-03", "2026-03-12"]
    assert told("3/12") == []


def test_a_message_can_name_several_and_each_comes_once():
    assert told("yesterday, in March, and yesterday again") == ["2026-05-14", MARCH]
    assert told("I was ill last week. In March I was not") == [LAST_WEEK, MARCH]
    assert len(told(" ".join(f"{day} March" for day in range(1, 20)))) == MAX_RANGES


def test_a_day_begins_at_midnight_in_the_zone():
    late = datetime(2026, 5, 15, 22, 0, tzinfo=UTC)
    assert told("yesterday", late) == ["2026-05-14"]
    assert told("yesterday", late, ZoneInfo("Asia/Tokyo")) == ["2026-05-15"]


@each_row(
    ("text", "date"),
    [
        ("on Monday", "2026-06-01"),
        ("last Monday", "2026-05-25"),
        ("1 June", "2026-06-01"),
        ("2 June", "2025-06-02"),
        ("in summer", "2026-06-01 2026-08-31"),
        ("29 February", "2024-02-29"),
    ],
)
def test_what_began_today_is_the_latest(text, date):
    assert told(text, datetime(2026, 6, 1, 12, 0, tzinfo=UTC)) == [date]  # a Monday


@each_row(
    ("text", "said_on", "days"),
    [
        ("last spring", "2026-05-31", "2025-03-01 2025-05-31"),
        ("last May", "2026-05-31", "2025-05-01 2025-05-31"),
        ("last Christmas", "2025-12-25", "2024-12-24 2024-12-26"),
    ],
)
def test_the_last_one_is_not_the_current_one_even_on_its_last_day(text, said_on, days):
    assert told(text, datetime.fromisoformat(f"{said_on}T12:00+00:00")) == [days]


def test_the_spelling_without_accents_is_understood():
    assert told("l'annee derniere") == told("l'année dernière") == [LAST_YEAR]
    assert told("ultimos 3 meses") == told("últimos 3 meses")


WORDS = sorted(
    {
        *vocabulary.MONTHS,
        *vocabulary.WEEKDAYS,
        *vocabulary.UNITS,
        *vocabulary.NUMBERS,
        *vocabulary.VAGUE_NUMBERS,
        *DATES.last_before,
        *DATES.ago_after,
        *DATES.of,
        *vocabulary.SEASONS,
        *(
            word
            for phrase in (*vocabulary.DAYS_BACK, *vocabulary.YEARLY)
            for word in phrase.split()
        ),
        *("0", "1", "31", "99", "365", "999", "1950", "2023", "9999", "12.03.2026", "3/12", ","),
        *(
            "2026-03-12",
            ".",
            "'",
            "vor",
            "hace",
            "年",
            "月",
            "日",
            "前",
            "先週",
            "上周",
            "数",
            "二",
        ),
        *("十", "曜日", "去年の", "夏", "クリスマス", "个月"),
    }
)
moments = st.datetimes(timezones=st.sampled_from([UTC, ZoneInfo("Asia/Tokyo")])) | st.sampled_from(
    [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC), NOW]
)


@given(st.lists(st.sampled_from(WORDS), max_size=25) | st.lists(st.text(), max_size=5), moments)
def test_it_never_raises_and_no_range_ends_before_it_begins(parts, now):
    for glue in (" ", ""):
        found = mentioned_dates(glue.join(parts), now, ZoneInfo("America/Lima"))
        assert len(set(found)) == len(found) <= MAX_RANGES
        assert all(date.min <= one.first <= one.last for one in found)


@pytest.mark.parametrize(
    "text",
    [
        "1" * 4_000,
        "1." * 2_000,
        "1-" * 2_000,
        "12/" * 1_400,
        "last " * 800,
        "a few " * 700,
        "十" * 4_000,
        "1月" * 2_000,
        "\ufdfa" * 4_000,
        "'" * 4_000,
    ],
)
@pytest.mark.timeout(10)
def test_hostile_messages_take_no_time(text):
    assert len(mentioned_dates(text * 4, NOW, UTC)) < 100
