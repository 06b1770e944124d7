"""Finding, among many short texts, those that hold a stem. Pure.

A field is prepared as one long string, in which the texts that hold a stem are found by searching:
preparing is joining strings, so that a first recall is quick. For the next ones an index is made
meanwhile (:meth:`Field.make_index`), which costs ten times as much.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Whole: TypeAlias = NDArray[np.int64]
Real: TypeAlias = NDArray[np.float64]
Truth: TypeAlias = NDArray[np.bool_]


class Postings(NamedTuple):
    """The indexes of the texts that hold a stem, rising, and how often it occurs in each."""

    where: Whole
    times: Whole


def _postings(times: Mapping[int, int]) -> Postings:
    where = sorted(times)
    return Postings(np.array(where, np.int64), np.array([times[i] for i in where], np.int64))


_NOWHERE = _postings({})


class Field:
    """One field of all of a member's texts, each given as stems with blanks between."""

    def __init__(self, stems_of: Sequence[str]) -> None:
        self._text = "".join([f" {stems} \n" for stems in stems_of])
        self._starts = list(accumulate([len(stems) + 3 for stems in stems_of], initial=0))
        lengths = [stems.count(" ") + 1 if stems else 0 for stems in stems_of]
        self.lengths: Real = np.array(lengths, np.float64)
        self.mean_length = sum(lengths) / max(1, len(lengths)) or 1.0
        self._index: Mapping[str, Postings] | None = None

    def texts(self) -> list[str]:
        """Return the stems of each text."""
        return [text.strip() for text in self._text.split("\n")[:-1]]

    def postings(self, stem: str) -> Postings:
        """Return the texts that hold a stem, and how often."""
        if self._index is not None:
            return self._index.get(stem, _NOWHERE)
        return self._search(stem)

    def postings_of_any(self, alternatives: Sequence[str]) -> Postings:
        """Return for each text the most that any alternative spelling of a word occurs in it."""
        found = [one for stem in alternatives if len((one := self.postings(stem)).where)]
        if len(found) <= 1:
            return found[0] if found else _NOWHERE
        most: dict[int, int] = {}
        for where, times in found:
            for i, count in zip(where.tolist(), times.tolist(), strict=True):
                most[i] = max(count, most.get(i, 0))
        return _postings(most)

    def make_index(self) -> None:
        """Note for every stem the texts that hold it; from then on nothing is searched.

        All postings lie in two arrays, so that a stem costs no more than its place in them.
        """
        found: defaultdict[str, list[int]] = defaultdict(list)
        times: defaultdict[str, list[int]] = defaultdict(list)
        for i, text in enumerate(self._text.split("\n")):
            for stem, count in Counter(text.split()).items():
                found[stem].append(i)
                times[stem].append(count)
        where = np.array([i for some in found.values() for i in some], np.int64)
        counts = np.array([count for some in times.values() for count in some], np.int64)
        ends = accumulate(map(len, found.values()))
        self._index = {
            stem: Postings(where[end - len(some) : end], counts[end - len(some) : end])
            for (stem, some), end in zip(found.items(), ends, strict=True)
        }

    def _search(self, stem: str) -> Postings:
        # A blank at the needle's end, the commonest letter there is, would slow the search down.
        needle, found = f" {stem}", Counter[int]()
        position = self._text.find(needle)
        while position >= 0:
            end = position + len(needle)
            if self._text[end] == " ":
                found[bisect_right(self._starts, position) - 1] += 1
            position = self._text.find(needle, end)
        return _postings(found) if found else _NOWHERE
