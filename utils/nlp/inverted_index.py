"""Find the short texts that hold a stem. Pure.

A field is one long string at first, and finding a stem is a search in it: joining strings is quick,
so a first recall is too. :meth:`Field.make_index` then builds an index for later recalls, which
takes ten times as long. A field with some other texts shares it (:meth:`Field.updated`).
"""

from array import array
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from copy import copy
from functools import lru_cache
from itertools import accumulate, chain
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

IntArray: TypeAlias = NDArray[np.int64]
FloatArray: TypeAlias = NDArray[np.float64]
BoolArray: TypeAlias = NDArray[np.bool_]


MAX_NEWER = 32
"""Texts that are looked through one by one before the string and the index are made anew."""
MAX_SEARCHED = 16
"""Stems of one question that are searched for; for more, building the index takes less time."""

MIN_PART, MAX_PART = 4, 20
"""Characters of a part of a compound: shorter parts occur in unrelated words."""

MAX_PLACES = 2_000
"""Where a part of a stem is looked at in a member's texts: somebody may repeat it on purpose."""

MAX_SPLIT_EACH_TIME = 2_000
"""Characters of texts whose set of stems is not kept: making it takes 30 µs, keeping it more memory
than the texts."""

SEPARATOR_LENGTH = 3  # a space before each text, and a space and the end of the line after it


class Postings(NamedTuple):
    """The indexes of the texts that hold a stem, ascending, and how often each holds it."""

    indexes: IntArray
    counts: IntArray


class Lengths(NamedTuple):
    """How many stems each text has, and their mean: 1 if all texts are empty."""

    each: FloatArray
    mean: float

    @classmethod
    def of(cls, each: FloatArray) -> "Lengths":
        """Return these lengths with their mean."""
        return cls(each, float(each.mean()) if each.any() else 1.0)


def _postings(counts: Mapping[int, int]) -> Postings:
    indexes = sorted(counts)
    return Postings(np.array(indexes, np.int64), np.array([counts[i] for i in indexes], np.int64))


NO_POSTINGS = _postings({})


@lru_cache(maxsize=50_000)
def _shared(stem: str) -> str:
    """Return one copy of equal stems. On Python 3.12, sys.intern would keep each for good."""
    return stem


class _Texts:
    """Texts, each given as stems separated by spaces, and the index of their stems, if built."""

    __slots__ = "_ends", "_index", "_postings", "_starts", "_stems", "_text", "_vocabulary"

    def __init__(self, stems_of: Sequence[str]) -> None:
        self._text = " " + " \n ".join(stems_of) + " \n" if stems_of else ""
        lengths = [len(stems) + SEPARATOR_LENGTH for stems in stems_of]
        self._starts = array("q", accumulate(lengths, initial=0))
        self._index: Mapping[str, int] | None = None if stems_of else {}
        self._ends = array("q")
        self._postings = NO_POSTINGS
        self._stems: frozenset[str] | None = None
        self._vocabulary: _Texts | None = None

    def __len__(self) -> int:
        return len(self._starts) - 1

    def all(self) -> list[str]:
        """Return the stems of each text."""
        return self._text[1:-2].split(" \n ") if self._text else []

    def lengths(self) -> FloatArray:
        """Return how many stems each text has, counted by the spaces around them."""
        characters = np.frombuffer(self._text.encode("utf-8", "surrogatepass"), np.uint8)
        spaces, ends = (np.flatnonzero(characters == ord(character)) for character in " \n")
        counts = np.diff(np.searchsorted(spaces, ends), prepend=0) - 1
        return np.where(np.diff(self._starts) == SEPARATOR_LENGTH, 0.0, counts)

    @property
    def is_indexed(self) -> bool:
        """Whether the index has been built."""
        return self._index is not None

    def postings(self, stem: str) -> Postings:
        """Return the texts that hold a stem."""
        if self._index is not None:
            number = self._index.get(stem)
            if number is None:
                return NO_POSTINGS
            place = slice(self._ends[number], self._ends[number + 1])
            return Postings(self._postings.indexes[place], self._postings.counts[place])
        counts = self.count(stem)
        return _postings(counts) if counts else NO_POSTINGS

    def common(self, stems: frozenset[str]) -> Set[str]:
        """Return those of many stems that occur in any text."""
        if not stems:
            return stems
        if self._index is not None:
            return self._index.keys() & stems
        known = self._stems  # another thread may build the index meanwhile
        if known is None:
            if len(stems) <= MAX_SEARCHED and len(self._text) <= MAX_SPLIT_EACH_TIME:
                return {stem for stem in stems if f" {stem} " in self._text}
            known = frozenset(self._text.split())
            if len(self._text) > MAX_SPLIT_EACH_TIME:
                self._stems = known
        return known & stems

    def make_index(self) -> None:
        """Build the index of all stems, which replaces searching.

        All postings lie in two arrays, and members share the stems: most of a member's memory is
        their index.
        """
        indexes: defaultdict[str, list[int]] = defaultdict(list)
        for index, text in enumerate(self._text.split("\n")):
            for stem in text.split():
                indexes[stem].append(index)
        if not indexes:  # nothing but blanks
            self._index = {}
            return
        ends = np.cumsum([len(of_stem) for of_stem in indexes.values()])
        every = np.fromiter(chain.from_iterable(indexes.values()), np.int64, count=ends[-1])
        is_other = np.append(True, every[1:] != every[:-1])  # not once more in the same text
        is_other[ends[:-1]] = True
        firsts = np.flatnonzero(is_other)
        self._postings = Postings(every[firsts], np.diff(firsts, append=len(every)))
        self._ends = array("q", [0, *np.cumsum(is_other)[ends - 1].tolist()])
        self._vocabulary = _Texts(list(indexes))
        self._index = {_shared(stem): number for number, stem in enumerate(indexes)}
        self._stems = None

    def count(self, stem: str) -> Mapping[int, int]:
        """Search all texts for a stem. Returns how often those that hold it do, by index."""
        # A space at the end of the needle, the most frequent character, would slow the search down.
        needle = f" {stem}"
        position = self._text.find(needle)
        if position < 0:
            return {}
        counts = Counter[int]()
        while position >= 0:
            end = position + len(needle)
            if self._text[end] == " ":
                counts[bisect_right(self._starts, position) - 1] += 1
            position = self._text.find(needle, end)
        return counts

    def with_compounds_of(self, stem: str) -> set[int]:
        """Search for longer stems that begin or end with a stem. Returns the texts' indexes.

        The rest of the longer stem has MIN_PART characters or more. At most MAX_PLACES are looked
        at: a stem that occurs more often distinguishes no text, and each takes time.
        """
        if self._vocabulary is not None:  # it holds each stem once
            indexes, ends = self._postings.indexes, self._ends
            numbers = self._vocabulary.with_compounds_of(stem)
            return {i for n in numbers for i in indexes[ends[n] : ends[n + 1]].tolist()}
        text, found_in, places = self._text, set[int](), 0
        position = text.find(stem)
        while position >= 0 and places < MAX_PLACES:
            places += 1
            next_start = end = position + len(stem)
            rest = ""
            if text[position - 1] == " ":
                rest = text[end : end + MIN_PART]
            elif text[end] == " ":
                rest = text[max(0, position - MIN_PART) : position]
            if len(rest) == MIN_PART and " " not in rest:
                number = bisect_right(self._starts, position)
                found_in.add(number - 1)
                next_start = self._starts[number]
            position = text.find(stem, next_start)
        return found_in


