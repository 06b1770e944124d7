"""Find the short texts that hold a stem. Pure.

Each stem is kept as its hash, in one array for all texts; looking for stems is comparing numbers.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

IntArray: TypeAlias = NDArray[np.int64]
FloatArray: TypeAlias = NDArray[np.float64]
BoolArray: TypeAlias = NDArray[np.bool_]

MIN_PART, MAX_PART = 4, 20
"""Characters of a part of a compound: shorter parts occur in unrelated words."""

BUCKET_BITS = 16
WORD_BYTES = 8
BLOCK = 8192
"""Stems that are hashed at once: arrays of all of them would not stay in the processor's cache."""
_MULTIPLIER, _HALF = np.uint64(0x9E3779B97F4A7C15), np.uint64(32)
_MASKS: NDArray[np.uint64] = np.array([2 ** (8 * n) - 1 for n in range(WORD_BYTES + 1)], np.uint64)
_BLANK, _END_OF_LINE = b" \n"


class Places(NamedTuple):
    """Where stems stand: the number of the stem, the index of the text, and the line in it."""

    numbers: IntArray
    texts: IntArray
    lines: IntArray


class StemText:
    """Short texts, each of some lines of stems separated by spaces; the first is the text itself.

    ``lengths`` says how many stems each text itself has, ``mean_length`` is 1 if all are empty.
    """

    def __init__(self, texts: Iterable[str], lines: int) -> None:
        joined = "\n".join(["", *texts, ""]).encode("utf-8", "surrogatepass")
        begins, ends = _bounds(joined)
        is_end = np.frombuffer(joined, np.uint8) == _END_OF_LINE
        self._joined, self._number_of_lines = joined, lines
        self._line_ends = np.flatnonzero(is_end).astype(np.int32)
        self._first = begins.searchsorted(self._line_ends).astype(np.int32)
        """The first stem of each line, and at last the number of stems."""
        self._hashes = _hashes(joined, begins, ends)
        self._buckets = _buckets(self._hashes)
        self._count()
        is_first = np.arange(len(self._line_ends) - 1) % lines == 0
        is_long = ends - begins >= 2 * MIN_PART
        long = np.flatnonzero(is_long & is_first.repeat(np.diff(self._first)))
        long = long[np.unique(self._hashes[long], return_index=True)[1]]
        bounds = zip(begins[long].tolist(), ends[long].tolist(), strict=True)
        compounds = b" ".join([b"", *(joined[begin:end] for begin, end in bounds), b""])
        self._compounds = compounds.decode("utf-8", "surrogatepass")

    def _count(self) -> None:
        counts: IntArray = np.diff(self._first)[:: self._number_of_lines]
        self.lengths: FloatArray = counts.astype(np.float64)
        self.mean_length = float(counts.sum()) / len(counts) if counts.any() else 1.0

    def followed_by(self, newer: "StemText") -> Self:
        """Return these texts and then others, which are few."""
        joined = object.__new__(type(self))
        joined._number_of_lines = self._number_of_lines
        joined._joined = self._joined[:-1] + newer._joined
        line_ends = newer._line_ends[1:] + self._line_ends[-1]
        joined._line_ends = np.concatenate([self._line_ends, line_ends])
        joined._first = np.concatenate([self._first, newer._first[1:] + self._first[-1]])
        joined._hashes = np.concatenate([self._hashes, newer._hashes])
        joined._buckets = np.concatenate([self._buckets, newer._buckets])
        joined._compounds = self._compounds + newer._compounds[1:]
        joined._count()
        return joined

    def lines(self, text: int, number: int) -> str:
        """Return the first lines of a text, as many as ``number``."""
        first = text * self._number_of_lines
        start, end = self._line_ends[first] + 1, self._line_ends[first + number]
        return self._joined[start:end].decode("utf-8", "surrogatepass")

    def first_lines(self) -> list[str]:
        """Return the first line of each text."""
        lines = self._joined.decode("utf-8", "surrogatepass").split("\n")
        return lines[1 : -1 : self._number_of_lines]

    def find(self, stems: IntArray) -> Places:
        """Return all places of these stems, given as their hashes; a stem may be given twice."""
        is_wanted = np.zeros(1 << BUCKET_BITS, np.bool_)
        is_wanted[_buckets(stems)] = True
        (at,) = np.nonzero(is_wanted.take(self._buckets))
        order = stems.argsort(kind="stable")
        hashes, keys = self._hashes[at], stems[order]
        first = keys.searchsorted(hashes)
        counts = keys.searchsorted(hashes, "right") - first
        ends = counts.cumsum()
        of_stem = np.arange(ends[-1] if len(ends) else 0) - (ends - counts - first).repeat(counts)
        line_of_stem = self._first.searchsorted(at, "right") - 1  # counted through all texts
        texts, lines = np.divmod(line_of_stem.repeat(counts), self._number_of_lines)
        return Places(order[of_stem], texts, lines)

    def compounds_of(self, stem: str) -> set[str]:
        """Return the longer stems of the texts themselves that begin or end with a stem.

        The rest of the longer stem has MIN_PART characters or more.
        """
        compounds, texts = set[str](), self._compounds
        position = texts.find(stem) if len(stem) >= MIN_PART else -1
        while position >= 0:
            start = texts.rfind(" ", 0, position) + 1
            stop = texts.find(" ", position)
            longer = texts[start:stop]
            if len(longer) - len(stem) >= MIN_PART and (start == position or longer.endswith(stem)):
                compounds.add(longer)
            position = texts.find(stem, stop)
        return compounds


