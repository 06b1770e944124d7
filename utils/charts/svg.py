"""Write a chart as SVG for a page: as wide as its place, with text that stays readable.

Colours are CSS classes, so that they follow the page's light or dark theme.
"""

from html import escape

from utils.charts.shapes import Dot, Label, Path, Rectangle, Scene, Shape


class Svg(str):
    """SVG that templates insert as it is; what came from outside is escaped in it."""

    __slots__ = ()

    def __html__(self) -> str:
        """Return the SVG itself."""
        return self


def to_svg(scene: Scene, summary: str = "", name: str = "chart") -> Svg:
    """Return the SVG of a chart; without a summary it is hidden from screen readers.

    Horizontal places are shares of the width, so that only they stretch; ``name`` is its class.
    """
    shapes = "".join(_shape(shape, scene) for shape in scene.shapes)
    role = f'role="img" aria-label="{escape(summary)}"' if summary else 'aria-hidden="true"'
    return Svg(f'<svg class="{name}" {role} width="100%" height="{scene.height:g}">{shapes}</svg>')


def _shape(shape: Shape, scene: Scene) -> str:
    match shape:
        case Rectangle():
            title = f"<title>{escape(shape.title)}</title>" if shape.title else ""
            return (
                f'<rect class="{shape.style}" x="{_share(shape.x, scene)}" y="{shape.y:.6g}" '
                f'width="{_share(shape.width, scene)}" height="{shape.height:.6g}">{title}</rect>'
            )
        case Path():
            return _path(shape, scene)
        case Dot():
            return (
                f'<circle class="{shape.style}" cx="{_share(shape.x, scene)}" '
                f'cy="{shape.y:.6g}" r="{shape.radius:g}"/>'
            )
        case Label():
            return (
                f'<text class="{shape.style}" x="{_share(shape.x, scene)}" y="{shape.y:.6g}" '
                f'font-size="{shape.size:g}" text-anchor="{shape.anchor}" '
                f'dominant-baseline="central">{escape(shape.text)}</text>'
            )


def _path(path: Path, scene: Scene) -> str:
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
    box = f'viewBox="0 0 {scene.width:g} {scene.height:g}" preserveAspectRatio="none"'
    return f'<svg {box} width="100%" height="{scene.height:g}">{shape}</svg>'


def _share(x: float, scene: Scene) -> str:
    return f"{100 * x / scene.width:.6g}%"
