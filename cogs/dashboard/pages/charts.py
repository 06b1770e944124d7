"""Compute the geometry of charts; charts.html draws them. Pure.

Labels are beside the SVG, to stay readable at any width. Every chart also has a table.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

COLOURS = 7
HEIGHT = 100.0
STEP = 10.0  # width of a day
GAP = 2.0
REST = "others"


@dataclass(frozen=True, slots=True)
class HorizontalBar:
    """One row of a bar chart; ``share`` of the longest, 0 to 100."""

    label: str
    value: float
    share: float


@dataclass(frozen=True, slots=True)
class ColumnSegment:
    """A segment of a day's column: its position, its colour (1 to 7), its name and value."""

    x: float
    y: float
    width: float
    height: float
    colour: int
    name: str
    value: float


@dataclass(frozen=True, slots=True)
class Columns:
    """Stacked columns by day or week; ``summary`` describes the chart in a sentence."""

    title: str
    summary: str
    step: str
    days: tuple[date, ...]
    names: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]  # by day, then by name
    blocks: tuple[ColumnSegment, ...]
    maximum: float

    @property
    def width(self) -> float:
        """The width of the SVG."""
        return STEP * len(self.days)


def bars(values: Mapping[str, float] | Iterable[tuple[str, float]]) -> list[HorizontalBar]:
    """Return a bar for each label, in the same order."""
    rows = list(values.items()) if isinstance(values, Mapping) else list(values)
    maximum = max((value for _, value in rows), default=0) or 1
    return [HorizontalBar(label, value, round(100 * value / maximum, 2)) for label, value in rows]


def largest_first(values: Mapping[str, float], limit: int = 10) -> list[HorizontalBar]:
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
    sums: dict[str, float] = {}
    for (day, name), value in counted.items():
        if day in dates:
            sums[name] = sums.get(name, 0) + value
    ordered = sorted(sums, key=lambda name: (-sums[name], name))
    has_rest = len(ordered) > COLOURS
    names = (*ordered[: COLOURS - 1], REST) if has_rest else tuple(ordered)
    values = tuple(_parts(counted, day, names, ordered) for day in dates)
    maximum = max((sum(parts) for parts in values), default=0)
    total = sum(map(sum, values))
    summary = (
        f"{title}: {total:,.0f} {unit} in {len(dates)} {step}s, at most {maximum:,.0f} a {step}."
    )
    blocks = _blocks(values, names, maximum)
    return Columns(title, summary, step, tuple(dates), names, values, blocks, maximum)


def _parts(
    counted: Mapping[tuple[date, str], float],
    day: date,
    names: Sequence[str],
    ordered: Sequence[str],
) -> tuple[float, ...]:
    hidden = [name for name in ordered if name not in names]
    alone = [counted.get((day, name), 0) for name in names if name in ordered]
    others_total = [sum(counted.get((day, name), 0) for name in hidden)] if hidden else []
    return (*alone, *others_total)


def _blocks(
    values: Sequence[Sequence[float]], names: Sequence[str], maximum: float
) -> tuple[ColumnSegment, ...]:
    blocks = []
    for place, parts in enumerate(values):
        top = HEIGHT
        for colour, (name, value) in enumerate(zip(names, parts, strict=True), 1):
            height = round(HEIGHT * value / maximum, 2) if maximum else 0
            top -= height
            if height:
                x = place * STEP + GAP / 2
                blocks.append(
                    ColumnSegment(x, round(top, 2), STEP - GAP, height, colour, name, value)
                )
    return tuple(blocks)
