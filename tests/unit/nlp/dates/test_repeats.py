"""When something repeated is next due: once a day on the clock of its zone."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rows import each_row
from utils.nlp.dates.repeats import Repeat

YEAR = datetime(2026, 1, 1, tzinfo=UTC)
ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe")


def daily(clock: str, zone: str) -> Repeat:
    return Repeat(1, "day", (), time.fromisoformat(clock), zone)


def occurrences(repeat: Repeat, after: str, count: int) -> list[datetime]:
    """Return occurrences as the deliverer computes them: each from the one before."""
    found: list[datetime] = []
    at = datetime.fromisoformat(after)
    zone = ZoneInfo(repeat.zone)
    for _ in range(count):
        at = repeat.next_after(at, at.astimezone(zone).date())
        found.append(at)
    return found


@each_row(
    ("zone", "clock", "after", "local"),
    [
        # skipped hours: once, later, and at its own time again on the next day
        *(
            ("Europe/Berlin", "02:30", "2026-03-27T20:00Z", ["28 02:30", "29 03:30", "30 02:30"]),
            ("America/New_York", "02:30", "2026-03-06T20:00Z", ["7 02:30", "8 03:30", "9 02:30"]),
            (
                "Australia/Lord_Howe",
                "02:15",
                "2026-10-02T10:00Z",
                ["3 02:15", "4 02:45", "5 02:15"],
            ),
        ),
        # repeated hours: once
        *(
            ("Europe/Berlin", "02:30", "2026-10-23T20:00Z", ["24 02:30", "25 02:30", "26 02:30"]),
            ("America/New_York", "01:30", "2026-10-30T20:00Z", ["31 01:30", "1 01:30", "2 01:30"]),
            (
                "Australia/Lord_Howe",
                "01:45",
                "2026-04-03T10:00Z",
                ["4 01:45", "5 01:45", "6 01:45"],
            ),
        ),
        # its hour stays, whatever the season
        ("Europe/Berlin", "09:00", "2026-10-23T20:00Z", ["24 09:00", "25 09:00", "26 09:00"]),
    ],
)
def test_it_comes_once_each_day_at_the_clock_of_its_zone(zone, clock, after, local):
    found = occurrences(daily(clock, zone), after, 3)
    assert [f"{at.astimezone(ZoneInfo(zone)):%-d %H:%M}" for at in found] == local


def test_in_the_second_of_the_repeated_hours_the_next_one_is_tomorrow():
    repeat = daily("02:30", "Europe/Berlin")
    second = datetime(2026, 10, 25, 1, 10, tzinfo=UTC)
    assert repeat.next_after(second, date(2026, 10, 25)) == datetime(
        2026, 10, 26, 1, 30, tzinfo=UTC
    )


@each_row(
    ("repeat", "days"),
    [
        (Repeat(3, "day", (), time(9), "UTC"), ["11-28", "12-01", "12-04"]),
        (Repeat(1, "week", (0, 1, 2, 3, 4), time(9), "UTC"), ["11-26", "11-27", "11-30"]),
        (Repeat(2, "week", (4,), time(9), "UTC"), ["11-27", "12-11", "12-25"]),
        (Repeat(1, "month", (31,), time(9), "UTC"), ["11-30", "12-31", "01-31", "02-28"]),
        (Repeat(2, "month", (1,), time(9), "UTC-05:00"), ["01-01", "03-01"]),
    ],
)
def test_days_weeks_and_months_are_counted(repeat, days):
    zone = UTC if repeat.zone == "UTC" else None
    at, found = datetime(2026, 11, 25, 14, tzinfo=UTC), []
    for _ in days:
        at = repeat.next_after(at, at.date())
        found.append(f"{at.astimezone(zone or UTC):%m-%d}")
    assert found == days


@each_row(
    "text",
    [
        "every day at 09:00 in Europe/Berlin",
        "every 2 weeks on mon fri at 18:30 in UTC-05:00",
        "every month on the 31 at 00:00 in America/North_Dakota/New_Salem",
    ],
)
def test_a_rule_is_stored_as_text(text):
    assert str(Repeat.parse(text)) == text


def test_a_text_that_is_no_rule_is_refused():
    with pytest.raises(ValueError):
        Repeat.parse("now and then at 09:00 in UTC")


@given(
    st.sampled_from(ZONES),
    st.times().map(lambda at: at.replace(second=0, microsecond=0)),
    st.integers(0, 365 * 24 * 60).map(lambda minutes: YEAR + timedelta(minutes=minutes)),
)
def test_no_day_has_two_and_none_has_no_occurrence(zone, clock, after):
    repeat = Repeat(1, "day", (), clock, zone)
    first = repeat.next_after(after, after.astimezone(ZoneInfo(zone)).date())
    second = repeat.next_after(first, first.astimezone(ZoneInfo(zone)).date())
    days = [at.astimezone(ZoneInfo(zone)).date() for at in (first, second)]
    assert days[1] - days[0] == timedelta(days=1)
    assert after < first <= after + timedelta(hours=25)
