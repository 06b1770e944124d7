"""Find what a sentence adds to a statement that no rule of facts reads. Pure.

Such words may take the statement back ("I wish", "haha Spaß", ", not"), limit it ("but only in
films") or give it to another person (", says Tom"). What they mean is not decided here: the
sentence is kept as a quote, without a note.
"""

import re

from utils.memory.extraction.clauses import WORD, tokens_of, words_of
from utils.memory.extraction.facts import Fact
from utils.nlp.languages import languages, shared_tables
from utils.nlp.person_and_negation import negates

MAX_TAG = 4  # words
_TAG = re.compile(r",|\.\.+|…|[–—]|\s-\s")
_SPEAKERS = frozenset(("i", "we", "ich", "wir"))
_LAUGH = re.compile(
    r"(?:(?:ha|he|hi|ja){2,}h?|a?ha(?:ha)+|lo+l|lma?f?a?o+|rofl|xd+)\Z", re.IGNORECASE
)
_LIMITS = re.compile(r"\b(?:but|aber)\s+(?:only|just|nur)\b", re.IGNORECASE)


def is_doubtful(sentence: str, language: str) -> bool:
    """Whether a sentence has words beside its statement that may change what it says."""
    beginning, *parts = _TAG.split(sentence)
    opening = tokens_of(beginning, language)
    accepts = " ".join(opening) in languages()[language].answers.agreement
    if parts and accepts and words_of(language).leads.isdisjoint(opening):
        return True  # "sure, I love Mondays"
    return _LIMITS.search(sentence) is not None or _ends_with_tag(sentence, language)


def is_laughed_at(sentence: str) -> bool:
    """Whether a sentence begins or ends with a laugh."""
    tokens = WORD.findall(sentence)
    return bool(tokens) and any(_LAUGH.match(token) for token in (tokens[0], tokens[-1]))


def is_unlisted_home(fact: Fact) -> bool:
    """Whether a fact is a home that no list of places knows: "lives in Narnia"."""
    if fact.attribute != "home":
        return False
    words = re.split(r"[, ]+", fact.text.lower())[2:]  # after "lives in"
    known = shared_tables().places.known
    return not any("+".join(words[:count]) in known for count in range(1, 4))


def denies(text: str) -> bool:
    """Whether a text is a negation and nothing else."""
    return len(WORD.findall(text)) == 1 and negates(text)


def _ends_with_tag(sentence: str, language: str) -> bool:
    """Whether the last words take a sentence back (", not"), or say who says it (", says Tom")."""
    *statement, tag = _TAG.split(sentence)
    words, tag_words = words_of(language), [word.lower() for word in WORD.findall(tag)]
    if not statement or not 0 < len(tag_words) <= MAX_TAG:
        return False
    if _LAUGH.match(tag_words[0]) and not all(_LAUGH.match(word) for word in tag_words):
        return True  # "haha Spaß"
    tokens = tokens_of(tag, language)
    if not _SPEAKERS.isdisjoint(tokens):
        comments = set(tokens) - _SPEAKERS  # "I wish", "hoffe ich"; "I think" stands by it
        return words.talk.issuperset(comments) and not any(
            report.startswith(verb.removesuffix("e"))
            for report in words.reports
            for verb in comments
        )
    if not tokens:
        return False
    plain = " ".join(tokens)
    retractions = {*words.corrections, *words.sarcastic_openers}
    is_taken_back = denies(plain) or not retractions.isdisjoint((plain, " ".join(tag_words)))
    content = set(tokens) - languages()[language].words.stop_words
    is_correction = bool(content) and content <= {*words.corrections}  # "nur ein Scherz"
    return is_taken_back or is_correction or not words.reports.isdisjoint((tokens[0], tokens[-1]))
