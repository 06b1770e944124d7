"""What a chart of tension shows, as bars by hour or day, and in words for screen readers.

A chart contains only numbers and times; names could need glyphs that the font does not have.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

import discord

from cogs.bot.localisation import tr
from utils.common.grouping import grouped
from utils.models.sentiment import AlertTrigger, HourPoint

IN_WORDS = {  # without messages, or with some
    True: "No message was scored in the last {hours} hours.",
    False: (
        "Tension over the last {hours} hours: {now:.2f} now, {trend}; highest {peak:.2f} "
        "({at:%d %B, %H:%M}). Worst toxicity {toxicity:.2f}. Messages scored: {messages}."
    ),
}
ALERTS_FROM = {  # of toxicity, or of tension
    True: "Alerts from toxicity {threshold:.2f}.",
    False: "Alerts from {threshold:.2f}.",
}
TREND = {"rising": "rising", "falling": "falling", "steady": "steady"}
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
STEADY_WITHIN = 0.05
TREND_HOURS = 3
MAX_BARS = 96  # for more hours there is one bar per day


@dataclass(frozen=True, slots=True)
class Bar:
    """One hour or day of the chart, at the middle of its time."""

    middle: datetime
    toxicity: float
    messages: int


@dataclass(frozen=True, slots=True)
class Chart:
    """What to draw: hours without gaps, the alert threshold, the current time and the time zone.

    ``trigger``: what the threshold is one of.
    """

    points: tuple[HourPoint, ...]
    threshold: float
    now: datetime
    zone: tzinfo
    locale: discord.Locale
    trigger: AlertTrigger = AlertTrigger.CHANNEL_TENSION

    @property
    def bar_length(self) -> timedelta:
        """The time that one bar covers."""
        return HOUR if len(self.points) <= MAX_BARS else DAY

    def hours_to(self, at: datetime) -> float:
        """Return the hours from the first point to a time: its x coordinate."""
        return (at - self.points[0].hour) / HOUR

    def bars(self) -> list[Bar]:
        """Return a bar per hour or, for many hours, per day in the server's time zone."""
        if self.bar_length == HOUR:
            return [
                Bar(_middle(point.hour, HOUR, self.now), point.toxicity, point.messages)
                for point in self.points
            ]
        days = grouped((point.hour.astimezone(self.zone).date(), point) for point in self.points)
        return [
            Bar(
                _middle(hours[0].hour, HOUR * len(hours), self.now),
                max(point.toxicity for point in hours),
                sum(point.messages for point in hours),
            )
            for hours in days.values()
        ]


def in_words(chart: Chart) -> str:
    """Describe a chart in words."""
    points = chart.points
    peak = max(points, key=lambda point: point.peak)
    messages = sum(point.messages for point in points)
    is_empty = not (messages or peak.peak)  # tension of earlier messages lasts
    words = tr(
        chart.locale,
        IN_WORDS[is_empty],
        hours=len(points),
        now=points[-1].tension,
        trend=tr(chart.locale, TREND[trend_of(points)]),
        peak=peak.peak,
        at=peak.hour.astimezone(chart.zone),
        toxicity=max(point.toxicity for point in points),
        messages=messages,
    )
    alerts_from = ALERTS_FROM[chart.trigger is AlertTrigger.TOXICITY]
    return f"{words} {tr(chart.locale, alerts_from, threshold=chart.threshold)}"


def trend_of(points: Sequence[HourPoint]) -> str:
    """Return the trend of the last three hours: rising, falling or steady.

    After a peak in these hours it is falling, even if it is higher than before.
    """
    before, *since = points[-1 - TREND_HOURS :]
    now = points[-1].tension
    if max([before.tension, *(point.peak for point in since)]) - now > STEADY_WITHIN:
        return "falling"
    return "rising" if now - before.tension > STEADY_WITHIN else "steady"


def _middle(start: datetime, length: timedelta, now: datetime) -> datetime:
    """Return the middle of an hour or day, of the part before ``now`` if it is not over."""
    return start + (min(start + length, now) - start) / 2
