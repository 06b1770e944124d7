"""What an endpoint reports moves our estimates, within bounds, and only as far as it is true."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rows import each_row
from utils.llm.token_calibration import HIGHEST, LOWEST, TokenCalibration

_random = random.Random(4)
LENGTHS = [_random.randint(200, 2_500) for _ in range(60)]


def calibrated(slope, *, overhead=0, has_tools=True, messages=5, lengths=LENGTHS):
    """A calibration that heard of many prompts which cost ``slope`` a token and some besides."""
    made = TokenCalibration()
    for length in lengths:
        reported = round(length * slope) + overhead + 4 * messages
        made.observe(length, reported, messages=messages, has_tools=has_tools)
    return made


def test_until_something_is_reported_an_estimate_is_taken_as_it_is():
    made = TokenCalibration()
    assert (made.factor, made.real(400), made.room(400)) == (1, 400, 400)


@each_row("slope", [0.85, 1.0, 1.3, 1.8])
def test_it_learns_what_a_token_costs(slope):
    assert calibrated(slope).factor == pytest.approx(slope, rel=0.05)


@given(
    st.lists(
        st.tuples(
            st.integers(-10, 10**7), st.integers(-10, 10**8), st.integers(0, 50), st.booleans()
        )
    )
)
def test_it_stays_within_its_bounds_whatever_is_reported(reports):
    made = TokenCalibration()
    for estimated, reported, messages, has_tools in reports:
        made.observe(estimated, reported, messages=messages, has_tools=has_tools)
        assert LOWEST <= made.factor <= HIGHEST
        assert made.real(made.room(400)) <= 400
