"""Charts of tension as PNG for Discord's dark theme, drawn in a separate thread.

A chart contains only numbers and times; names could need glyphs that the font does not have.
:func:`in_words` describes the same data for screen readers.
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

from cogs.bot.localisation import tr
from utils.models.sentiment import HourPoint, TensionHistory

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIZE_IN, DPI = (8.0, 3.5), 125
BACKGROUND, GRID, MUTED_TEXT, TEXT = "#2b2d31", "#3f4248", "#b5bac1", "#f2f3f5"
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
TREND_HOURS = 3
MAX_BARS = 96  # for more hours there is one bar per day
TICK_HOURS = {6: 1, 14: 2, 26: 4, 50: 8, 100: 24}  # hours shown at most -> hours per tick
MAX_TICKS = 8
TOXICITY_WIDTH, MESSAGES_WIDTH = 0.3, 0.6


@dataclass(frozen=True, slots=True)
class Bar:
    """One hour or day of the chart, at the middle of its time."""

    middle: datetime
    toxicity: float
    messages: int


@dataclass(frozen=True, slots=True)
class Chart:
    """What to draw: a history, the alert threshold, the current time and the time zone."""

    history: TensionHistory
    threshold: float
    now: datetime
    zone: tzinfo
    locale: discord.Locale

    @property
    def bar_length(self) -> timedelta:
        """The time that one bar covers."""
        return HOUR if len(self.history.points) <= MAX_BARS else DAY

    def hours_to(self, at: datetime) -> float:
        """Return the hours from the first point to a time: its x coordinate."""
        return (at - self.history.points[0].hour) / HOUR

    def bars(self) -> list[Bar]:
        """Return a bar per hour or, for many hours, per day in the server's time zone."""
        if self.bar_length is HOUR:
            return [
                Bar(_middle(point.hour, HOUR, self.now), point.toxicity, point.messages)
                for point in self.history.points
            ]
        days: dict[date, list[HourPoint]] = {}
        for point in self.history.points:
            days.setdefault(point.hour.astimezone(self.zone).date(), []).append(point)
        return [
            Bar(
                _middle(hours[0].hour, HOUR * len(hours), self.now),
                max(point.toxicity for point in hours),
                sum(point.messages for point in hours),
            )
            for hours in days.values()
        ]


class Charts:
    """Draws charts, one at a time; the first one imports matplotlib."""

    def __init__(self) -> None:
        self._thread: ThreadPoolExecutor | None = None

    async def draw(self, chart: Chart) -> bytes:
        """Return the chart as PNG."""
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "charts")
        return await asyncio.get_running_loop().run_in_executor(self._thread, draw, chart)

    def close(self) -> None:
        """Stop the thread after the chart it is drawing."""
        if self._thread is not None:
            self._thread.shutdown(wait=False, cancel_futures=True)
            self._thread = None


async def as_file(charts: Charts, chart: Chart) -> discord.File:
    """Return a chart as an attachment with a description in words."""
    picture = await charts.draw(chart)
    return discord.File(BytesIO(picture), "tension.png", description=in_words(chart))


def in_words(chart: Chart) -> str:
    """Describe a chart in words."""
    points = chart.history.points
    peak = max(points, key=lambda point: point.peak)
    return tr(
        chart.locale,
        IN_WORDS,
        hours=len(points),
        now=points[-1].tension,
        trend=tr(chart.locale, TREND[trend_of(points)]),
        peak=peak.peak,
        peak_at=peak.hour.astimezone(chart.zone).strftime("(%d.%m. %H:%M)"),
        toxicity=max(point.toxicity for point in points),
        messages=sum(point.messages for point in points),
        threshold=chart.threshold,
    )


def trend_of(points: Sequence[HourPoint]) -> str:
    """Return the trend of the last three hours: rising, falling or steady."""
    before = points[max(0, len(points) - 1 - TREND_HOURS)].tension
    change = points[-1].tension - before
    if abs(change) <= STEADY_WITHIN:
        return "steady"
    return "rising" if change > 0 else "falling"


