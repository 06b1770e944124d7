"""The shapes of a chart. Each has a style: a CSS class of the page, or a colour of the picture."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Point: TypeAlias = tuple[float, float]
Anchor: TypeAlias = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A filled rectangle; ``title`` is shown by pages when the pointer is on it."""

    x: float
    y: float
    width: float
    height: float
    style: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Path:
    """A line through points, or the area they enclose. ``dash``: lengths of strokes and gaps."""

    points: tuple[Point, ...]
    style: str
    width: float = 1.0
    dash: float = 0.0
    is_area: bool = False


@dataclass(frozen=True, slots=True)
class Dot:
    """A filled circle."""

    x: float
    y: float
    radius: float
    style: str


@dataclass(frozen=True, slots=True)
class TextLabel:
    """One line of text beside a point, in its vertical middle. ``anchor``: what is at the point."""

    x: float
    y: float
    text: str
    style: str
    size: float = 12.0
    anchor: Anchor = "start"


Shape: TypeAlias = Rectangle | Path | Dot | TextLabel


@dataclass(frozen=True, slots=True)
class Drawing:
    """A chart: its size and its shapes, the lowest first."""

    width: float
    height: float
    shapes: tuple[Shape, ...]


def line(x1: float, y1: float, x2: float, y2: float, style: str) -> Path:
    """Return a thin straight line."""
    return Path(((x1, y1), (x2, y2)), style)