_NO_TEXTS = _Texts(())


class Field:
    """One field of all of a member's texts, each given as stems separated by spaces.

    ``_newer`` are the texts that were added or replaced since ``_texts`` was made, searched one
    stem at a time, and ``_newer_indexes`` their indexes. Empty texts that were added are not among
    them. ``_replaced`` are the indexes of ``_texts`` that no longer count.
    """

    # Each recalled member has eight fields, and copying one gives it a dictionary of 500 bytes.
    __slots__ = "_counted", "_newer", "_newer_indexes", "_replaced", "_texts", "_total"

    def __init__(self, stems_of: Sequence[str] = ()) -> None:
        self._texts = _Texts(stems_of) if any(stems_of) else _NO_TEXTS
        self._newer = _NO_TEXTS
        self._newer_indexes: Sequence[int] = ()
        self._replaced: Sequence[int] = ()
        self._total = len(stems_of)
        self._counted: Lengths | None = None

    @property
    def is_empty(self) -> bool:
        """Whether no text has a stem."""
        return self._texts is _NO_TEXTS and not self._newer_indexes

    @property
    def lengths(self) -> FloatArray:
        """How many stems each text has."""
        return self._lengths().each

    @property
    def mean_length(self) -> float:
        """The mean of the lengths; 1 if all texts are empty."""
        return self._lengths().mean

    def _lengths(self) -> Lengths:
        """Return the lengths, counted when first asked for: only one field of a document needs
        them."""
        if self._counted is None:
            lengths = np.zeros(self._total)
            lengths[: len(self._texts)] = self._texts.lengths()
            lengths[list(self._newer_indexes)] = self._newer.lengths()
            self._counted = Lengths.of(lengths)
        return self._counted

    def updated(self, indexes: Sequence[int], texts: Sequence[str]) -> "Field":
        """Return a field with other texts at these indexes; those beyond the end come in order.

        It shares this field's texts and their index, until more than MAX_NEWER are different.
        """
        known, total = len(self._texts), self._total
        if not total:
            return Field(texts)
        stems_of = dict(zip(indexes, texts, strict=True))
        newer = dict(zip(self._newer_indexes, self._newer.all(), strict=True))
        later = {i: text for i, text in stems_of.items() if text or i < known or i in newer}
        newer |= later
        total = max(total, *(index + 1 for index in indexes), 0)
        if len(newer) > MAX_NEWER or (newer and not known):
            every_text = self.texts() + [""] * (total - self._total)
            for index, text in stems_of.items():
                every_text[index] = text
            return Field(every_text)
        field = copy(self)
        field._total = total
        if self._counted is not None:
            lengths = np.zeros(total)
            lengths[: self._total] = self._counted.each
            lengths[list(stems_of)] = _count_stems(stems_of.values())
            field._counted = Lengths.of(lengths)
        if later:
            field._newer = _Texts(list(newer.values()))
            field._newer_indexes = tuple(newer)
            field._replaced = tuple([index for index in newer if index < known])
        return field

    def texts(self) -> list[str]:
        """Return the stems of each text."""
        texts = self._texts.all()
        texts += [""] * (self._total - len(texts))
        for index, text in zip(self._newer_indexes, self._newer.all(), strict=True):
            texts[index] = text
        return texts

    def postings(self, stem: str) -> Postings:
        """Return the texts that hold a stem."""
        return self._postings(stem, self._newer.common(frozenset([stem])))

    def postings_of_words(self, words: Sequence[Sequence[str]]) -> list[Postings]:
        """Return for each word, given as its stems, the texts that hold any of them.

        The counts are those of the most frequent stem.
        """
        if self.is_empty:
            return [NO_POSTINGS] * len(words)
        newer_stems = self._newer.common(frozenset(chain.from_iterable(words)))
        return [self._postings_of_any(alternatives, newer_stems) for alternatives in words]

    def _postings(self, stem: str, newer_stems: Set[str]) -> Postings:
        """Return the texts that hold a stem; the newer ones only if it is in ``newer_stems``."""
        postings = self._texts.postings(stem)
        if self._replaced and postings is not NO_POSTINGS:
            is_left = ~np.isin(postings.indexes, self._replaced)
            postings = Postings(postings.indexes[is_left], postings.counts[is_left])
        if stem not in newer_stems:
            return postings
        newer = _postings(self._newer_counts(stem))
        if postings is NO_POSTINGS:
            return newer
        indexes, counts = map(np.concatenate, zip(postings, newer, strict=True))
        if not self._replaced:  # the newer texts come after all others
            return Postings(indexes, counts)
        order = indexes.argsort()
        return Postings(indexes[order], counts[order])

    def _newer_counts(self, stem: str) -> Mapping[int, int]:
        """Return how often the newer texts hold a stem, by index."""
        counts = self._newer.count(stem)
        return {self._newer_indexes[i]: count for i, count in counts.items()}

    def _postings_of_any(self, alternatives: Sequence[str], newer_stems: Set[str]) -> Postings:
        matches = []
        for stem in alternatives:
            postings = self._postings(stem, newer_stems)
            if postings is not NO_POSTINGS:
                matches.append(postings)
        if len(matches) <= 1:
            return matches[0] if matches else NO_POSTINGS
        highest: dict[int, int] = {}
        for indexes, counts in matches:
            for index, count in zip(indexes.tolist(), counts.tolist(), strict=True):
                highest[index] = max(count, highest.get(index, 0))
        return _postings(highest)

    def _indexes_of_any(self, stems: frozenset[str], newer_stems: Set[str]) -> set[int]:
        """Return the indexes of the texts that hold any of the stems.

        It takes hardly longer for hundreds of stems of which few occur. If more occur, it builds
        the index.
        """
        common = self._texts.common(stems)
        if len(common) > MAX_SEARCHED:
            self.make_index()
        indexes = {i for stem in common for i in self._texts.postings(stem).indexes.tolist()}
        indexes.difference_update(self._replaced)
        for stem in newer_stems & stems:
            indexes.update(self._newer_counts(stem))
        return indexes

    def related_to_words(self, words: Sequence[tuple[str, frozenset[str]]]) -> list[list[int]]:
        """Return for each stem the indexes of the texts with a compound of it, or a part of it.

        "tooth" finds "toothbrush", and the reverse. Texts that hold one of the stems that are given
        with a stem count too.
        """
        parts = [others.union(_parts(stem)) for stem, others in words]
        newer_stems = self._newer.common(frozenset().union(*parts))
        related = []
        for (stem, _), stems in zip(words, parts, strict=True):
            indexes = self._indexes_of_any(stems, newer_stems)
            if len(stem) >= MIN_PART:
                indexes.update(self._texts.with_compounds_of(stem).difference(self._replaced))
                newer = self._newer.with_compounds_of(stem)
                indexes.update([self._newer_indexes[i] for i in newer])
            related.append(sorted(indexes))
        return related

    @property
    def is_indexed(self) -> bool:
        """Whether the index has been built."""
        return self._texts.is_indexed

    def make_index(self) -> None:
        """Build the index of all stems, which replaces searching; safe in any thread."""
        if not self.is_indexed:
            self._texts.make_index()


def _parts(stem: str) -> Iterator[str]:
    """Yield the beginnings and ends of a stem that leave MIN_PART characters or more."""
    for length in range(MIN_PART, min(MAX_PART, len(stem) - MIN_PART) + 1):
        yield stem[:length]
        yield stem[-length:]


def _count_stems(stems_of: Collection[str]) -> FloatArray:
    """Return how many stems each text has."""
    counts = [stems.count(" ") + 1 if stems else 0 for stems in stems_of]
    return np.array(counts, np.float64)
