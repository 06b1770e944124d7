"""Charts: PNG from one thread, bars by hour or day, and the same in words."""

import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import discord

from cogs.sentiment import tension_picture
from cogs.sentiment.tension_chart import Chart, in_words, trend_of
from cogs.sentiment.tension_picture import Charts, as_file, draw, drawing_of
from tests.rows import each_row
from utils.charts.shapes import TextLabel
from utils.models.sentiment import (
    AlertTrigger,
    HourPoint,
    Score,
    StoredScore,
)
from utils.sentiment.tension_tracker import hourly

NOW = datetime(2026, 11, 20, 22, 37, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")


def chart(
    hours: int, scores: list[StoredScore], *, locale=discord.Locale.american_english
) -> Chart:
    since = NOW.replace(minute=0) - timedelta(hours=hours - 1)
    points = hourly(scores, since, NOW, 24.0)
    return Chart(points, 0.6, NOW, BERLIN, locale)


def score(minutes_ago: int, tension: float) -> StoredScore:
    at = NOW - timedelta(minutes=minutes_ago)
    return StoredScore(minutes_ago, 2, 2, 3, at, Score(0, tension, tension))


@each_row("hours", [1, 6, 24, 48, 720])
def test_every_length_can_be_drawn_with_and_without_messages(hours):
    for scores in ([], [score(10, 0.9)]):
        assert draw(chart(hours, scores)).startswith(b"\x89PNG")


def test_a_month_is_told_day_by_day_and_loses_no_message():
    month = chart(720, [score(60 * n, 0.5) for n in range(1, 700)])
    assert 30 <= len(month.bars()) <= 31
    assert sum(one.messages for one in month.bars()) == 699
    assert len(chart(24, []).bars()) == 24


def test_words_say_what_the_picture_shows():
    words = in_words(chart(24, [score(10, 1.0), score(5, 1.0)]))
    assert words.startswith("Tension over the last 24 hours: 0.36 now, rising; highest 0.36")
    assert "(20 November, 23:00)" in words
    assert "Worst toxicity 1.00. Messages scored: 2. Alerts from 0.60." in words
    assert in_words(chart(24, [])) == (
        "No message was scored in the last 24 hours. Alerts from 0.60."
    )
    assert len(in_words(chart(720, []))) <= 1024  # what Discord takes as a description


def points(*levels: float) -> list[HourPoint]:
    return [HourPoint(NOW, one, one, 0.0, None, 0) for one in levels]


def test_a_trend_is_one_of_three_words():
    assert trend_of(points(0.1, 0.2, 0.5)) == "rising"
    assert trend_of(points(0.6, 0.5, 0.4, 0.3)) == "falling"
    assert trend_of(points(0.3, 0.32)) == "steady"
    assert trend_of(points(0.3)) == "steady"


def test_tension_that_falls_after_a_peak_is_not_rising():
    assert trend_of(points(0.1, 0.6, 0.5, 0.45)) == "falling"
    peak_in_this_hour = HourPoint(NOW, 0.5, 0.9, 0.0, None, 0)
    assert trend_of([*points(0.1, 0.2), peak_in_this_hour]) == "falling"
    assert trend_of(points(0.9, 0.1, 0.2, 0.3, 0.4)) == "rising"


def test_the_threshold_that_fired_is_named():
    scored = chart(12, [score(10, 0.9)])
    fired = replace(scored, threshold=0.8, trigger=AlertTrigger.TOXICITY)
    texts = [shape.text for shape in drawing_of(fired).shapes if isinstance(shape, TextLabel)]
    assert "Toxicity from" in texts
    assert "0.80" in texts
    assert in_words(fired).endswith("Alerts from toxicity 0.80.")
    german = replace(fired, locale=discord.Locale.german)
    assert in_words(german).endswith("Meldungen ab Toxizität 0,80.")


@each_row("zone", ["Asia/Kolkata", "Asia/Kathmandu"])
def test_hours_are_marked_in_zones_that_differ_by_parts_of_an_hour(zone):
    there = replace(chart(12, []), zone=ZoneInfo(zone))
    texts = [shape.text for shape in drawing_of(there).shapes if isinstance(shape, TextLabel)]
    assert len([text for text in texts if text.endswith(":00")]) == 6


async def test_all_are_drawn_in_the_same_thread_which_is_not_the_loops(monkeypatch):
    threads = set()

    def drawn(_: Chart) -> bytes:
        threads.add(threading.get_ident())
        return b"png"

    monkeypatch.setattr(tension_picture, "draw", drawn)
    made = Charts()
    for _ in range(3):
        file = await as_file(made, chart(6, []))
        assert file.description == in_words(chart(6, []))
    assert len(threads) == 1
    assert threading.get_ident() not in threads
    made.close()
    made.close()
