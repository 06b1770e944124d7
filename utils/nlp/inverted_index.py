"""Find the short texts that hold a stem. Pure.

A field is one long string at first, and finding a stem is a search in it: joining strings is quick,
so a first recall is too. :meth:`Field.make_index` then builds an index for later recalls, which
takes ten times as long.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

IntArray: TypeAlias = NDArray[np.int64]
FloatArray: TypeAlias = NDArray[np.float64]
BoolArray: TypeAlias = NDArray[np.bool_]


class Postings(NamedTuple):
    """The indexes of the texts that hold a stem, ascending, and how often each holds it."""

    indexes: IntArray
    counts: IntArray


def _postings(counts: Mapping[int, int]) -> Postings:
    indexes = sorted(counts)
    return Postings(np.array(indexes, np.int64), np.array([counts[i] for i in indexes], np.int64))


_NO_POSTINGS = _postings({})


class Field:
    """One field of all of a member's texts, each given as stems separated by spaces."""

    def __init__(self, stems_of: Sequence[str]) -> None:
        self._text = "".join([f" {stems} \n" for stems in stems_of])
        self._starts = list(accumulate([len(stems) + 3 for stems in stems_of], initial=0))
        lengths = [stems.count(" ") + 1 if stems else 0 for stems in stems_of]
        self.lengths: FloatArray = np.array(lengths, np.float64)
        self.mean_length = sum(lengths) / max(1, len(lengths)) or 1.0
        self._index: Mapping[str, Postings] | None = None

    def texts(self) -> list[str]:
        """Return the stems of each text."""
        return [text.strip() for text in self._text.split("\n")[:-1]]

    def postings(self, stem: str) -> Postings:
        """Return the texts that hold a stem."""
        if self._index is not None:
            return self._index.get(stem, _NO_POSTINGS)
        return self._search(stem)

    def postings_of_any(self, alternatives: Sequence[str]) -> Postings:
        """Return the texts that hold any of the stems, with the count of the most frequent one."""
        matches = [
            postings for stem in alternatives if len((postings := self.postings(stem)).indexes)
        ]
        if len(matches) <= 1:
            return matches[0] if matches else _NO_POSTINGS
        highest: dict[int, int] = {}
        for indexes, counts in matches:
            for index, count in zip(indexes.tolist(), counts.tolist(), strict=True):
                highest[index] = max(count, highest.get(index, 0))
        return _postings(highest)

    def make_index(self) -> None:
        """Build the index of all stems, which replaces searching.

        All postings lie in two arrays: a stem costs no more than its slice of them.
        """
        indexes: defaultdict[str, list[int]] = defaultdict(list)
        counts: defaultdict[str, list[int]] = defaultdict(list)
        for index, text in enumerate(self._text.split("\n")):
            for stem, count in Counter(text.split()).items():
                indexes[stem].append(index)
                counts[stem].append(count)
        all_indexes = np.array([index for row in indexes.values() for index in row], np.int64)
        all_counts = np.array([count for row in counts.values() for count in row], np.int64)
        ends = accumulate(map(len, indexes.values()))
        self._index = {
            stem: Postings(all_indexes[end - len(row) : end], all_counts[end - len(row) : end])
            for (stem, row), end in zip(indexes.items(), ends, strict=True)
        }

    def _search(self, stem: str) -> Postings:
        # A space at the end of the needle, the most frequent character, would slow the search down.
        needle, counts = f" {stem}", Counter[int]()
        position = self._text.find(needle)
        while position >= 0:
            end = position + len(needle)
            if self._text[end] == " ":
                counts[bisect_right(self._starts, position) - 1] += 1
            position = self._text.find(needle, end)
        return _postings(counts) if counts else _NO_POSTINGS
