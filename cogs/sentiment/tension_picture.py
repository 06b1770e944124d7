"""The picture of a channel's or member's tension, in the colours of Discord's dark theme."""

import asyncio
import threading
from datetime import datetime, timedelta
from enum import StrEnum
from io import BytesIO

import discord

from cogs.bot.localisation import number, tr
from cogs.sentiment.tension_chart import Bar, Chart, in_words
from utils.charts.axes import time_ticks
from utils.charts.png import to_png
from utils.charts.shapes import Dot, Drawing, Path, Point, Rectangle, Shape, TextLabel, line
from utils.models.sentiment import AlertTrigger

WIDTH, HEIGHT = 1000, 437
LEFT, RIGHT = 60, 862  # of the plot
TOP, BOTTOM = 66, 316  # tension 1 and 0
COUNTS_TOP, COUNTS_BOTTOM = 338, 387  # bars of messages
MARGIN = 12  # between the plot and its labels
LEGEND_Y, TIMES_Y = 28, 408
TOXICITY_WIDTH, MESSAGES_WIDTH = 0.3, 0.6  # shares of an hour or day
LABEL_SIZE, LEGEND_SIZE, LEVEL_SIZE, NOTE_SIZE = 17, 18, 24, 14
NOTE_LEADING = 17
LEVEL_DISTANCE = 40  # between the middles of the level and of the threshold's label
DRAWING = threading.Lock()
"""Held while a picture is drawn, which takes some 20 MB."""


class Style(StrEnum):
    """The colour of what a shape shows."""

    GRID = "#3f4248"
    MUTED = "#b5bac1"
    INK = "#f2f3f5"
    TENSION = "#f0b232"
    AREA = "#534831"
    TOXICITY = "#7fb4ff"
    MESSAGES = "#80848e"
    TENSION_ALERT = "#f9dfa0"
    TOXICITY_ALERT = "#bcd7ff"


BACKGROUND = "#2b2d31"
TENSION_NAME, TOXICITY_NAME, MESSAGES_NAME = "Tension", "Worst toxicity", "Messages"
ALERT_FROM, TOXICITY_ALERT_FROM = "Alert from", "Toxicity from"
PER_HOUR, PER_DAY = "max. {count} an hour", "max. {count} a day"


def draw(chart: Chart) -> bytes:
    """Return the picture as PNG; only one is drawn at a time."""
    toxicity, x = tr(chart.locale, TOXICITY_NAME), LEFT + 8
    next_x = x + 80 + 10 * len(toxicity)
    legend = (
        Rectangle(x, LEGEND_Y - 7, 27, 14, Style.TOXICITY),
        TextLabel(x + 40, LEGEND_Y, toxicity, Style.INK, LEGEND_SIZE),
        Path(((next_x, LEGEND_Y), (next_x + 27, LEGEND_Y)), Style.TENSION, width=3.6),
        TextLabel(next_x + 40, LEGEND_Y, tr(chart.locale, TENSION_NAME), Style.INK, LEGEND_SIZE),
    )
    shapes = (*_levels(chart), *_threshold(chart), *_counts(chart), *_times(chart), *legend)
    with DRAWING:
        return to_png(Drawing(WIDTH, HEIGHT, shapes), BACKGROUND)


def _x(chart: Chart, at: datetime) -> float:
    hours = max(1.0, chart.hours_to(chart.now))
    return LEFT + (RIGHT - LEFT) * chart.hours_to(at) / hours


