"""Charts: bars by name, stacked columns by day or week, and a level over time. Pure.

Every chart also has a table (charts.html).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo

from cogs.dashboard.web.language import count, plural, short_day, tr, written
from utils.charts.axes import short_number, time_ticks, value_ticks
from utils.charts.shapes import Anchor, Drawing, Path, Rectangle, Shape, TextLabel, line
from utils.charts.svg import Svg, to_svg
from utils.common.grouping import summed
from utils.models.sentiment import HourPoint

COLOURS = 7
TOP, BOTTOM = 16.0, 128.0  # of the columns, in pixels
HEIGHT = 150.0  # with the days below
STEP = 10.0  # width of a day
GAP = 2.0
MAX_DAYS = 5  # labelled
MAX_VALUES = 13  # printed on their columns; otherwise on the one that somebody points at
SCALE_WIDTH = 100.0
GRID, TEXT, HOVER, VALUE = "grid", "label", "hover", "value"
HOUR = timedelta(hours=1)
Bar = tuple[str, float, float]  # the label, the value, and its share of the longest, 0 to 100
REST = "others"
SUMMARIES = {
    "day": "{title}: {total} {unit} in {steps} days, at most {maximum} a day.",
    "week": "{title}: {total} {unit} in {steps} weeks, at most {maximum} a week.",
}


@dataclass(frozen=True, slots=True)
class Columns:
    """Stacked columns by day or week; ``scale`` is their vertical axis."""

    title: str
    step: str
    days: tuple[date, ...]
    names: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]  # by day, then by name
    plot: Svg
    scale: Svg
    maximum: float


def bars(values: Iterable[tuple[str, float]]) -> list[Bar]:
    """Return a bar for each label, in the same order."""
    rows = list(values)
    maximum = max((value for _, value in rows), default=0) or 1
    return [(label, value, round(100 * value / maximum, 2)) for label, value in rows]


def largest_first(values: Mapping[str, float], limit: int = 10) -> list[Bar]:
    """Return bars by size; those after the first ``limit`` become one bar."""
    ordered = sorted(values.items(), key=lambda row: (-row[1], row[0]))
    others_total = sum(value for _, value in ordered[limit:])
    return bars([*ordered[:limit], *([(REST, others_total)] if others_total else [])])


def daily(
    title: str, unit: str, counted: Mapping[tuple[date, str], float], *, last: date, days: int
) -> Columns:
    """Return stacked columns of the ``days`` up to ``last``."""
    dates = [last - timedelta(days=back) for back in reversed(range(days))]
    return columns(title, unit, counted, dates, "day")


def columns(
    title: str,
    unit: str,
    counted: Mapping[tuple[date, str], float],
    dates: Sequence[date],
    step: str,
) -> Columns:
    """Return a stacked column for each day, or for the ``step`` that starts with it.

    The largest parts have their own colours; the others share one.
    """
    sums = summed((name, value) for (day, name), value in counted.items() if day in dates)
    ordered = sorted(sums, key=lambda name: (-sums[name], name))
    groups = {name: [name] for name in ordered}
    if len(ordered) > COLOURS:
        visible, hidden = ordered[: COLOURS - 1], ordered[COLOURS - 1 :]
        groups = {name: [name] for name in visible} | {REST: hidden}
    names = tuple(groups)
    values = tuple(
        tuple(sum(counted.get((day, name), 0) for name in group) for group in groups.values())
        for day in dates
    )
    maximum = max((sum(parts) for parts in values), default=0)
    total = sum(map(sum, values))
    summary = tr(
        SUMMARIES[step],
        title=title,
        total=count(total),
        unit=unit,
        steps=len(dates),
        maximum=count(maximum),
    )
    ticks = value_ticks(maximum)
    plot = to_svg(_plot(values, names, dates, ticks), summary)
    labels = (
        TextLabel(SCALE_WIDTH, _y(tick, ticks), short_number(tick, written), TEXT, anchor="end")
        for tick in ticks
    )
    scale = to_svg(Drawing(SCALE_WIDTH, HEIGHT, tuple(labels)), name="scale")
    return Columns(title, step, tuple(dates), names, values, plot, scale, maximum)


def _plot(
    values: Sequence[Sequence[float]],
    names: Sequence[str],
    dates: Sequence[date],
    ticks: Sequence[int],
) -> Drawing:
    width = STEP * len(dates)
    shapes: list[Shape] = [line(0, _y(tick, ticks), width, _y(tick, ticks), GRID) for tick in ticks]
    every = -(-len(dates) // MAX_DAYS)
    for place, (day, parts) in enumerate(zip(dates, values, strict=True)):
        x1, below = place * STEP, 0.0
        for colour, value in enumerate(parts, 1):
            bottom, top = _y(below, ticks), _y(below + value, ticks)
            if value:
                x, height = x1 + GAP / 2, bottom - top
                shapes.append(Rectangle(x, top, STEP - GAP, height, f"c{colour}"))
            below += value
        if place % every == every // 2:
            x, y = x1 + STEP / 2, (BOTTOM + HEIGHT) / 2
            shapes.append(TextLabel(x, y, short_day(day), TEXT, anchor="middle"))
        title = _in_words(day, names, parts)
        shapes.append(Rectangle(x1, TOP, STEP, BOTTOM - TOP, HOVER, title))
        if len(dates) > MAX_VALUES:
            shapes.append(_read_off(x1 + STEP / 2, width, f"{short_day(day)}: {count(below)}"))
        elif below:
            x, y = x1 + STEP / 2, _y(below, ticks) - TOP / 2
            shapes.append(TextLabel(x, y, count(below), TEXT, anchor="middle"))
    return Drawing(width, HEIGHT, tuple(shapes))


def _read_off(x: float, width: float, text: str) -> TextLabel:
    """Return what stands above a chart while the pointer is at ``x``, within its ``width``."""
    share = x / width
    anchor: Anchor = "start" if share < 0.2 else "end" if share > 0.8 else "middle"
    return TextLabel(x, TOP / 2, text, VALUE, anchor=anchor)


def _in_words(day: date, names: Sequence[str], parts: Sequence[float]) -> str:
    """Return what the pointer on a column shows: the day, its total and its parts."""
    lines = [f"{short_day(day)}: {count(sum(parts))}"]
    if len(names) > 1:
        named_parts = zip(names, parts, strict=True)
        lines += [f"{tr(name)}: {count(value)}" for name, value in named_parts if value]
    return "\n".join(lines)


def level_over_time(
    points: Sequence[HourPoint], threshold: float, now: datetime, zone: tzinfo
) -> tuple[Svg, Svg]:
    """Return the plot of a channel's tension with the alert threshold, and its scale."""
    width = 1000.0
    first, hours = points[0].hour, max(1.0, (now - points[0].hour) / HOUR)

    def x(at: datetime) -> float:
        return width * (at - first) / HOUR / hours

    def y(level: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * level

    ends = [min(point.hour + HOUR, now) for point in points]
    top = [(x(end), y(point.tension)) for end, point in zip(ends, points, strict=True)]
    shapes: list[Shape] = [
        *(line(0, y(n / 4), width, y(n / 4), GRID) for n in range(5)),
        Path(((0, BOTTOM), *top, (width, BOTTOM)), "area", is_area=True),
        Path(tuple(top), "line", width=2),
        Path(((0, y(threshold)), (width, y(threshold))), "threshold", width=1.5, dash=6),
    ]
    for at, is_day in time_ticks(first, now, zone)[::2]:  # a phone has no room for all
        label = short_day(at) if is_day else f"{at:%H:%M}"
        shapes.append(TextLabel(x(at), (BOTTOM + HEIGHT) / 2, label, TEXT, anchor="middle"))
    for point, end in zip(points, ends, strict=True):
        at = point.hour.astimezone(zone)
        title = tr(
            "{day}, {time}: tension {level}, {messages}",
            day=short_day(at),
            time=f"{at:%H:%M}",
            level=written(point.tension, ".2f"),
            messages=plural(point.messages, "{count} message", "{count} messages"),
        )
        shapes += [
            Rectangle(x(point.hour), TOP, x(end) - x(point.hour), BOTTOM - TOP, HOVER, title),
            _read_off((x(point.hour) + x(end)) / 2, width, title),
        ]
    summary = tr(
        "Tension now {now}, at most {peak}; alerts from {threshold}.",
        now=written(points[-1].tension, ".2f"),
        peak=written(max(point.peak for point in points), ".2f"),
        threshold=written(threshold, ".2f"),
    )
    labels = (
        TextLabel(SCALE_WIDTH, y(n / 2), written(n / 2, "g"), TEXT, anchor="end") for n in range(3)
    )
    plot = to_svg(Drawing(width, HEIGHT, tuple(shapes)), summary)
    return plot, to_svg(Drawing(SCALE_WIDTH, HEIGHT, tuple(labels)), name="scale")


def _y(value: float, ticks: Sequence[int]) -> float:
    return BOTTOM - (BOTTOM - TOP) * value / ticks[-1]
