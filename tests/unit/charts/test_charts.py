"""Charts: where their marks are, as SVG, and as PNG."""

from datetime import UTC, datetime, timedelta
from io import BytesIO
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from utils.charts.axes import time_ticks, value_ticks
from utils.charts.png import to_png
from utils.charts.shapes import Dot, Drawing, Path, Rectangle, TextLabel, line

START = datetime(2026, 11, 20, 4, tzinfo=UTC)
RED, BLUE = (255, 0, 0), (0, 0, 255)


@pytest.mark.parametrize("zone", ["UTC", "Asia/Kolkata", "Asia/Kathmandu", "Australia/Eucla"])
@pytest.mark.parametrize("hours", [6, 12, 24, 48, 96])
def test_full_hours_are_marked_wherever_the_server_is(zone, hours):
    ticks = time_ticks(START, START + timedelta(hours=hours, minutes=30), ZoneInfo(zone))
    assert 3 <= len(ticks) <= 12
    assert all((at.minute, at.second, at.tzinfo) == (0, 0, ZoneInfo(zone)) for at, _ in ticks)
    assert all(at >= START for at, _ in ticks)
    assert all(is_day == (hours > 24 and at.hour == 0) for at, is_day in ticks)


@given(st.floats(0, 1e9))
def test_marks_of_values_are_round_few_and_reach_the_highest(maximum):
    ticks = value_ticks(maximum)
    assert ticks[0] == 0
    assert ticks[-1] >= maximum
    assert 2 <= len(ticks) <= 5
    assert len({after - before for before, after in pairwise(ticks)}) == 1


DRAWING = Drawing(
    200,
    100,
    (
        Path(((0, 100), (100, 50), (200, 100)), "blue", is_area=True),
        Rectangle(50, 10, 20, 30, "red", "3 < 4"),
        Rectangle(80, 10, 0, 30, "red"),
        Dot(150, 25, 10, "blue"),
        Path(((0, 5), (200, 5)), "red", width=2, dash=10),
        line(0, 0, 0, 0, "red"),
        TextLabel(100, 80, "Größte ≤ 2 & <more>", "red", anchor="middle"),
    ),
)


def test_a_picture_has_each_shape_in_its_place_and_colour():
    with Image.open(BytesIO(to_png(DRAWING, "#000000"))) as picture:
        assert picture.size == (200, 100)
        assert picture.getpixel((60, 20)) == RED
        assert picture.getpixel((100, 60)) == BLUE
        assert picture.getpixel((150, 25)) == BLUE
        assert picture.getpixel((100, 40)) == (0, 0, 0)
        dashes = [picture.getpixel((x, 5)) == RED for x in range(4, 200, 10)]
        assert dashes == [True, False] * 10
        assert picture.getpixel((81, 20)) == (0, 0, 0)
