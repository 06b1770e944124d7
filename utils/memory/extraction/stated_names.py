"""Find the name that a person gives themselves: "I'm Sam", "ich heiße Anna". Pure."""

import re
from functools import cache
from typing import NamedTuple

from utils.nlp.answer_types import FUNCTION_WORDS
from utils.nlp.languages import languages, shared_tables
from utils.nlp.phrase_matcher import any_of

MAX_NAME_WORDS = 3
_NAME = r"(?P<name>[^\W\d_][\w'’-]*(?: [^\W\d_][\w'’-]*){0,2})"

_CLAUSE_END = re.compile(r"\s*(?:[,.!;(]|$|(?:and|und|y|from|aus|de|here|hier)\b)")


class StatedName(NamedTuple):
    """A name that a person gives themselves, and the language in which they do."""

    name: str
    code: str


def stated_name(sentence: str) -> StatedName | None:
    """Return the name that a sentence says its author has, or None.

    After "my name is" and the like any word with a capital counts, or a common first name; after
    "I'm" only a common first name at the end of its clause.
    """
    plain = sentence.replace("’", "'")
    for code, language in languages().items():
        if not language.statements.name_phrases:
            continue
        for pattern, is_plain in _patterns(code):
            match = next((m for m in pattern.finditer(plain) if not m["denial"]), None)
            name = _name_in(match, is_plain=is_plain) if match else ""
            following = plain[match.start("name") + len(name) :] if match else ""
            if name and (is_plain or _CLAUSE_END.match(following)):
                return StatedName(name, code)
    return None


def _name_in(match: re.Match[str], *, is_plain: bool) -> str:
    words = match["name"].split()[:MAX_NAME_WORDS]
    is_greeting = not is_plain and bool(match["leads"]) and len(words) == 1
    initials = (  # "call me JB", but not "CALL ME BACK" or "call me UP"
        (is_plain and len(words[0]) == 2 and words[0].isupper())
        and not (match[0].isupper() or words[0].lower() in FUNCTION_WORDS)
    )
    name: list[str] = []
    for word in words:
        is_name = word[0].isupper() if name or initials else _is_given(word, is_plain, is_greeting)
        if not is_name:
            break
        name.append(word if word[0].isupper() else word.title())
    return " ".join(name)


def own_name_in(note: str) -> str | None:
    """Return the name at the end of a note of it, such as "name is Sam" or "heißt Anna Lena"."""
    name: list[str] = []
    for word in reversed(note.rstrip(".").split()):
        if word[:1].islower():
            break
        name.insert(0, word)
    return " ".join(name) or None


def name_note(name: str, code: str) -> str:
    """Return the note of a name, in a language."""
    return languages()[code].statements.name_note.format(name=name)


def _is_given(word: str, is_plain: bool, is_greeting: bool) -> bool:
    """Whether a word is a name: a common first name, which needs a capital if it is a word too.

    After "my name is" (``is_plain``) any word with a capital is one; "hi im bob" (``is_greeting``)
    needs none.
    """
    names, folded = shared_tables().names, word.casefold()
    if any(folded in month for language in languages().values() for month in language.dates.months):
        return is_plain and word[0].isupper()  # "im August"
    is_capital = word[:1].isupper() and not word.isupper()
    if folded in names.capital | names.adjectives and not is_capital:
        return is_greeting and folded not in names.adjectives
    return folded in names.given | names.capital or (is_capital and is_plain)


@cache
def _patterns(code: str) -> tuple[tuple[re.Pattern[str], bool], ...]:
    words = languages()[code].statements
    plain, openers, fillers, denial = (
        any_of(phrases)
        for phrases in (
            words.name_phrases,
            words.name_openers,
            words.fillers,
            languages()[code].words.negations - {*words.corrections},
        )
    )
    denial = rf"(?P<denial>(?i:{denial})(?: [\w']+){{0,2}} )?"  # "don't call me Maggie"
    plain = rf"(?:{plain})(?: (?:{fillers}))*"  # "ich heiße jetzt Alex"
    leads = any_of(words.leads)
    return (
        (re.compile(rf"(?<![\w']){denial}(?i:{plain}):? (?P<leads>){_NAME}"), True),
        (
            re.compile(
                rf"\A\W*(?P<denial>)(?P<leads>(?:(?i:{leads})\b\W*)*)(?i:{openers}) {_NAME}"
            ),
            False,
        ),
    )
