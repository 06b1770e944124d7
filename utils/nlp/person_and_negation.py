"""Who speaks to whom in a sentence, and whether it negates something or tells of the past. Pure."""

import re

from utils.nlp.languages import languages

_LANGUAGES = [language.words for language in languages().values()]
_FIRST_PERSON = frozenset[str]().union(*(words.first_person for words in _LANGUAGES))
_SECOND_PERSON = frozenset[str]().union(*(words.second_person for words in _LANGUAGES))
_NEGATIONS = frozenset[str]().union(*(words.negations for words in _LANGUAGES))
_PAST = frozenset[str]().union(*(of.statements.past for of in languages().values()))
_NOT_PAST = frozenset[str]().union(*(of.statements.not_past for of in languages().values()))
# Of regular verbs, in English and in German
_PAST_ENDING = re.compile(r".{3,}(?:eds?|teten?)")
_UNCLEAR_ENDING = re.compile(r".{3,}te[mnrt]?'?s?")  # also of "j'habite"
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*['’]?")
# In scripts without spaces, words cannot be looked up one by one.
_UNSPACED_FIRST_PERSON = re.compile("私|僕|俺|わたし|ぼく|うち|我|나는|저는|내가|제가|나의|내 |제 ")
_UNSPACED_NEGATION = re.compile(
    "ない|ません|なかった|ませんでした|嫌い|不|没|(?:^|\\s)(?:안|못)\\s|[가-힣](?:않|없|못)|아니"
)

_ADDRESSED = r"@?[^\W\d_][\w'’-]*(?: [A-ZÀ-Þ][\w'’-]*)?"
_ADDRESSED_LAST = re.compile(rf",\s*{_ADDRESSED}\W*\Z")
_ADDRESSED_FIRST = re.compile(rf"\A\W*(?:[^\W_]+,?\s)?{_ADDRESSED},\s")
_GREETED = re.compile(r"\A\W*([^\W_]+)\s+@?[^\W_]+\W*\Z")


def has_first_person(text: str) -> bool:
    """Whether a text has a word with which people speak of themselves, in any language."""
    return not _FIRST_PERSON.isdisjoint(_words(text)) or bool(_UNSPACED_FIRST_PERSON.search(text))


def has_second_person(text: str) -> bool:
    """Whether a text has a word with which people address each other, in any language."""
    return not _SECOND_PERSON.isdisjoint(_words(text))


def negates(text: str) -> bool:
    """Whether a text has a word of negation, in any language."""
    return not _NEGATIONS.isdisjoint(_words(text)) or bool(_UNSPACED_NEGATION.search(text))


def tenses(text: str) -> tuple[bool, bool]:
    """Return whether a text is of the past ("was", "worked"), and whether a word ends in -te.

    Such a word may be past ("wohnte") or not ("arbeite", "hate", "Karte"). Its other forms count as
    well ("arbeitet", "hates", "Karten"); "wohnt" and "hated" do not.
    """
    words = _words(text)
    is_past = not _PAST.isdisjoint(words) or any(map(_PAST_ENDING.fullmatch, words - _NOT_PAST))
    return is_past, any(map(_UNCLEAR_ENDING.fullmatch, words))


def without_address(sentence: str) -> str:
    """Return a sentence without the person whom it speaks to: "Thanks, Nate!", "Bob, you rock".

    Somebody is spoken to at the end, after a comma; at the beginning, before a comma, if a second
    person follows; and after a single word that is all there is.
    """
    greeted = _GREETED.match(sentence)
    if greeted:
        return greeted[1]
    first = _ADDRESSED_FIRST.match(sentence)
    if first and not _SECOND_PERSON.isdisjoint(_words(sentence[first.end() :])):
        sentence = sentence[first.end() :]
    return _ADDRESSED_LAST.sub("", sentence)


def _words(text: str) -> set[str]:
    words = {word.casefold().replace("’", "'") for word in _WORD.findall(text)}
    return words | {f"{word.partition(chr(39))[0]}'" for word in words if "'" in word}
