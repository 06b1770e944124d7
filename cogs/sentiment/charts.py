"""Charts of tension as PNG, for Discord's dark theme, drawn in one thread beside the event loop.

A picture holds numbers and times only: no names, which no font could promise to show. What it
shows is also said in words (:func:`in_words`), which go with it for screen readers.
"""

import asyncio
import os
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import discord

from cogs.localisation import tr
from utils.model.watch import History, HourPoint

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIZE_IN, DPI = (8.0, 3.5), 125
BACKGROUND, GRID, QUIET, LOUD = "#2b2d31", "#3f4248", "#b5bac1", "#f2f3f5"
TENSION_COLOUR, THRESHOLD_COLOUR = "#f0b232", "#f9dfa0"
TOXICITY_COLOUR, MESSAGES_COLOUR = "#7fb4ff", "#80848e"
TENSION, TOXICITY, MESSAGES, THRESHOLD = "Tension", "Worst toxicity", "Messages", "Alert from"
PER_HOUR, PER_DAY = "an hour", "a day"
IN_WORDS = (
    "Tension over the last {hours} hours: {now:.2f} now, {trend}; highest {peak:.2f} {peak_at}. "
    "Worst toxicity {toxicity:.2f}. Messages scored: {messages}. Alerts from {threshold:.2f}."
)
TREND = {"rising": "rising", "falling": "falling", "steady": "steady"}
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
STEADY_WITHIN = 0.05
TREND_OVER = 3  # hours
MOST_BARS = 96  # more hours are summed up day by day
HOURS_BETWEEN = {6: 1, 14: 2, 26: 4, 50: 8, 100: 24}
MOST_TICKS = 8
TOXICITY_WIDTH, MESSAGES_WIDTH = 0.3, 0.6


@dataclass(frozen=True, slots=True)
class Bar:
    """What was said in an hour or a day, and where it stands in the chart."""

    middle: datetime
    toxicity: float
    messages: int


@dataclass(frozen=True, slots=True)
class Chart:
    """What to draw: a history, the level from which there are alerts, and where clocks stand."""

    history: History
    threshold: float
    now: datetime
    zone: tzinfo
    locale: discord.Locale

    @property
    def bar_length(self) -> timedelta:
        """How much time one bar stands for."""
        return HOUR if len(self.history.points) <= MOST_BARS else DAY

    def hours_to(self, at: datetime) -> float:
        """Return where a time stands: hours after the first."""
        return (at - self.history.points[0].hour) / HOUR

    def bars(self) -> list[Bar]:
        """Return what was said, hour by hour or, over many hours, day by day of the clock."""
        if self.bar_length is HOUR:
            return [
                Bar(_middle(one.hour, HOUR, self.now), one.toxicity, one.messages)
                for one in self.history.points
            ]
        days: dict[date, list[HourPoint]] = {}
        for one in self.history.points:
            days.setdefault(one.hour.astimezone(self.zone).date(), []).append(one)
        return [
            Bar(
                _middle(hours[0].hour, HOUR * len(hours), self.now),
                max(one.toxicity for one in hours),
                sum(one.messages for one in hours),
            )
            for hours in days.values()
        ]


class Charts:
    """Draws charts, one at a time; matplotlib is imported with the first."""

    def __init__(self) -> None:
        self._thread: ThreadPoolExecutor | None = None

    async def draw(self, chart: Chart) -> bytes:
        """Return the picture as PNG."""
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "charts")
        return await asyncio.get_running_loop().run_in_executor(self._thread, draw, chart)

    def close(self) -> None:
        """Let the thread go once it has drawn what it is at."""
        if self._thread is not None:
            self._thread.shutdown(wait=False, cancel_futures=True)
            self._thread = None


async def as_file(charts: Charts, chart: Chart) -> discord.File:
    """Draw a chart as an attachment that is described in words."""
    picture = await charts.draw(chart)
    return discord.File(BytesIO(picture), "tension.png", description=in_words(chart))


def in_words(chart: Chart) -> str:
    """Say what a chart shows."""
    points = chart.history.points
    peak = max(points, key=lambda one: one.peak)
    return tr(
        chart.locale,
        IN_WORDS,
        hours=len(points),
        now=points[-1].tension,
        trend=tr(chart.locale, TREND[trend_of(points)]),
        peak=peak.peak,
        peak_at=peak.hour.astimezone(chart.zone).strftime("(%d.%m. %H:%M)"),
        toxicity=max(one.toxicity for one in points),
        messages=sum(one.messages for one in points),
        threshold=chart.threshold,
    )


def trend_of(points: Sequence[HourPoint]) -> str:
    """Return how the last hours went: rising, falling or steady."""
    before = points[max(0, len(points) - 1 - TREND_OVER)].tension
    change = points[-1].tension - before
    if abs(change) <= STEADY_WITHIN:
        return "steady"
    return "rising" if change > 0 else "falling"


def draw(chart: Chart) -> bytes:
    """Draw a chart; call it in one thread only, as matplotlib asks."""
    # Its fonts' index must go where this process may write.
    folder = Path(tempfile.gettempdir()) / f"kith-matplotlib-{getattr(os, 'getuid', int)()}"
    os.environ.setdefault("MPLCONFIGDIR", str(folder))
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=SIZE_IN, dpi=DPI, facecolor=BACKGROUND)
    FigureCanvasAgg(figure)
    levels, counts = figure.subplots(
        2, 1, sharex=True, gridspec_kw={"height_ratios": (5, 1), "hspace": 0.12}
    )
    figure.subplots_adjust(left=0.06, right=0.872, top=0.87, bottom=0.115)
    _draw_levels(levels, chart)
    _draw_counts(counts, chart)
    _draw_times(counts, chart)
    picture = BytesIO()
    figure.savefig(picture, format="png", facecolor=BACKGROUND)
    return picture.getvalue()


