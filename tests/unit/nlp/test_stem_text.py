"""Texts are found by their stems, and by the compounds of a stem."""

from collections import Counter

from hypothesis import example, given
from hypothesis import strategies as st

from utils.nlp.stem_text import MAX_PART, MIN_PART, StemText, hashes_of, parts_of

STEMS = st.sampled_from(["ab", "abc", "b", "bc", "é", "犬", "\ud800", "x" * 30])
LINES = st.lists(st.lists(STEMS, max_size=4).map(" ".join), min_size=2, max_size=2).map("\n".join)
TEXTS = st.lists(LINES, max_size=6)


def places(stem_text, *stems):
    found = stem_text.find(hashes_of(stems))
    return Counter(
        (stems[number], text, line)
        for number, text, line in zip(*(part.tolist() for part in found), strict=True)
    )


def expected(texts, *stems):
    return Counter(
        (stem, number, place)
        for stem in stems
        for number, text in enumerate(texts)
        for place, line in enumerate(text.split("\n"))
        for other in line.split()
        if other == stem
    )


@given(TEXTS, TEXTS, st.lists(STEMS, max_size=5))
def test_every_place_of_a_stem_is_found_also_in_texts_that_follow(texts, newer, stems):
    made = StemText(texts, 2)
    assert places(made, *dict.fromkeys(stems)) == expected(texts, *set(stems))
    joined = made.followed_by(StemText(newer, 2))
    assert places(joined, *dict.fromkeys(stems)) == expected([*texts, *newer], *set(stems))
    lengths = [len(text.split("\n")[0].split()) for text in (*texts, *newer)]
    assert joined.lengths.tolist() == lengths
    assert joined.mean_length == (sum(lengths) / len(lengths) if any(lengths) else 1.0)


def test_a_stem_that_is_given_twice_is_found_for_each():
    found = StemText(["ab b\n"], 2).find(hashes_of(["b", "ab", "b"]))
    assert sorted(found.numbers.tolist()) == [0, 1, 2]


PARTS = st.sampled_from(["zahn", "arzt", "bad", "termin", "x" * MAX_PART])
WORDS = st.lists(PARTS, min_size=1, max_size=3).map("".join)


@given(st.lists(st.lists(WORDS, max_size=3).map(" ".join), max_size=6), WORDS, st.integers(0, 6))
@example(texts=["zahnarztzahn arztzahn"], stem="zahn", cut=0)
@example(texts=["xzahnzahn"], stem="zahn", cut=0)
def test_compounds_begin_or_end_with_the_stem_and_have_a_rest(texts, stem, cut):
    first, second = texts[:cut], texts[cut:]
    made, newer = (StemText([f"{text}\nzahnzahn" for text in part], 2) for part in (first, second))
    joined = made.followed_by(newer)
    assert joined.compounds_of(stem) == {
        other
        for text in texts
        for other in text.split()
        if (other.startswith(stem) or other.endswith(stem))
        and len(stem) >= MIN_PART
        and len(other) - len(stem) >= MIN_PART
    }


@given(WORDS)
def test_parts_leave_a_rest(stem):
    lengths = range(MIN_PART, min(MAX_PART, len(stem) - MIN_PART) + 1)
    ends = {end for n in lengths for end in (stem[:n], stem[-n:])}
    assert set(parts_of(stem)) == ends
