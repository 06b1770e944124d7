"""Charts as numbers: where bars stand and how long they are. Pure; charts.html draws them.

Texts stand beside the drawings and not in them, so that they stay readable at any width, and every
chart has its numbers as a table.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

COLOURS = 7
HEIGHT = 100.0
STEP = 10.0  # width that a day has
GAP = 2.0
REST = "others"


@dataclass(frozen=True, slots=True)
class Bar:
    """One row of a bar chart; ``share`` of the longest, 0 to 100."""

    label: str
    value: float
    share: float


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a day's column: its place, its colour (1 to 7), and what it stands for."""

    x: float
    y: float
    width: float
    height: float
    colour: int
    name: str
    value: float


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns by day or week, each of several parts stacked; ``summary`` tells what is shown."""

    title: str
    summary: str
    step: str
    days: tuple[date, ...]
    names: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]  # by day, then by name
    blocks: tuple[Block, ...]
    most: float

    @property
    def width(self) -> float:
        """The width of the drawing."""
        return STEP * len(self.days)


def bars(values: Mapping[str, float] | Iterable[tuple[str, float]]) -> list[Bar]:
    """Return a bar for each label, in the order given."""
    rows = list(values.items()) if isinstance(values, Mapping) else list(values)
    most = max((value for _, value in rows), default=0) or 1
    return [Bar(label, value, round(100 * value / most, 2)) for label, value in rows]


def largest_first(values: Mapping[str, float], most: int = 10) -> list[Bar]:
    """Return bars by size; what is beyond so many is one bar."""
    ordered = sorted(values.items(), key=lambda one: (-one[1], one[0]))
    rest = sum(value for _, value in ordered[most:])
    return bars([*ordered[:most], *([(REST, rest)] if rest else [])])


def daily(
    title: str, unit: str, counted: Mapping[tuple[date, str], float], *, last: date, days: int
) -> Columns:
    """Return stacked columns of the days up to ``last``."""
    shown = [last - timedelta(days=back) for back in reversed(range(days))]
    return columns(title, unit, counted, shown, "day")


def columns(
    title: str,
    unit: str,
    counted: Mapping[tuple[date, str], float],
    shown: Sequence[date],
    step: str,
) -> Columns:
    """Return a stacked column for each day, or what begins with it (``step``); the largest parts
    get colours of their own, the others share one."""
    sums: dict[str, float] = {}
    for (day, name), value in counted.items():
        if day in shown:
            sums[name] = sums.get(name, 0) + value
    ordered = sorted(sums, key=lambda name: (-sums[name], name))
    has_rest = len(ordered) > COLOURS
    names = (*ordered[: COLOURS - 1], REST) if has_rest else tuple(ordered)
    values = tuple(_parts(counted, day, names, ordered) for day in shown)
    most = max((sum(parts) for parts in values), default=0)
    total = sum(map(sum, values))
    summary = f"{title}: {total:,.0f} {unit} in {len(shown)} {step}s, at most {most:,.0f} a {step}."
    blocks = _blocks(values, names, most)
    return Columns(title, summary, step, tuple(shown), names, values, blocks, most)


def _parts(
    counted: Mapping[tuple[date, str], float],
    day: date,
    names: Sequence[str],
    ordered: Sequence[str],
) -> tuple[float, ...]:
    hidden = [name for name in ordered if name not in names]
    alone = [counted.get((day, name), 0) for name in names if name in ordered]
    rest = [sum(counted.get((day, name), 0) for name in hidden)] if hidden else []
    return (*alone, *rest)


def _blocks(
    values: Sequence[Sequence[float]], names: Sequence[str], most: float
) -> tuple[Block, ...]:
    blocks = []
    for place, parts in enumerate(values):
        top = HEIGHT
        for colour, (name, value) in enumerate(zip(names, parts, strict=True), 1):
            height = round(HEIGHT * value / most, 2) if most else 0
            top -= height
            if height:
                x = place * STEP + GAP / 2
                blocks.append(Block(x, round(top, 2), STEP - GAP, height, colour, name, value))
    return tuple(blocks)
