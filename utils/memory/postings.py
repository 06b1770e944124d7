"""Finding, among many short texts, those that hold a stem. Pure.

A field is prepared as one long string, in which the texts that hold a stem are found by searching:
preparing is joining strings, so that a first recall is quick. For the next ones an index is made
meanwhile (:meth:`Field.make_index`), which costs ten times as much.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate

Postings = dict[int, int]
"""Index of a text -> how often a stem occurs in it."""

_NOWHERE: Postings = {}


class Field:
    """One field of all of a member's texts, each given as stems with blanks between."""

    def __init__(self, stems_of: Sequence[str]) -> None:
        self._text = "".join([f" {stems} \n" for stems in stems_of])
        self._starts = list(accumulate([len(stems) + 3 for stems in stems_of], initial=0))
        self.lengths = [stems.count(" ") + 1 if stems else 0 for stems in stems_of]
        self.mean_length = sum(self.lengths) / max(1, len(self.lengths)) or 1.0
        self._index: dict[str, Postings] | None = None

    def postings(self, stem: str) -> Postings:
        """Return the texts that hold a stem, and how often."""
        if self._index is not None:
            return self._index.get(stem, _NOWHERE)
        return self._search(stem)

    def postings_of_any(self, alternatives: Sequence[str]) -> Postings:
        """Return for each text the most that any alternative spelling of a word occurs in it."""
        if len(alternatives) == 1:
            return self.postings(alternatives[0])
        merged: Postings = {}
        for stem in alternatives:
            for i, times in self.postings(stem).items():
                merged[i] = max(times, merged.get(i, 0))
        return merged

    def make_index(self) -> None:
        """Note for every stem the texts that hold it; from then on nothing is searched."""
        index: defaultdict[str, Postings] = defaultdict(dict)
        for i, text in enumerate(self._text.split("\n")):
            for stem in text.split():
                postings = index[stem]
                postings[i] = postings.get(i, 0) + 1
        self._index = dict(index)

    def _search(self, stem: str) -> Postings:
        # A blank at the needle's end, the commonest letter there is, would slow the search down.
        needle, found = f" {stem}", Postings()
        position = self._text.find(needle)
        while position >= 0:
            end = position + len(needle)
            if self._text[end] == " ":
                i = bisect_right(self._starts, position) - 1
                found[i] = found.get(i, 0) + 1
            position = self._text.find(needle, end)
        return found
