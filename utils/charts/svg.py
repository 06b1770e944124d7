"""Write a chart as SVG for a page: as wide as its place, with text that stays readable.

Colours are CSS classes, so that they follow the page's light or dark theme.
"""

from html import escape

from utils.charts.shapes import Dot, Drawing, Path, Rectangle, Shape, TextLabel


class Svg(str):
    """SVG that templates insert as it is; what came from outside is escaped in it."""

    __slots__ = ()

    def __html__(self) -> str:
        """Return the SVG itself."""
        return self


def to_svg(drawing: Drawing, summary: str = "", name: str = "chart") -> Svg:
    """Return the SVG of a chart; without a summary it is hidden from screen readers.

    Horizontal places are shares of the width, so that only they stretch; ``name`` is its class.
    """
    shapes = "".join(_shape(shape, drawing) for shape in drawing.shapes)
    role = f'role="img" aria-label="{escape(summary)}"' if summary else 'aria-hidden="true"'
    return Svg(
        f'<svg class="{name}" {role} width="100%" height="{drawing.height:g}">{shapes}</svg>'
    )


def _shape(shape: Shape, drawing: Drawing) -> str:
    match shape:
        case Rectangle():
            title = f"<title>{escape(shape.title)}</title>" if shape.title else ""
            return (
                f'<rect class="{shape.style}" x="{_share(shape.x, drawing)}" y="{shape.y:.6g}" '
                f'width="{_share(shape.width, drawing)}" height="{shape.height:.6g}">{title}</rect>'
            )
        case Path():
            return _path(shape, drawing)
        case Dot():
            return (
                f'<circle class="{shape.style}" cx="{_share(shape.x, drawing)}" '
                f'cy="{shape.y:.6g}" r="{shape.radius:g}"/>'
            )
        case TextLabel():
            return (
                f'<text class="{shape.style}" x="{_share(shape.x, drawing)}" y="{shape.y:.6g}" '
                f'font-size="{shape.size:g}" text-anchor="{shape.anchor}" '
                f'dominant-baseline="central">{escape(shape.text)}</text>'
            )


def _path(path: Path, drawing: Drawing) -> str:
    """Return a path in a box of its own, which stretches; the stroke does not."""
    points = " ".join(f"{x:.6g},{y:.6g}" for x, y in path.points)
    if path.is_area:
        shape = f'<polygon class="{path.style}" points="{points}"/>'
    else:
        dash = f' stroke-dasharray="{path.dash:g}"' if path.dash else ""
        shape = (
            f'<polyline class="{path.style}" points="{points}" fill="none" '
            f'stroke-width="{path.width:g}"{dash} vector-effect="non-scaling-stroke"/>'
        )
    box = f'viewBox="0 0 {drawing.width:g} {drawing.height:g}" preserveAspectRatio="none"'
    return f'<svg {box} width="100%" height="{drawing.height:g}">{shape}</svg>'


def _share(x: float, drawing: Drawing) -> str:
    return f"{100 * x / drawing.width:.6g}%"
