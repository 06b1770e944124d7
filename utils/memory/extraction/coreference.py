"""Find whom or what a sentence that begins with a pronoun is about. Pure.

Only a plain introduction counts: "I have a cat", "my girlfriend is Priya". After any other sentence
the pronoun may mean another person, and nothing is resolved.
"""

import re
from collections.abc import Sequence

from utils.memory.extraction.clauses import is_given_name, without_leads, words_of
from utils.memory.extraction.facts import alternatives, is_one_of
from utils.memory.extraction.own_statements import corrects, own_statements

MAX_BEFORE = 4  # sentences: an introduction, and what went on from it
_WORDS = {code: words_of(code) for code in ("en", "de")}
_NOUN = {
    code: rf"(?P<noun>{alternatives(words.relatives | words.pets)})"
    for code, words in _WORDS.items()
}
_INTRODUCES = {
    "en": (
        re.compile(
            rf"(?:I|we) (?:have|have got|got|adopted|rescued|own) (?:an?|one) (?:[a-z-]+ ){{0,2}}?"
            rf"{_NOUN['en']}(?:,? (?:named|called) [^\W\d_]+)?(?: now)?\Z",
            re.IGNORECASE,
        ),
        re.compile(
            rf"(?:my|our) (?:[a-z-]+ )?{_NOUN['en']}(?:'s name is| is (?:called|named)|"
            r" is(?= (?P<given>[^\W\d_]+)\Z)) [^\W\d_]+\Z",
            re.IGNORECASE,
        ),
    ),
    "de": (
        re.compile(
            rf"(?:ich|wir) haben? eine?n? (?:[\w-]+ )?{_NOUN['de']}(?: namens [^\W\d_]+)?\Z",
            re.IGNORECASE,
        ),
        re.compile(
            rf"(?:mein|unser)e? (?:[\w-]+ )?{_NOUN['de']}(?:s name ist| heißt|"
            r" ist(?= (?:der |die )?(?P<given>[^\W\d_]+)\Z)(?: der| die)?) [^\W\d_]+\Z",
            re.IGNORECASE,
        ),
    ),
}
_GOES_ON = {
    "en": re.compile(
        r"(?:(?P<named>(?:her|his|its|their) name(?:['’]?s| is))|(?P<thing>it)(?P<is>['’]?s)?|"
        r"(?P<person>s?he|they)(?P<is2>['’]s)?)(?= )",
        re.IGNORECASE,
    ),
    "de": re.compile(
        r"(?:(?P<named>(?:ihr|sein) name ist)|(?P<thing>es)|(?P<person>er|sie|der|die|das))(?= )",
        re.IGNORECASE,
    ),
}


def goes_on(sentence: str, language: str) -> bool:
    """Whether a sentence begins with a pronoun: "it's called Gustav", "der heißt Balu"."""
    return language in _GOES_ON and _pronoun(sentence, language) is not None


def resolved(sentence: str, before: Sequence[str], language: str) -> str | None:
    """Return a sentence with what its first pronoun stands for: "my cat is called Gustav".

    None if it begins with no pronoun, or if what it stands for is not plain.

    Args:
        sentence: the sentence, or a clause of it.
        before: what the same person said right before it, oldest first.
        language: ISO code of the sentence.
    """
    if language not in _GOES_ON:
        return None
    match = _pronoun(sentence, language)
    noun = _introduced(before, language) if match is not None else None
    if match is None or noun is None:
        return None
    if match["thing"] and not is_one_of(noun, _WORDS[language].pets):
        return None
    remainder = match.string[match.end() :]
    if language == "de":
        return f"mein {noun}s name ist{remainder}" if match["named"] else f"mein {noun}{remainder}"
    if match["named"]:
        return f"my {noun}'s name is{remainder}"
    return f"my {noun}{' is' if match['is'] or match['is2'] else ''}{remainder}"


def _pronoun(sentence: str, language: str) -> re.Match[str] | None:
    return _GOES_ON[language].match(without_leads(sentence, _WORDS[language]))


def _introduced(before: Sequence[str], language: str) -> str | None:
    """Return the pet or relative whom the last sentence that does not go on introduces."""
    for text in reversed(before[-MAX_BEFORE:]):
        if goes_on(text, language) or corrects(text):
            continue
        clauses = [
            clause for statement in own_statements(text) for clause in statement.clauses
        ] or [text]
        return noun_introduced(clauses[0], language) if len(clauses) == 1 else None
    return None


def noun_introduced(clause: str, language: str) -> str | None:
    """Return the pet or relative whom a clause introduces and says nothing else about."""
    for pattern in _INTRODUCES.get(language, ()):
        match = pattern.match(clause)
        if match is not None:
            given = match.groupdict().get("given")
            return match["noun"].lower() if given is None or is_given_name(given) else None
    return None
