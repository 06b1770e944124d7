"""Say a note about a member to that member: "lives in Rome" -> "You live in Rome". Pure.

Or to another person, by the member's name: "Sam lives in Rome". And a question about a person as if
they asked it themselves: "where does Sam live?" -> "where do I live?".

Notes are written in the third person without a subject, in English or German.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache

from utils.common.text import WORD, clip, one_line
from utils.conversation.without_model.texts import PlainTexts
from utils.memory.extraction.clauses import words_of
from utils.models.memory import Form, Memory
from utils.nlp.languages import languages

MAX_SHOWN = 300  # characters of a quoted sentence
_IRREGULAR = {
    "is": "are", "has": "have", "was": "were", "does": "do", "doesn't": "don't", "goes": "go",
    "can": "can", "cannot": "cannot", "can't": "can't", "will": "will", "won't": "won't",
    "tends": "tend",
}  # fmt: skip
_PAST = frozenset(
    ["got", "bought", "grew", "gave", "moved", "started", "studied", "adopted", "quit", "passed",
     "went", "had", "used", "finished", "won", "lost", "met", "became", "wants", "works"]
)  # fmt: skip
_OTHER_VERB = re.compile(
    r"(?:is|are|was|were|has|have|starts|works|lives|studies|loves|likes|hates|plays|teaches|speaks|"
    r"collects|owns|turned|turns|got|will|goes|ist|sind|hat|heißt|beginnt|arbeitet|wohnt|lebt|"
    r"studiert|liebt|hasst|mag|spielt|spricht|lernt|sammelt)\Z"
)
_ADVERBS = frozenset(
    ["always", "never", "often", "sometimes", "still", "also", "just", "only", "now", "even"]
)  # and those that end in "ly"
_PRONOUNS = (
    (re.compile(r"\bthey are\b", re.IGNORECASE), "you are"),
    (re.compile(r"\bthey have\b", re.IGNORECASE), "you have"),
    (re.compile(r"\bthemselves\b", re.IGNORECASE), "yourself"),
    (re.compile(r"\btheirs\b", re.IGNORECASE), "yours"),
    (re.compile(r"\btheir\b", re.IGNORECASE), "your"),
    (re.compile(r"\bthem\b", re.IGNORECASE), "you"),
    (re.compile(r"\bthey\b", re.IGNORECASE), "you"),
)


def to_second_person(note: str) -> str | None:
    """Return a note as a sentence to the member, without its full stop; None if it is not clear."""
    words = one_line(note).rstrip(".").split()
    if len(words) < 2:
        return None
    first = words[0].lower()
    du = _german_verbs().get(first)
    if du is not None:
        return " ".join(["Du", du, *words[1:]])
    place = 1 if len(words) > 2 and (first in _ADVERBS or first.endswith("ly")) else 0
    verb = _you_verb(words[place].lower(), words[place + 1].lower())
    if verb is not None:
        return _addressed(" ".join(["You", *words[:place], verb, *words[place + 1 :]]))
    if first in ("they", "their") or any(_OTHER_VERB.match(word) for word in words[1:5]):
        return _thing(words) if first not in ("they", "their") else _addressed(" ".join(words))
    return None


def to_third_person(notes: Sequence[str], name: str, language: str) -> list[str]:
    """Return notes as sentences about a member: "Sam lives in Rome and is a nurse".

    A note that makes no clear sentence in this language is left out. Full stops are missing.
    """
    does: list[str] = []
    things: list[str] = []
    for note in notes:
        sentence = to_second_person(note)
        if sentence is None or is_german(note) != (language == "de"):
            continue
        text = one_line(note).rstrip(".")
        if sentence.split()[0] in ("You", "Du") and not text.lower().startswith("they "):
            does.append(text[:1].lower() + text[1:])
        elif not text.lower().startswith(("they ", "their ")):
            things.append(f"{_possessive(name, language)} {text}")
    *first, last = does or [""]
    conjunction = "und" if language == "de" else "and"
    joined = f"{', '.join(first)} {conjunction} {last}" if first else last
    return [*([f"{name} {joined}"] if joined else []), *things]


def said_to_member(row: Memory, texts: PlainTexts) -> str | None:
    """Return a note as a sentence to the member; None if it makes none in this language."""
    sentence = to_second_person(row.text) if row.form is Form.NOTE else None
    return sentence if is_german(row.text) == (texts.language == "de") else None


def note_sentence(row: Memory, texts: PlainTexts) -> str:
    """Return a note as a sentence to the member, and a quote, or a note that cannot be, quoted."""
    if sentence := said_to_member(row, texts):
        return f"{sentence}."
    return texts.quoted.format(text=_quoted_words(row))


def notes_of_person(notes: Sequence[Memory], name: str, texts: PlainTexts) -> str:
    """Return notes as sentences about a member, and quotes, or notes that cannot be, quoted."""
    sayable: dict[str, list[str]] = {texts.language: [], "en": [], "de": []}
    others = []
    for row in notes:
        language = "de" if is_german(row.text) else "en"
        if row.form is Form.NOTE and to_third_person([row.text], name, language):
            sayable[language].append(row.text)
        else:
            others.append(row)
    sentences = [
        sentence
        for language, said in sayable.items()
        for sentence in to_third_person(said, name, language)
    ]
    quoted = [_quoted_words(row) for row in others]
    return " ".join(
        [
            *(f"{sentence}." for sentence in sentences),
            *(texts.told_by.format(name=name, text=text) for text in quoted),
        ]
    )


def _quoted_words(row: Memory) -> str:
    """Return a memory's words to be quoted; the full stop of the sentence stands after them."""
    return clip(one_line(row.text), MAX_SHOWN, at_word=True).removesuffix(".")


