"""Whether memories say the same, and their stems for search. Pure.

Similar wording alone would take wrong pairs for one, so more words are allowed only under the same
attribute.
"""

import re

from utils.nlp.confidential import with_mark
from utils.nlp.person_and_negation import negates, tenses
from utils.nlp.stemming import stems

SAME_WORDING = 0.8
TEXT_STEMS, SOURCE_STEMS = 60, 40
_RELATES = re.compile(
    r"\b(?:over|than|to|from|before|after|instead|not|of|by|über|als|statt|von|que|à|de|до|чем|от)\b|"
    r"\d|[^\x00-\u052f]",
    re.IGNORECASE,
)
_SIGNED = re.compile(r"\b\w+[+#]+|(?<!\w)[-\u2212]\d+|(?<!\S)\.\w+")  # C++ is not C, nor -5 a 5


def search_stems(text: str, source: str) -> str:
    """Return the two lines of stems by which a memory is searched: its own, and its message's.

    They are marked if the memory or its message asks to be kept secret.
    """
    text_stems, of_source = stems(text, limit=TEXT_STEMS), stems(source, limit=SOURCE_STEMS)
    return with_mark(f"{' '.join(text_stems)}\n{' '.join(of_source)}", text, source)


def same_wording(text: str, other_text: str, *, same_attribute: bool) -> bool:
    """Whether two texts say the same: equal stems, or under one attribute one text with more words.

    A negation, a number, a past tense or a sign as of C++ in only one of them always makes them
    different: stems of "lives" and "lived" are the same.
    """
    if beside_stems(text) != beside_stems(other_text):
        return False
    words, other_words = stems(text), stems(other_text)
    if words == other_words:
        return bool(words) or text.casefold() == other_text.casefold()
    stem_set, other_set = set(words), set(other_words)
    is_reordered = _shared(words, other_set) != _shared(other_words, stem_set)
    is_order_free = _is_order_free(text) and _is_order_free(other_text)
    if is_reordered and not (same_attribute and stem_set == other_set and is_order_free):
        return False
    if not same_attribute or any(any(c.isdigit() for c in stem) for stem in stem_set ^ other_set):
        return False
    if stem_set - other_set and other_set - stem_set:  # a word differs: Berlin is not Hamburg
        return False
    return len(stem_set & other_set) >= SAME_WORDING * len(stem_set | other_set)


def word_key(text: str) -> tuple[object, ...]:
    """Return what is equal for two texts that say the same with their words in another order."""
    return frozenset(stems(text)), *beside_stems(text)


def beside_stems(text: str) -> tuple[object, ...]:
    """Return what a text says that its stems do not."""
    return negates(text), tenses(text), tuple(_SIGNED.findall(text.casefold()))


def _is_order_free(text: str) -> bool:
    """Whether word order does not change the meaning: "often plays chess", "plays chess often".

    It does in comparisons ("tea over coffee") and in texts with two names.
    """
    names = [word for word in text.split()[1:] if word[:1].isupper()]
    return len(names) < 2 and not _RELATES.search(text)


def _shared(words: list[str], other_words: set[str]) -> list[str]:
    """Return the words that the other text has as well, in order and without duplicates."""
    return list(dict.fromkeys(word for word in words if word in other_words))
