"""Times that are to come, in words: every word counts, or the whole is asked about."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from tests.rows import each_row
from tests.unit.nlp.dates import spoken_times
from utils.nlp.dates.clock_times import read_time

NOW = datetime(2026, 3, 11, 12, tzinfo=UTC)  # a Wednesday
BERLIN, NEW_YORK = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York")
LORD_HOWE = ZoneInfo("Australia/Lord_Howe")  # its clock is set by half an hour


@each_row(
    ("text", "meaning"),
    [
        *spoken_times.ENGLISH,
        *spoken_times.GERMAN,
        *spoken_times.UNSEEN,
        *spoken_times.SECOND_UNSEEN,
    ],
)
def test_a_time_is_understood_whole_or_asked_about(text, meaning):
    read = read_time(text, spoken_times.NOW, spoken_times.BERLIN)
    if meaning == spoken_times.ASKED:
        assert not read.is_sure
        return
    assert read.is_sure
    at, _, rule = meaning.partition(" | ")
    assert read.at == datetime.fromisoformat(at).replace(tzinfo=spoken_times.BERLIN)
    assert rule == ("" if read.repeat is None else read.repeat.rule)


@each_row(
    ("text", "at"),
    [
        ("tomorrow at 6", "2026-03-12 18:00"),
        ("tomorrow at 6 pm", "2026-03-12 18:00"),
        ("at 6", "2026-03-11 18:00"),
        ("at 6am", "2026-03-12 06:00"),
        ("at six", "2026-03-11 18:00"),
        ("18:30", "2026-03-11 18:30"),
        ("11:30", "2026-03-11 23:30"),
        ("11:30 UTC", "2026-03-12 11:30"),
        ("on Friday", "2026-03-13 09:00"),
        ("on Friday at noon", "2026-03-13 12:00"),
        ("friday evening at 8", "2026-03-13 20:00"),
        ("tonight", "2026-03-11 19:00"),
        ("tomorrow morning", "2026-03-12 09:00"),
        ("midnight", "2026-03-12 00:00"),
        ("12 am tomorrow", "2026-03-12 00:00"),
        ("in 20 minutes", "2026-03-11 12:20"),
        ("in an hour", "2026-03-11 13:00"),
        ("in half an hour", "2026-03-11 12:30"),
        ("in three hours", "2026-03-11 15:00"),
        ("in 3 days at 7:15 am", "2026-03-14 07:15"),
        ("2026-04-02 08:05", "2026-04-02 08:05"),
        ("12 April at 10:00", "2026-04-12 10:00"),
        ("2025-01-01", "2025-01-01 09:00"),
        ("morgen um 18 Uhr", "2026-03-12 18:00"),
        ("morgen um 6", "2026-03-12 18:00"),
        ("um 18.30 Uhr", "2026-03-11 18:30"),
        ("heute Abend um 8", "2026-03-11 20:00"),
        ("morgen früh", "2026-03-12 09:00"),
        ("in einer halben Stunde", "2026-03-11 12:30"),
        ("in zwei Stunden", "2026-03-11 14:00"),
        ("am 15.4. um 9", "2026-04-15 09:00"),
        ("demain à 18h30", "2026-03-12 18:30"),
        ("dans 2 heures", "2026-03-11 14:00"),
        ("mañana a las 7", "2026-03-12 07:00"),
        ("domani alle 18:30", "2026-03-12 18:30"),
        ("over 20 minuten", "2026-03-11 12:20"),
        ("через 2 часа", "2026-03-11 14:00"),
        ("sexta-feira", "2026-03-13 09:00"),
        ("in half a year", "2026-09-11 09:00"),
        ("in anderthalb Jahren", "2027-09-11 09:00"),
    ],
)
def test_a_time_to_come_is_found(text, at):
    read = read_time(text, NOW, UTC)
    assert read.is_sure
    assert read.at == datetime.fromisoformat(at).replace(tzinfo=UTC)


@each_row("text", ["", "soon", "at 99", "25:00", "31 February", "today", "some day", "at 1-2"])
def test_what_names_no_time_has_none(text):
    assert not read_time(text, NOW, UTC).is_sure


@each_row(
    ("text", "unused"),
    [
        ("tomorrow at 9 or 10", "or 10"),
        ("tomorrow at 9 CST", "cst"),
        ("tomorrow at 9 if it rains", "if it rains"),
        ("tomorrow at 9, not at 10", "not at 10"),
    ],
)
def test_what_was_understood_is_named_beside_what_was_not(text, unused):
    read = read_time(text, NOW, UTC)
    assert (read.at, read.unused) == (datetime(2026, 3, 12, 9, tzinfo=UTC), unused)


def test_it_is_the_time_of_the_person_who_says_it_also_across_the_change_to_summer():
    assert read_time("tomorrow at 06:00", NOW, BERLIN).at == datetime(2026, 3, 12, 5, tzinfo=UTC)
    assert read_time("2026-03-30 06:00", NOW, BERLIN).at == datetime(2026, 3, 30, 4, tzinfo=UTC)


@each_row(
    ("zone", "now", "text", "at"),
    [
        # the skipped hour: as much later as the clock is set forward
        (BERLIN, "2026-03-28T20:00Z", "tomorrow at 02:30", "2026-03-29T01:30Z"),
        (NEW_YORK, "2026-03-07T20:00Z", "tomorrow at 2:30 am", "2026-03-08T07:30Z"),
        (LORD_HOWE, "2026-10-03T02:00Z", "tomorrow at 02:15", "2026-10-03T15:45Z"),
        # the repeated hour: the next one of the two
        (BERLIN, "2026-10-24T20:00Z", "tomorrow at 02:30", "2026-10-25T00:30Z"),
        (BERLIN, "2026-10-25T00:40Z", "at 2:30 am", "2026-10-25T01:30Z"),
        (BERLIN, "2026-10-25T01:10Z", "at 2:30 am", "2026-10-25T01:30Z"),
        (NEW_YORK, "2026-11-01T05:40Z", "at 1:30 am", "2026-11-01T06:30Z"),
        (LORD_HOWE, "2026-04-04T14:50Z", "at 1:45 am", "2026-04-04T15:15Z"),
        # this weekend has begun
        (BERLIN, "2026-11-28T13:00Z", "this weekend at 8pm", "2026-11-28T19:00Z"),
        (BERLIN, "2026-11-29T09:00Z", "dieses Wochenende um 18 Uhr", "2026-11-29T17:00Z"),
        (BERLIN, "2026-11-29T09:00Z", "this Sunday at 18:00", "2026-11-29T17:00Z"),
        (BERLIN, "2026-11-29T09:00Z", "this coming Sunday at 18:00", "2026-12-06T17:00Z"),
        (BERLIN, "2026-11-29T09:00Z", "this Saturday at 18:00", "2026-12-05T17:00Z"),
        # a sum counts real hours
        (BERLIN, "2026-10-24T23:30Z", "in 2 hours", "2026-10-25T01:30Z"),
    ],
)
def test_a_time_depends_on_when_it_is_said(zone, now, text, at):
    said_at = datetime.fromisoformat(now)
    assert read_time(text, said_at.astimezone(zone), zone).at == datetime.fromisoformat(at)


@given(st.text(max_size=60))
def test_no_text_is_too_strange(text):
    at = read_time(text, NOW, UTC).at
    assert at is None or at.tzinfo is not None


TIME_WORDS = """
in at um every jeden 2 30 18:30 h m monday tomorrow half before and utc + est 24.12. the 3 rd weekly
<t:1:f> morning morgen of 1/2 am week days alle
"""


@given(st.lists(st.sampled_from(TIME_WORDS.split()), max_size=8))
def test_no_heap_of_time_words_is_too_strange(words):
    read = read_time(" ".join(words), NOW, BERLIN)
    assert read.at is None or read.at.utcoffset() == timedelta()


def test_a_long_text_is_not_cut_in_silence():
    assert not read_time("tomorrow at 9" + " " * 400 + "or 10", NOW, UTC).is_sure
