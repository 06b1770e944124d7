"""Recognise messages that ask to be kept secret. A safety floor, not a reading.

What it recognises is repeated only to its author. It knows phrases, not meaning: what a message is
about, and who may hear it after all, is not decided here.
"""

from collections.abc import Iterable, Mapping
from functools import cache

from utils.nlp.languages import languages
from utils.nlp.normalization import fold
from utils.nlp.phrase_matcher import Lexicon, tokens_of
from utils.nlp.stemming import language_of, query_stems, stems

MARK = "+confidential"
"""Stands among the stems of what is confidential: messages, memories and Kith's answers.

No stem has a plus. The mark outlives the words that ask for silence, and readers need no query."""

MAX_OWN_WORDS = 3
"""Content words that a request may have beside its phrase and still say nothing itself."""

MIN_ALIKE = 5  # letters of stems that are compared by their beginnings and ends

_REASON = frozenset({0})


@cache
def confidential_lexicon() -> Lexicon:
    """Return the phrases of all languages. Raises LanguageFileError."""
    tables = {code: language.confidential.phrases for code, language in languages().items()}
    classes = {code: language.classes for code, language in languages().items()}
    return Lexicon({"confidential": tables}, classes)


def is_confidential(text: str, text_stems: str = "") -> bool:
    """Return whether a text asks to be kept secret, or its stems are marked."""
    if MARK in text_stems:
        return True
    return confidential_lexicon().first_rank(tokens_of(fold(text).casefold()), _REASON) is not None


def is_bare_request(text: str) -> bool:
    """Return whether a text asks for silence about something that it does not say itself."""
    parts = confidential_lexicon().around_first(tokens_of(fold(text).casefold()), _REASON)
    if parts is None:
        return False
    before, _, after = parts
    language = language_of(text)  # "Ben" and "Mia" are "I" and "my" in others
    words, said, following = languages()[language], {*before.split()}, after.split()
    own = words.words.first_person
    is_named = not own.isdisjoint(following) or any(  # "… must not find out who won"
        following[0] in of.statements.questions for of in languages().values()
    )
    is_whom = not is_named and words.statements.speakers.isdisjoint(said)
    # nothing, of "I'm", "ich sag's"
    content = {stem for stem in stems(before, language=language) if len(stem) > 1} - _talk()
    least = 2 if is_whom else 1  # "my wife", "our coach" is only whom
    says_something = not own.isdisjoint(said) and len(content) >= least
    return len(stems(before)) + len(stems(after)) <= MAX_OWN_WORDS and not says_something


def named_texts(request: str, texts_stems: Mapping[int, str]) -> set[int]:
    """Return the keys of the texts that have the words which a request for silence names, as "don't
    tell anyone about the raffle" does; half of them if the request says nothing itself.

    Args:
        request: a text that asks for silence.
        texts_stems: the stems of the texts.
    """
    parts = confidential_lexicon().around_first(tokens_of(fold(request).casefold()), _REASON)
    beside = {*" ".join(parts or ()).split()}  # words beside the phrase
    named = [
        forms
        for forms in query_stems(request)
        if _talk().isdisjoint(forms) and not beside.isdisjoint(forms)
    ]
    enough = len(named) - (len(named) // 2 if is_bare_request(request) else 0)
    return {
        key
        for key, text_stems in texts_stems.items()
        if named
        and sum(
            any(_is_alike(form, stem) for form in forms for stem in text_stems.split())
            for forms in named
        )
        >= enough
    }


@cache
def _talk() -> frozenset[str]:
    return frozenset[str]().union(*(of.answers.general for of in languages().values()))


def _is_alike(stem: str, other_stem: str) -> bool:
    """Return whether two stems may be of one word or of a compound with it.

    "pregnanc" is like "pregnant", "lotto" like "lottogewinn", and "kundig" like "gekundigt".
    """
    shorter, longer = sorted((stem.replace("ge", "", 1), other_stem.replace("ge", "", 1)), key=len)
    return stem == other_stem or (
        len(shorter) >= MIN_ALIKE
        and (
            longer.endswith(shorter)
            or longer.startswith(shorter[: max(MIN_ALIKE, len(shorter) - 1)])
        )
    )


def with_owners(text_stems: str, user_ids: Iterable[int]) -> str:
    """Return the stems of one of Kith's answers, marked with whose confidences it rests on."""
    marks = (f"{MARK}:{user_id}" for user_id in sorted(user_ids))
    return " ".join(dict.fromkeys((*text_stems.split(), *marks)))


def owners_of(text_stems: str) -> frozenset[int]:
    """Return whose confidences one of Kith's answers rests on."""
    marks = (stem.partition(":") for stem in text_stems.split() if stem.startswith(MARK))
    return frozenset(int(user_id) for _, _, user_id in marks)


def with_mark(text_stems: str, *texts: str) -> str:
    """Return stems, marked if one of these texts asks to be kept secret or is marked.

    Args:
        text_stems: the stems of a message, or the two lines of a memory's stems.
        texts: the texts of a message or memory, or the stems of what it is made from.
    """
    if MARK in text_stems or not any(MARK in text or is_confidential(text) for text in texts):
        return text_stems
    first, separator, source = text_stems.partition("\n")
    if not separator:
        return f"{first} {MARK}".lstrip()
    return f"{first}\n{f'{MARK} {source}'.rstrip()}"