def draw(chart: Chart) -> bytes:
    """Draw a chart as PNG. Call it from one thread only: matplotlib is not thread-safe."""
    # matplotlib writes its font index to this folder.
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
    _style_axes(axes)
    axes.set_ylim(0, 1.04)
    axes.set_yticks((0, 0.25, 0.5, 0.75, 1), ("0", "", "0.5", "", "1"))
    axes.grid(axis="y", color=GRID, linewidth=0.8)
    ends = [points[0].hour, *(min(point.hour + HOUR, chart.now) for point in points)]
    times = [chart.hours_to(end) for end in ends]
    tension = [points[0].tension, *(point.tension for point in points)]
    bars = chart.bars()
    axes.fill_between(times, tension, color=TENSION_COLOUR, alpha=0.2, zorder=1, linewidth=0)
    axes.bar(
        [chart.hours_to(bar.middle) for bar in bars],
        [bar.toxicity for bar in bars],
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
    """Label the current level and the threshold beside the chart, without overlap."""
    threshold = chart.threshold
    distance = 0.16
    label_y = threshold
    if abs(now - threshold) < distance:
        label_y = now + distance if threshold >= now else now - distance
    style: dict[str, Any] = {
        "transform": axes.get_yaxis_transform(),
        "va": "center",
        "ha": "left",
        "clip_on": False,
    }
    axes.text(1.016, now, f"{now:.2f}", color=TENSION_COLOUR, fontsize=14, weight="bold", **style)
    words = f"{tr(chart.locale, THRESHOLD)}\n{threshold:.2f}"
    axes.text(1.012, label_y, words, color=THRESHOLD_COLOUR, fontsize=8.5, linespacing=1.1, **style)


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
        labelcolor=TEXT,
        handlelength=1.4,
        columnspacing=1.6,
    )


def _draw_counts(axes: "Axes", chart: Chart) -> None:
    """Draw the number of messages, which tells a calm hour from an empty one."""
    bars = chart.bars()
    _style_axes(axes)
    highest = max((bar.messages for bar in bars), default=0)
    axes.set_ylim(0, max(1, highest) * 1.1)
    axes.set_yticks(())
    axes.bar(
        [chart.hours_to(bar.middle) for bar in bars],
        [bar.messages for bar in bars],
        width=chart.bar_length / HOUR * MESSAGES_WIDTH,
        color=MESSAGES_COLOUR,
    )
    unit = tr(chart.locale, PER_HOUR if chart.bar_length is HOUR else PER_DAY)
    words = f"{tr(chart.locale, MESSAGES)}\n≤ {highest} {unit}"
    axes.text(
        1.012,
        0.5,
        words,
        color=MUTED_TEXT,
        fontsize=8.5,
        va="center",
        ha="left",
        linespacing=1.1,
        transform=axes.transAxes,
    )


def _draw_times(axes: "Axes", chart: Chart) -> None:
    """Mark full hours or days in the server's time zone."""
    first = chart.history.points[0].hour
    axes.set_xlim(0, max(1.0, chart.hours_to(chart.now)))
    ticks = _ticks(first, chart.now, chart.zone)
    is_short = chart.now - first <= DAY + 2 * HOUR
    labels = [_tick_label(tick.astimezone(chart.zone), is_short=is_short) for tick in ticks]
    axes.set_xticks([chart.hours_to(tick) for tick in ticks], labels)
    axes.tick_params(axis="x", colors=MUTED_TEXT, labelsize=10.5, length=3, color=GRID)


def _tick_label(at: datetime, *, is_short: bool) -> str:
    """Return the label of a tick: the time, or the date at midnight of a long chart."""
    return at.strftime("%H:%M" if is_short or at.hour else "%d.%m.")


def _ticks(first: datetime, last: datetime, zone: tzinfo) -> list[datetime]:
    """Return the times to mark: full hours that divide the day, or midnights."""
    hours = (last - first) / HOUR
    step_hours = next((step for limit, step in TICK_HOURS.items() if hours <= limit), 24)
    ticks = []
    at = first
    while at <= last:
        local = at.astimezone(zone)
        if local.minute == 0 and local.hour % step_hours == 0:
            ticks.append(at)
        at += HOUR
    if step_hours == 24 and len(ticks) > MAX_TICKS:
        ticks = ticks[:: -(-len(ticks) // MAX_TICKS)]
    return ticks or [first]


def _style_axes(axes: "Axes") -> None:
    axes.set_facecolor(BACKGROUND)
    for side in axes.spines.values():
        side.set_visible(False)
    axes.tick_params(colors=MUTED_TEXT, labelsize=10.5, length=0)


def _middle(start: datetime, length: timedelta, now: datetime) -> datetime:
    """Return the middle of an hour or day, of the part before ``now`` if it is not over."""
    return start + (min(start + length, now) - start) / 2
