"""Draw a chart as PNG with Pillow; the style of a shape is its colour.

The font is DejaVu Sans, reduced to Latin, Greek and Cyrillic letters: Pillow's own has no umlauts.
"""

import math
from collections.abc import Iterator
from io import BytesIO
from itertools import pairwise
from pathlib import Path as FilePath

from utils.charts.shapes import Dot, Drawing, Path, Point, Rectangle, TextLabel

FONT = FilePath(__file__).with_name("DejaVuSans.ttf")
SCALE = 3  # shapes are drawn larger and made smaller, so that their edges are smooth
ANCHORS = {"start": "lm", "middle": "mm", "end": "rm"}


def to_png(drawing: Drawing, background: str) -> bytes:
    """Return the picture of a chart on a background of that colour."""
    from PIL import Image, ImageDraw, ImageFont

    size = round(drawing.width), round(drawing.height)
    large = Image.new("RGB", (size[0] * SCALE, size[1] * SCALE), background)
    brush = ImageDraw.Draw(large)
    for shape in drawing.shapes:
        match shape:  # text is sharper at its own size: below
            case Rectangle():
                x1, y1 = _scaled((shape.x, shape.y))
                x2, y2 = _scaled((shape.x + shape.width, shape.y + shape.height))
                if x2 - x1 >= 1 and y2 - y1 >= 1:  # the last pixel belongs to the rectangle
                    brush.rectangle((x1, y1, x2 - 1, y2 - 1), shape.style)
            case Dot():
                brush.circle(_scaled((shape.x, shape.y)), shape.radius * SCALE, shape.style)
            case Path(is_area=True):
                brush.polygon([_scaled(point) for point in shape.points], shape.style)
            case Path():
                for stroke in _dashes(shape) if shape.dash else [shape.points]:
                    places = [_scaled(point) for point in stroke]
                    brush.line(places, shape.style, round(shape.width * SCALE), joint="curve")
    picture = large.reduce(SCALE)
    brush = ImageDraw.Draw(picture)
    for shape in drawing.shapes:
        if isinstance(shape, TextLabel):
            brush.text(
                (shape.x, shape.y),
                shape.text,
                shape.style,
                ImageFont.truetype(FONT, shape.size),
                ANCHORS[shape.anchor],
            )
    out = BytesIO()
    picture.save(out, "PNG", optimize=True)
    return out.getvalue()


def _dashes(path: Path) -> Iterator[tuple[Point, Point]]:
    """Yield the strokes of a dashed line; each of its parts begins with a stroke."""
    for (x1, y1), (x2, y2) in pairwise(path.points):
        length = math.hypot(x2 - x1, y2 - y1)
        for n in range(math.ceil(length / path.dash / 2)):
            start, end = (min(1.0, path.dash * place / length) for place in (2 * n, 2 * n + 1))
            yield (
                (x1 + (x2 - x1) * start, y1 + (y2 - y1) * start),
                (x1 + (x2 - x1) * end, y1 + (y2 - y1) * end),
            )


def _scaled(point: Point) -> Point:
    return point[0] * SCALE, point[1] * SCALE
