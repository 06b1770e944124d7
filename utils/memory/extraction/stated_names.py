"""Find the name that the author of a sentence gives themselves: "I'm Sam", "ich heiße Anna". Pure."""

import re
from functools import cache

from utils.nlp.languages import languages, shared_tables

MAX_NAME_WORDS = 3
_NAME = r"(?P<name>[^\W\d_][\w'’-]*(?: [^\W\d_][\w'’-]*){0,2})"


def stated_name(sentence: str, code: str) -> str | None:
    """Return the name that a sentence says its author has, or None.

    After "my name is" and the like any word with a capital counts, or a common first name; after
    "I'm" only a common first name at the end of its clause.
    """
    plain = sentence.replace("’", "'")
    for pattern, is_plain in _patterns(code):
        match = pattern.search(plain)
        words = match["name"].split()[:MAX_NAME_WORDS] if match else []
        name: list[str] = []
        for word in words:
            is_name = _is_given(word, needs_capital=not is_plain) if not name else word[0].isupper()
            if not (is_name or (is_plain and word[0].isupper())):
                break
            name.append(word if word[0].isupper() else word.title())
        if match and name and (is_plain or _ends_clause(plain[match.start("name") :], name)):
            return " ".join(name)
    return None


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


def _ends_clause(text: str, name: list[str]) -> bool:
    rest = text[len(" ".join(name)) :]
    return re.match(r"\s*(?:[,.!;(]|$|(?:and|und|y|from|aus|de|here|hier)\b)", rest) is not None


def _is_given(word: str, *, needs_capital: bool) -> bool:
    """Whether a word is a common first name; a word that means something else needs a capital."""
    names, folded = shared_tables().names, word.casefold()
    is_capital = word[:1].isupper() and not word.isupper()
    if folded in names.capital or folded in names.adjectives:
        return is_capital
    return folded in names.given or (is_capital and not needs_capital)


@cache
def _patterns(code: str) -> tuple[tuple[re.Pattern[str], bool], ...]:
    words = languages()[code].statements
    plain, openers = (
        "|".join(sorted(map(re.escape, phrases), key=len, reverse=True)) or r"(?!)"
        for phrases in (words.name_phrases, words.name_openers)
    )
    leads = "|".join(sorted(map(re.escape, words.leads), key=len, reverse=True)) or r"(?!)"
    return (
        (re.compile(rf"(?<![\w'])(?i:{plain}):? {_NAME}"), True),
        (re.compile(rf"\A\W*(?:(?i:{leads})\b\W*)*(?i:{openers}) {_NAME}"), False),
    )