def _y(level: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * level


def _levels(chart: Chart) -> list[Shape]:
    """Return the grid, the tension as an area and a line, and the toxicity as bars."""
    points = chart.points
    ends = [points[0].hour, *(min(point.hour + timedelta(hours=1), chart.now) for point in points)]
    levels = [points[0].tension, *(point.tension for point in points)]
    top: tuple[Point, ...] = tuple(
        (_x(chart, end), _y(level)) for end, level in zip(ends, levels, strict=True)
    )
    now_x, now_y = top[-1]
    return [
        Path(((LEFT, BOTTOM), *top, (now_x, BOTTOM)), Style.AREA, is_area=True),
        *(line(LEFT, _y(n / 4), RIGHT, _y(n / 4), Style.GRID) for n in range(5)),
        *(
            TextLabel(
                LEFT - MARGIN,
                _y(level),
                number(chart.locale, level, "g"),
                Style.MUTED,
                LABEL_SIZE,
                "end",
            )
            for level in (0, 0.5, 1)
        ),
        *(
            _bar(chart, bar, TOXICITY_WIDTH, _y(bar.toxicity), BOTTOM, Style.TOXICITY)
            for bar in chart.bars()
        ),
        Path(top, Style.TENSION, width=3.6),
        Dot(now_x, now_y, 8, Style.TENSION),
    ]


def _bar(chart: Chart, bar: Bar, share: float, top: float, bottom: float, style: str) -> Rectangle:
    width = share * (_x(chart, bar.middle + chart.bar_length) - _x(chart, bar.middle))
    return Rectangle(_x(chart, bar.middle) - width / 2, top, width, bottom - top, style)


def _threshold(chart: Chart) -> list[Shape]:
    """Return the alert threshold, labelled beside the current level without overlap."""
    is_toxicity = chart.trigger is AlertTrigger.TOXICITY
    style = Style.TOXICITY_ALERT if is_toxicity else Style.TENSION_ALERT
    y, now = _y(chart.threshold), chart.points[-1].tension
    beside = _y(now) + (-LEVEL_DISTANCE if chart.threshold >= now else LEVEL_DISTANCE)
    label_y = beside if abs(_y(now) - y) < LEVEL_DISTANCE else y
    words = tr(chart.locale, TOXICITY_ALERT_FROM if is_toxicity else ALERT_FROM)
    x = RIGHT + MARGIN
    return [
        Path(((LEFT, y), (RIGHT, y)), style, width=1.5, dash=8),
        TextLabel(x, _y(now), number(chart.locale, now, ".2f"), Style.TENSION, LEVEL_SIZE),
        TextLabel(x, label_y - NOTE_LEADING / 2, words, style, NOTE_SIZE),
        TextLabel(
            x,
            label_y + NOTE_LEADING / 2,
            number(chart.locale, chart.threshold, ".2f"),
            style,
            NOTE_SIZE,
        ),
    ]


def _counts(chart: Chart) -> list[Shape]:
    """Return the number of messages, which tells a calm hour from an empty one."""
    bars = chart.bars()
    highest = max((bar.messages for bar in bars), default=0)
    height = COUNTS_BOTTOM - COUNTS_TOP
    per = PER_HOUR if chart.bar_length == timedelta(hours=1) else PER_DAY
    highest_text = tr(chart.locale, per, count=highest)
    x, y = RIGHT + MARGIN, (COUNTS_TOP + COUNTS_BOTTOM) / 2
    return [
        *(
            _bar(
                *(chart, bar, MESSAGES_WIDTH),
                *(COUNTS_BOTTOM - height * bar.messages / max(1, highest), COUNTS_BOTTOM),
                Style.MESSAGES,
            )
            for bar in bars
        ),
        line(LEFT, COUNTS_BOTTOM, RIGHT, COUNTS_BOTTOM, Style.GRID),
        TextLabel(x, y - NOTE_LEADING / 2, tr(chart.locale, MESSAGES_NAME), Style.MUTED, NOTE_SIZE),
        TextLabel(x, y + NOTE_LEADING / 2, highest_text, Style.MUTED, NOTE_SIZE),
    ]


def _times(chart: Chart) -> list[Shape]:
    """Return full hours or days in the server's time zone."""
    shapes: list[Shape] = []
    for at, is_day in time_ticks(chart.points[0].hour, chart.now, chart.zone):
        x = _x(chart, at)
        day = f"{at:%d.%m.}" if chart.locale is discord.Locale.german else f"{at.day} {at:%b}"
        text = day if is_day else f"{at:%H:%M}"
        shapes += [
            line(x, COUNTS_BOTTOM, x, COUNTS_BOTTOM + 4, Style.GRID),
            TextLabel(x, TIMES_Y, text, Style.MUTED, LABEL_SIZE, "middle"),
        ]
    return shapes


async def as_file(chart: Chart) -> discord.File:
    """Return a chart as an attachment with a description in words."""
    picture = await asyncio.to_thread(draw, chart)
    return discord.File(BytesIO(picture), "tension.png", description=in_words(chart))
