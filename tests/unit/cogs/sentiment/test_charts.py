"""Charts: one PNG at a time, bars by hour or day, and the same in words."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import discord

from cogs.sentiment import tension_picture
from cogs.sentiment.tension_chart import Chart, trend_of
from cogs.sentiment.tension_picture import DRAWING, draw
from tests.rows import each_row
from utils.models.sentiment import (
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
    return Chart(hourly(scores, since, NOW, 24.0), 0.6, NOW, BERLIN, locale)


def score(minutes_ago: int, tension: float) -> StoredScore:
    at = NOW - timedelta(minutes=minutes_ago)
    return StoredScore(minutes_ago, 2, 3, at, Score(0, tension, tension))


@each_row(
    "hours",
    [
        1,
        48,
    ],
)
def test_every_length_can_be_drawn_with_and_without_messages(hours):
    for scores in ([], [score(10, 0.9)]):
        assert draw(chart(hours, scores)).startswith(b"\x89PNG")


def test_a_month_is_told_day_by_day_and_loses_no_message():
    month = chart(720, [score(60 * n, 0.5) for n in range(1, 700)])
    assert 30 <= len(month.bars()) <= 31
    assert sum(one.messages for one in month.bars()) == 699
    assert len(chart(24, []).bars()) == 24


def points(*levels: float) -> list[HourPoint]:
    return [HourPoint(NOW, one, one, 0.0, 0) for one in levels]


def test_tension_that_falls_after_a_peak_is_not_rising():
    assert [
        trend_of(points(0.1, 0.6, 0.5, 0.45)),
        trend_of([*points(0.1, 0.2), HourPoint(NOW, 0.5, 0.9, 0.0, 0)]),  # in this hour
        trend_of(points(0.9, 0.1, 0.2, 0.3, 0.4)),
    ] == ["falling", "falling", "rising"]


def test_one_chart_is_drawn_at_a_time(monkeypatch):
    monkeypatch.setattr(tension_picture, "to_png", lambda *_: bytes([DRAWING.locked()]))
    assert draw(chart(1, [])) == b"\1"
