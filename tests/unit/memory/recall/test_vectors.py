"""Vectors as they are stored and compared."""

from array import array

import pytest

pytest.importorskip("numpy")

from hypothesis import given
from hypothesis import strategies as st

import tests.fakes.builders  # noqa: F401 - hypothesis's profile
from utils.database.memories.embeddings import StoredVector
from utils.memory.recall.vectors import EMPTY_MATRIX, packed, unit

NUMBERS = st.floats(-(2.0**100), 2.0**100, width=32)


def stored(*vectors, first=1):
    return [
        StoredVector(number, 100 + number, packed(array("f", vector)))
        for number, vector in enumerate(vectors, first)
    ]


def test_the_same_direction_is_1_whatever_the_length():
    shelf = EMPTY_MATRIX.with_newer(stored([3.0, 4.0], [0.0, 2.0], [-3.0, -4.0]), limit=10)
    found = shelf.cosines(unit(array("f", [30.0, 40.0])))
    assert found == pytest.approx({101: 1.0, 102: 0.8, 103: -1.0}, abs=1e-3)


@given(st.lists(NUMBERS, min_size=1, max_size=20))
def test_every_stored_vector_is_finite_and_no_longer_than_1(numbers):
    shelf = EMPTY_MATRIX.with_newer(stored(numbers), limit=1)
    (cosine,) = shelf.cosines(unit(array("f", numbers))).values()
    assert cosine == pytest.approx(1.0, abs=2e-3) or cosine == 0.0


def test_a_vector_without_any_length_is_close_to_nothing():
    shelf = EMPTY_MATRIX.with_newer(stored([0.0, 0.0]), limit=1)
    assert shelf.cosines(unit(array("f", [1.0, 0.0]))) == {101: 0.0}


def test_newer_vectors_come_beside_those_held_and_the_oldest_go():
    shelf = EMPTY_MATRIX.with_newer(stored([1.0, 0.0], [0.0, 1.0]), limit=2)
    shelf = shelf.with_newer(stored([1.0, 1.0], first=3), limit=2)
    assert shelf.last == 3
    assert list(shelf.cosines(unit(array("f", [1.0, 0.0])))) == [102, 103]
    assert shelf.with_newer([], limit=2) is shelf


def test_vectors_of_another_length_than_the_newest_are_left_out():
    shelf = EMPTY_MATRIX.with_newer(stored([1.0, 0.0, 0.0], [1.0, 0.0]), limit=9)
    assert shelf.cosines(unit(array("f", [1.0, 0.0]))) == {102: 1.0}
    assert shelf.cosines(unit(array("f", [1.0, 0.0, 0.0]))) == {}
    shelf = shelf.with_newer(stored([0.0, 1.0, 0.0], first=3), limit=9)
    assert shelf.cosines(unit(array("f", [0.0, 1.0, 0.0]))) == {103: 1.0}