def hashes_of(stems: Sequence[str]) -> IntArray:
    """Return what :meth:`StemText.find` takes for these stems."""
    joined = "\n".join(["", *stems, ""]).encode("utf-8", "surrogatepass")
    return _hashes(joined, *_bounds(joined))


def parts_of(stem: str) -> Iterator[str]:
    """Yield the beginnings and ends of a stem that leave MIN_PART characters or more."""
    for length in range(MIN_PART, min(MAX_PART, len(stem) - MIN_PART) + 1):
        yield stem[:length]
        yield stem[-length:]


def _bounds(joined: bytes) -> tuple[IntArray, IntArray]:
    """Return where each stem begins, and where it ends; blanks stand around them all."""
    is_blank = np.frombuffer(joined, np.uint8) <= _BLANK
    (bounds,) = np.nonzero(is_blank[:-1] != is_blank[1:])
    return bounds[::2] + 1, bounds[1::2] + 1


def _hashes(joined: bytes, begins: IntArray, ends: IntArray) -> IntArray:
    """Return a number for each stem: Python's own hashes take ten times as long.

    It is made of the first, the middle and the last WORD_BYTES bytes, which is all of most stems.
    """
    padded = joined + bytes(WORD_BYTES)
    words: NDArray[np.uint64] = np.ndarray(len(joined), "<u8", padded, strides=(1,))
    all_hashes = np.empty(len(begins), np.uint64)
    for start in range(0, len(begins), BLOCK):
        first = begins[start : start + BLOCK]
        sizes = ends[start : start + BLOCK] - first
        hashes = words[first]
        hashes &= _MASKS.take(np.minimum(sizes, WORD_BYTES))
        hashes *= _MULTIPLIER
        hashes ^= sizes.view(np.uint64)
        hashes ^= hashes >> _HALF
        long = np.flatnonzero(sizes > WORD_BYTES)
        last = sizes[long] - WORD_BYTES
        for offsets in (last // 2, last):
            of_long = (hashes[long] + words[first[long] + offsets]) * _MULTIPLIER
            hashes[long] = of_long ^ (of_long >> _HALF)
        all_hashes[start : start + BLOCK] = hashes
    return all_hashes.view(np.int64)


def _buckets(hashes: IntArray) -> NDArray[np.uint16]:
    """Return the lowest bits of hashes: what has other ones need not be compared."""
    return hashes.astype(np.uint16)