def names_person(text: str, name: str) -> bool:
    """Whether a text has a person's name, or the first word of it."""
    return _name_in(text, name) is not None


def as_own(text: str, names: Iterable[str], language: str) -> str:
    """Return a question about people as if they asked it; a text without their names as it is."""
    own, possessive = ("ich", "mein") if language == "de" else ("I", "my")
    replaced = text
    for match in (match for name in names if (match := _name_in(replaced, name))):
        word = possessive if match["s"] else own
        replaced = f"{replaced[: match.start()]}{word}{replaced[match.end() :]}"
    if replaced == text:
        return text
    verbs = _own_verb_forms(language)
    replaced = re.sub(rf"\b({own}|{possessive})(?:(?:,| and| und) \1\b)+", r"\1", replaced)
    return WORD.sub(lambda found: verbs.get(found[0].lower(), found[0]), replaced)


def _possessive(name: str, language: str) -> str:
    if language != "de":
        return f"{name}'s"
    return f"{name}’" if name.endswith(("s", "ß", "x", "z")) else f"{name}s"


def _name_in(text: str, name: str) -> re.Match[str] | None:
    for written in dict.fromkeys((name, *name.split()[:1])):
        match = re.search(
            rf"(?<!\w)@?{re.escape(written)}(?P<s>['’]s?|s)?(?!\w)", text, re.IGNORECASE
        )
        if match is not None:
            return match
    return None


@cache
def _own_verb_forms(language: str) -> dict[str, str]:
    """Return verbs of the third person with those of the first: "does" -> "do"."""
    if language != "de":
        return {"does": "do", "doesn't": "don't", "is": "am", "has": "have"}
    return {forms.split()[0]: own for own, forms in words_of("de").verbs.items()}


def is_german(note: str) -> bool:
    """Whether a note begins with a German verb of the third person, or is about a German thing."""
    words = note.lower().split()
    return bool(words) and (
        words[0] in _german_verbs() or not _german_verbs().keys().isdisjoint(words[1:3])
    )


def _you_verb(first: str, second: str) -> str | None:
    """Return the second person of a verb; None if the word is a noun: "sisters are ..."."""
    if first in _IRREGULAR:
        return _IRREGULAR[first]
    if first in _PAST and first not in ("wants", "works"):
        return first
    if not first.endswith("s") or first.endswith(("ss", "'s", "’s")) or _OTHER_VERB.match(second):
        return None  # a noun: "boss is", "sister's wedding", "sisters are"
    if first.endswith("ies"):
        return f"{first[:-3]}y"
    return first[:-2] if first.endswith(("ches", "shes", "xes", "sses", "zzes")) else first[:-1]


def _thing(words: list[str]) -> str:
    """Return "Your birthday is on 3 May", "Deine Katze heißt Mimi"."""
    if not is_german(" ".join(words)):
        return _addressed(" ".join(["Your", words[0][:1].lower() + words[0][1:], *words[1:]]))
    noun = words[0].lower()
    is_feminine = _FEMININE.search(noun) or noun in languages()["de"].answers.feminine
    written = words[0][:1].upper() + words[0][1:]
    return " ".join(["Deine" if is_feminine else "Dein", written, *words[1:]])


_FEMININE = re.compile(r"(?:e|(?<![em])in|ung|heit|keit|ik|ion|tät|schaft|stadt|zahl|band|figur)\Z")


def _addressed(text: str) -> str:
    for pattern, word in _PRONOUNS:
        text = pattern.sub(word, text)
    return text[:1].upper() + text[1:]


@cache
def _german_verbs() -> dict[str, str]:
    forms = (value.split() for value in languages()["de"].statements.verbs.values())
    return dict(pair for pair in forms if len(pair) == 2) | {"wird": "wirst"}