def _draw_levels(axes: "Axes", chart: Chart) -> None:
    points = chart.history.points
    _plain(axes)
    axes.set_ylim(0, 1.04)
    axes.set_yticks((0, 0.25, 0.5, 0.75, 1), ("0", "", "0.5", "", "1"))
    axes.grid(axis="y", color=GRID, linewidth=0.8)
    ends = [points[0].hour, *(min(one.hour + HOUR, chart.now) for one in points)]
    times = [chart.hours_to(one) for one in ends]
    tension = [points[0].tension, *(one.tension for one in points)]
    bars = chart.bars()
    axes.fill_between(times, tension, color=TENSION_COLOUR, alpha=0.2, zorder=1, linewidth=0)
    axes.bar(
        [chart.hours_to(one.middle) for one in bars],
        [one.toxicity for one in bars],
        width=chart.bar_length / HOUR * TOXICITY_WIDTH,
        color=TOXICITY_COLOUR,
        zorder=2,
        label=tr(chart.locale, TOXICITY),
    )
    axes.plot(
        times,
        tension,
        color=TENSION_COLOUR,
        linewidth=2.6,
        zorder=4,
        solid_capstyle="round",
        label=tr(chart.locale, TENSION),
    )
    axes.axhline(
        chart.threshold, color=THRESHOLD_COLOUR, linewidth=1.2, linestyle=(0, (5, 4)), zorder=3.5
    )
    axes.plot(times[-1:], tension[-1:], "o", color=TENSION_COLOUR, ms=9, zorder=5, clip_on=False)
    _label_right(axes, chart, tension[-1])
    _legend(axes)


def _label_right(axes: "Axes", chart: Chart, now: float) -> None:
    """Write the level of now, and the threshold, beside the chart, apart from each other."""
    threshold = chart.threshold
    apart = 0.16
    beside = threshold
    if abs(now - threshold) < apart:
        beside = now + apart if threshold >= now else now - apart
    style: dict[str, Any] = {
        "transform": axes.get_yaxis_transform(),
        "va": "center",
        "ha": "left",
        "clip_on": False,
    }
    axes.text(1.016, now, f"{now:.2f}", color=TENSION_COLOUR, fontsize=14, weight="bold", **style)
    words = f"{tr(chart.locale, THRESHOLD)}\n{threshold:.2f}"
    axes.text(1.012, beside, words, color=THRESHOLD_COLOUR, fontsize=8.5, linespacing=1.1, **style)


def _legend(axes: "Axes") -> None:
    handles, labels = axes.get_legend_handles_labels()
    axes.legend(
        handles[::-1],
        labels[::-1],
        loc="lower left",
        bbox_to_anchor=(-0.01, 1.0),
        ncols=2,
        frameon=False,
        fontsize=11,
        labelcolor=LOUD,
        handlelength=1.4,
        columnspacing=1.6,
    )


def _draw_counts(axes: "Axes", chart: Chart) -> None:
    """Draw how much was said, so that a calm hour is told from an empty one."""
    bars = chart.bars()
    _plain(axes)
    most = max((one.messages for one in bars), default=0)
    axes.set_ylim(0, max(1, most) * 1.1)
    axes.set_yticks(())
    axes.bar(
        [chart.hours_to(one.middle) for one in bars],
        [one.messages for one in bars],
        width=chart.bar_length / HOUR * MESSAGES_WIDTH,
        color=MESSAGES_COLOUR,
    )
    unit = tr(chart.locale, PER_HOUR if chart.bar_length is HOUR else PER_DAY)
    words = f"{tr(chart.locale, MESSAGES)}\n≤ {most} {unit}"
    axes.text(
        1.012,
        0.5,
        words,
        color=QUIET,
        fontsize=8.5,
        va="center",
        ha="left",
        linespacing=1.1,
        transform=axes.transAxes,
    )


def _draw_times(axes: "Axes", chart: Chart) -> None:
    """Mark whole hours or days of the server's clock."""
    first = chart.history.points[0].hour
    axes.set_xlim(0, max(1.0, chart.hours_to(chart.now)))
    ticks = _ticks(first, chart.now, chart.zone)
    is_short = chart.now - first <= DAY + 2 * HOUR
    labels = [_clock(one.astimezone(chart.zone), is_short=is_short) for one in ticks]
    axes.set_xticks([chart.hours_to(one) for one in ticks], labels)
    axes.tick_params(axis="x", colors=QUIET, labelsize=10.5, length=3, color=GRID)


def _clock(at: datetime, *, is_short: bool) -> str:
    """Return what is written under a tick: the hour, but where days change, the day."""
    return at.strftime("%H:%M" if is_short or at.hour else "%d.%m.")


def _ticks(first: datetime, last: datetime, zone: tzinfo) -> list[datetime]:
    """Return the times to mark: whole hours that divide the day, or midnights."""
    hours = (last - first) / HOUR
    every = next((step for most, step in HOURS_BETWEEN.items() if hours <= most), 24)
    found = []
    at = first
    while at <= last:
        local = at.astimezone(zone)
        if local.minute == 0 and local.hour % every == 0:
            found.append(at)
        at += HOUR
    if every == 24 and len(found) > MOST_TICKS:
        found = found[:: -(-len(found) // MOST_TICKS)]
    return found or [first]


def _plain(axes: "Axes") -> None:
    axes.set_facecolor(BACKGROUND)
    for side in axes.spines.values():
        side.set_visible(False)
    axes.tick_params(colors=QUIET, labelsize=10.5, length=0)


def _middle(start: datetime, length: timedelta, now: datetime) -> datetime:
    """Return the middle of an hour or day, or of what there was of it."""
    return start + (min(start + length, now) - start) / 2
