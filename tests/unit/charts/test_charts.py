"""Charts: where their marks are, as SVG, and as PNG."""

from datetime import UTC, datetime, timedelta
from io import BytesIO
from itertools import pairwise
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageFont

from utils.charts.axes import short_number, time_ticks, value_ticks
from utils.charts.png import FONT, to_png
from utils.charts.shapes import Dot, Drawing, Path, Rectangle, TextLabel, line
from utils.charts.svg import to_svg

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


def test_half_past_in_utc_is_a_full_hour_in_india():
    ticks = time_ticks(START, START + timedelta(hours=6), ZoneInfo("Asia/Kolkata"))
    assert [f"{at:%H:%M}" for at, _ in ticks] == [f"{hour}:00" for hour in range(10, 16)]


def test_a_month_has_few_days_marked_and_a_moment_its_start():
    ticks = time_ticks(START, START + timedelta(days=30), ZoneInfo("Asia/Kathmandu"))
    assert 4 <= len(ticks) <= 8
    assert all(at.hour == 0 and is_day for at, is_day in ticks)
    assert time_ticks(START + timedelta(minutes=1), START + timedelta(minutes=9), UTC) == [
        (START + timedelta(minutes=1), False)
    ]


@given(st.floats(0, 1e9))
def test_marks_of_values_are_round_few_and_reach_the_highest(maximum):
    ticks = value_ticks(maximum)
    assert ticks[0] == 0
    assert ticks[-1] >= maximum
    assert 2 <= len(ticks) <= 5
    assert len({after - before for before, after in pairwise(ticks)}) == 1


def test_numbers_of_an_axis_are_short():
    assert [short_number(n) for n in (0, 950, 1_500, 20_000, 3e6)] == [
        *("0", "950", "1.5k", "20k", "3M")
    ]


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


def test_a_pages_chart_stretches_only_to_the_side():
    svg = ElementTree.fromstring(to_svg(DRAWING, 'all "words"'))
    assert svg.attrib["aria-label"] == 'all "words"'
    block = svg.find("rect").attrib
    assert (block["x"], block["width"], block["y"]) == ("25%", "10%", "10")
    assert svg.findtext("rect/title") == "3 < 4"
    assert svg.findtext("text") == "Größte ≤ 2 & <more>"
    assert svg.find("svg/polyline").attrib["vector-effect"] == "non-scaling-stroke"
    assert "aria-hidden" in to_svg(DRAWING)


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


def test_the_font_has_the_letters_of_german_greek_and_russian():
    font = ImageFont.truetype(FONT, 20)
    missing = bytes(font.getmask("\U0001f993"))
    assert not [letter for letter in "äöüßÄÖÜéñçł≤–…αЖ" if bytes(font.getmask(letter)) == missing]
