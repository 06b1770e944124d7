"""When two texts say the same, and what a memory is found by."""

from tests.rows import each_row
from utils.memory.consolidation.wording import same_wording, search_stems


@each_row(
    ("text", "other", "under_one_attribute", "anyway"),
    [
        # four of five words are enough, three of four are not
        ("has a brown dog named Rex", "has a big brown dog named Rex", True, False),
        ("has a brown dog Rex", "has a big brown dog Rex", False, False),
        ("has a brown dog named Rex", "has a brown dog named Rex since 2020", False, False),
        ("has a brown dog named Rex", "has a brown cat named Rex", False, False),
        # the order of the words
        ("often plays chess", "plays chess often", True, False),
        ("often visits Oslo", "visits Oslo often", True, False),
        ("prefers tea over coffee", "prefers coffee over tea", False, False),
        ("says Bob taught Ada", "says Ada taught Bob", False, False),
        ("Bob taught Ada well", "taught Ada, Bob, well", False, False),
        ("has a big brown dog named Rex", "has a brown big dog named Rex too", True, False),
        ("has a brown dog named Rex", "has a dog brown named Rex, big", False, False),
        ("runs 3 miles", "miles runs 3", False, False),
        # a word that is said twice
        ("likes tea, green tea", "likes green tea", True, False),
        ("prefers tea, green tea over coffee", "prefers green tea over coffee", False, False),
        # what was is not what is, and a sign may be all that differs
        ("works at Siemens", "worked at Siemens", False, False),
        ("has a cat", "had a cat", False, False),
        ("is in the choir", "was in the choir", False, False),
        ("wohnt in Köln", "wohnte in Köln", False, False),
        ("moved to Rome", "has moved to Rome", True, True),
        ("hates tea", "hated tea", False, False),
        ("arbeitet bei Siemens", "arbeitete bei Siemens", False, False),
        # words that end like a past, and forms of theirs
        ("I hate tea", "hates tea", True, True),
        ("I listen to jazz", "listens to jazz", True, True),
        ("I breed kittens", "breeds a kitten", True, True),
        ("Ich arbeite bei Siemens", "arbeitet bei Siemens", True, True),
        ("J'habite à Lyon", "habite à Lyon", True, True),
        ("has a dog named Rex", "dog's name is Rex", True, True),
        ("codes in C", "codes in C++", False, False),
        ("codes in C#", "codes in C++", False, False),
        ("prefers C# over C++", "prefers C++ over C#", False, False),
        ("loves -5 degrees", "loves 5 degrees", False, False),
        # no words that are searched
        ("It is.", "it IS.", True, True),
        ("It is.", "she was", False, False),
        ("Has the dogs", "has a dog", True, True),
        ("has a dog", "has no dog", False, False),
    ],
)
def test_what_says_the_same(text, other, under_one_attribute, anyway):
    for one, two in ((text, other), (other, text)):
        assert same_wording(one, two, same_attribute=True) is under_one_attribute, (one, two)
        assert same_wording(one, two, same_attribute=False) is anyway, (one, two)


def test_a_memory_is_found_by_so_many_stems_of_each_text():
    words = [f"word{n}x" for n in range(100)]
    text = " ".join(words)
    lines = [line.split() for line in search_stems(text, text).split("\n")]
    assert lines == [words[:60], words[:40]]
    assert search_stems("tea", "") == "tea\n"
