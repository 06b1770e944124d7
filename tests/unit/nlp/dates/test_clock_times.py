"""Times that are to come, in words."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from tests.rows import each_row
from utils.nlp.dates.clock_times import coming_time

NOW = datetime(2026, 3, 11, 12, tzinfo=UTC)  # a Wednesday
BERLIN = ZoneInfo("Europe/Berlin")


@each_row(
    ("text", "at"),
    [
        ("tomorrow at 6", "2026-03-12 06:00"),
        ("tomorrow at 6 pm", "2026-03-12 18:00"),
        ("at 6", "2026-03-11 18:00"),
        ("at 6am", "2026-03-12 06:00"),
        ("at six", "2026-03-11 18:00"),
        ("18:30", "2026-03-11 18:30"),
        ("11:30", "2026-03-11 23:30"),
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
        ("morgen um 6", "2026-03-12 06:00"),
        ("um 18.30 Uhr", "2026-03-11 18:30"),
        ("heute Abend um 8", "2026-03-11 20:00"),
        ("morgen früh", "2026-03-12 09:00"),
        ("in einer halben Stunde", "2026-03-11 12:30"),
        ("in zwei Stunden", "2026-03-11 14:00"),
        ("am 15.4. um 9", "2026-04-15 09:00"),
        ("demain à 18h30", "2026-03-12 18:30"),
        ("mañana a las 7", "2026-03-12 07:00"),
    ],
)
def test_a_time_to_come_is_found(text, at):
    assert coming_time(text, NOW, UTC) == datetime.fromisoformat(at).replace(tzinfo=UTC)


@each_row("text", ["", "soon", "at 99", "25:00", "31 February", "today", "some day"])
def test_what_names_no_time_has_none(text):
    assert coming_time(text, NOW, UTC) is None


def test_it_is_the_time_of_the_person_who_says_it_also_across_the_change_to_summer():
    assert coming_time("tomorrow at 6", NOW, BERLIN) == datetime(2026, 3, 12, 5, tzinfo=UTC)
    assert coming_time("2026-03-30 06:00", NOW, BERLIN) == datetime(2026, 3, 30, 4, tzinfo=UTC)


@given(st.text(max_size=60))
def test_no_text_is_too_strange(text):
    at = coming_time(text, NOW, UTC)
    assert at is None or at.tzinfo is not None
