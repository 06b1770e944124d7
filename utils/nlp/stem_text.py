"""Find the short texts that hold a stem. Pure.

Each stem is kept as its hash, in one array for all texts; looking for stems is comparing numbers.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

IntArray: TypeAlias = NDArray[np.int64]
FloatArray: TypeAlias = NDArray[np.float64]
BoolArray: TypeAlias = NDArray[np.bool_]

MIN_PART, MAX_PART = 4, 20
"""Characters of a part of a compound: shorter parts occur in unrelated words."""

BUCKET_BITS = 16
_BLANK, _END_OF_LINE = b" \n"
_BLANKS = bytes(_BLANK if bytes([value]).isspace() else value for value in range(256))


class Places(NamedTuple):
    """Where stems stand: the number of the stem, the index of the text, and the line in it."""

    numbers: IntArray
    texts: IntArray
    lines: IntArray


class StemText:
    """Short texts, each of some lines of stems separated by spaces; the first is the text itself.

    ``lengths`` says how many stems each text itself has, ``mean_length`` is 1 if all are empty.
    """

    def __init__(self, texts: Sequence[str], lines: int) -> None:
        joined = ("\n" + "\n".join([*texts, ""])).encode("utf-8", "surrogatepass")
        is_blank = np.frombuffer(joined.translate(_BLANKS), np.uint8) == _BLANK
        is_end = np.frombuffer(joined, np.uint8) == _END_OF_LINE
        (bounds,) = np.nonzero(is_blank[:-1] != is_blank[1:])
        begins, sizes = bounds[::2], bounds[1::2] - bounds[::2]
        line_numbers = is_end.cumsum(dtype=np.int32).take(begins) - 1
        self._texts, within = np.divmod(line_numbers, np.int32(lines))
        self._lines = within.astype(np.int8)
        stems = joined.split()
        self._hashes: IntArray = np.fromiter(map(hash, stems), np.int64, len(stems))
        self._buckets = _buckets(self._hashes)
        (long,) = np.nonzero((within == 0) & (sizes >= 2 * MIN_PART))
        compounds = {stems[index] for index in long.tolist()}
        joined = b" ".join([b"", *sorted(compounds), b""])
        self._compounds = joined.decode("utf-8", "surrogatepass")
        self._count(len(texts))

    def _count(self, total: int) -> None:
        of_texts = self._texts[self._lines == 0]
        self.lengths: FloatArray = np.bincount(of_texts, minlength=total).astype(np.float64)
        self.mean_length = len(of_texts) / total if len(of_texts) else 1.0

    def followed_by(self, newer: "StemText") -> Self:
        """Return these texts and then others, which are few."""
        joined = object.__new__(type(self))
        total = len(self.lengths)
        joined._texts = np.concatenate([self._texts, newer._texts + np.int32(total)])
        joined._lines = np.concatenate([self._lines, newer._lines])
        joined._hashes = np.concatenate([self._hashes, newer._hashes])
        joined._buckets = np.concatenate([self._buckets, newer._buckets])
        joined._compounds = self._compounds + newer._compounds[1:]
        joined._count(total + len(newer.lengths))
        return joined

    def find(self, stems: IntArray) -> Places:
        """Return all places of these stems, given as their hashes; a stem may be given twice."""
        is_wanted = np.zeros(1 << BUCKET_BITS, np.bool_)
        is_wanted[_buckets(stems)] = True
        (at,) = np.nonzero(is_wanted[self._buckets])
        order = stems.argsort(kind="stable")
        hashes, keys = self._hashes[at], stems[order]
        first = keys.searchsorted(hashes)
        counts = keys.searchsorted(hashes, "right") - first
        ends = counts.cumsum()
        of_stem = np.arange(ends[-1] if len(ends) else 0) - (ends - counts - first).repeat(counts)
        at = at.repeat(counts)
        return Places(order[of_stem], self._texts[at].astype(np.int64), self._lines[at])

    def has_line(self, line: int) -> BoolArray:
        """Return which texts have a stem in a line."""
        has_stem = np.zeros(len(self.lengths), np.bool_)
        has_stem[self._texts[self._lines == line]] = True
        return has_stem

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
    encoded = (stem.encode("utf-8", "surrogatepass") for stem in stems)
    return np.fromiter(map(hash, encoded), np.int64, len(stems))


def parts_of(stem: str) -> Iterator[str]:
    """Yield the beginnings and ends of a stem that leave MIN_PART characters or more."""
    for length in range(MIN_PART, min(MAX_PART, len(stem) - MIN_PART) + 1):
        yield stem[:length]
        yield stem[-length:]


def _buckets(hashes: IntArray) -> NDArray[np.uint16]:
    """Return the lowest bits of hashes: what has other ones need not be compared."""
    return hashes.astype(np.uint16)
