"""Reduce words to stems, which search compares.

A stem is lower case, without accents and endings. Scripts without spaces give character bigrams,
each emoji is a word, stop words are dropped. Every function takes any string, raises nothing and
returns the same in every thread. Each thread has its own stemmers, and all share a bounded cache of
words (15 to 25 µs for a sentence of 15 words once warm).
"""

import re
import threading
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import TypeAlias

import Stemmer

from utils.nlp.languages import Words, languages, shared_tables

_MAX_WORD_LENGTH = 40  # characters; longer words are cut, so that no stem is longer
_CACHE_SIZE = 20_000  # words in each language: 6 MB, and of scripts in bigrams 20 MB at most
_MAX_CACHED_PARTS = 5  # of a word: a sentence without spaces has more, and hardly comes again
_LANGUAGE_SAMPLE = 2_000  # characters read to tell the language

LANGUAGES = ("en", "de", "fr", "es", "pt", "it", "nl", "sv", "pl", "tr")
"""The languages in which names, and what a member searches for, may have been written."""

_ALGORITHMS = {
    "ar": "arabic", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "es": "spanish", "fi": "finnish", "fr": "french", "hi": "hindi", "hu": "hungarian",
    "hy": "armenian", "id": "indonesian", "it": "italian", "nl": "dutch", "no": "norwegian",
    "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sv": "swedish",
    "ta": "tamil", "tr": "turkish", "uk": "russian",
}  # fmt: skip

# --- spelling --------------------------------------------------------------------------------

_LETTERS = {
    ord(letter): plain
    for letter, plain in {
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th",
        "ı": "i", "ħ": "h", "ŧ": "t", "ŋ": "n", "ё": "е", "’": "'", "‘": "'", "ʼ": "'",
        "\u0640": None, "أ": "ا", "إ": "ا", "آ": "ا",
    }.items()
}  # fmt: skip
# Optional marks: Latin and Greek accents, Hebrew points, Arabic vowel signs. Marks that other
# scripts need (й, が, matras) stay.
_ACCENTED = re.compile("[\xc0-\u024f\u0370-\u03ff\u1e00-\u1fff]")
_ACCENTS = re.compile("[\u0300-\u036f]+")
_POINTS = re.compile("[\u0591-\u05c7\u064b-\u065f\u0670]+")


def _without_accents(match: re.Match[str]) -> str:
    return _ACCENTS.sub("", unicodedata.normalize("NFD", match[0]))


def _fold(word: str) -> str:
    """Return a casefolded word without accents."""
    if word.isascii():
        return word
    word = _ACCENTED.sub(_without_accents, word.translate(_LETTERS))
    return _POINTS.sub("", _ACCENTS.sub("", word))


def _folded(words: Words) -> Words:
    return frozenset(_fold(unicodedata.normalize("NFKC", word)) for word in words)


STOP_WORDS = {code: _folded(language.words.stop_words) for code, language in languages().items()}
"""ISO code -> stop words, folded as :func:`stems` folds them."""
_FIRST_NAMES = shared_tables().names.given | shared_tables().names.capital
_STOP_NAMES = _FIRST_NAMES & frozenset[str]().union(*STOP_WORDS.values())
"""First names that are stop words of some language: Will, Mia, Ella."""

# --- cutting into words ----------------------------------------------------------------------

_EMOJI = (
    "[\u203c\u2049\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff"
    "\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001faff]"
)
_SKIN_TONES = "\ufe0e\ufe0f\U0001f3fb-\U0001f3ff"
_SKIN_TONE = re.compile(f"[{_SKIN_TONES}]")
# \w lacks the combining marks of Indic, Thai, Khmer and other words.
_MARK = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0900-\u0963\u0971-\u0df3\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ebc\u0ec8-\u0ecd"
    "\u0f18-\u0fbc\u102b-\u103e\u1056-\u109d\u17b4-\u17d3\u3099\u309a"
)
_JOINERS = "\u200c\u200d"
_WORD = f"[\\w{_MARK}{_JOINERS}]+"
_TOKEN = re.compile(
    r"\d+(?:[.,]\d+)+"
    f"|{_WORD}(?:['’‘ʼ]{_WORD})*"
    "|[\U0001f1e6-\U0001f1ff]{1,2}"
    f"|{_EMOJI}[{_SKIN_TONES}]*(?:\u200d{_EMOJI}[{_SKIN_TONES}]*)*"
)
_CASED_WORD = re.compile(r"\w+")
_ASCII_TOKEN = re.compile(r"\d+(?:[.,]\d+)+|[a-z0-9]+(?:'[a-z0-9]+)*")
_DIGIT = re.compile(r"\d")
_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_HIRAGANA = "\u3040-\u309f"
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Myanmar, Khmer
_KATAKANA = "\u30a0-\u30ff\u31f0-\u31ff"
_HANGUL = "\u1100-\u11ff\uac00-\ud7a3"
_BIGRAMS = f"{_HAN}{_HIRAGANA}{_KATAKANA}{_UNSPACED}{_HANGUL}"
# A change of script is usually a word boundary: 犬|の|名前|は.
_RUNS = re.compile(
    f"(?P<han>[{_HAN}]+)|(?P<hiragana>[{_HIRAGANA}][{_HIRAGANA}ー]*)|(?P<katakana>[{_KATAKANA}]+)"
    f"|(?P<unspaced>[{_UNSPACED}]+)|(?P<hangul>[{_HANGUL}]+)|[^{_BIGRAMS}]+"
)
_NEEDS_BIGRAMS = re.compile(f"[{_BIGRAMS}]")
_CUSTOM_EMOJI = re.compile(r"<a?:(\w+):\d+>")
_DROPPED_PARTS = frozenset(["d", "l", "ll", "m", "n", "nt", "re", "s", "t", "ve"])


def _tokens(text: str) -> list[str]:
    """Return casefolded words, numbers, emoji and unspaced runs, in order."""
    if "<" in text:
        text = _CUSTOM_EMOJI.sub(r" \1 ", text)
    if "_" in text:
        text = text.replace("_", " ")
    if text.isascii():
        return _ASCII_TOKEN.findall(text.lower())
    text = unicodedata.normalize("NFKC", text).casefold()
    return _TOKEN.findall(text.replace("_", " "))


def _names(text: str, tokens: list[str]) -> frozenset[str]:
    """Return the words of a text that are first names there, though stop words elsewhere."""
    if _STOP_NAMES.isdisjoint(tokens):
        return frozenset()
    capitals = (w for w in _CASED_WORD.findall(text) if w[0].isupper() and not w.isupper())
    return _STOP_NAMES.intersection(map(str.casefold, capitals))


# --- language ----------------------------------------------------------------------------

_OTHER_SCRIPT = re.compile(
    "[\u0370-\u1dff\u1f00-\u1fff\u3040-\ud7ff\uf900-\ufdff\U00020000-\U000323af]"
)
_SCRIPTS = re.compile(
    "(?P<latin>[A-Za-z\xc0-\u024f\u1e00-\u1eff]+)|(?P<ja>[\u3040-\u30ff]+)"
    "|(?P<zh>[\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af]+)|(?P<ko>[\u1100-\u11ff\uac00-\ud7a3]+)"
    "|(?P<ru>[\u0400-\u052f]+)|(?P<ar>[\u0600-\u06ff\u0750-\u077f]+)"
    "|(?P<el>[\u0370-\u03ff\u1f00-\u1fff]+)|(?P<he>[\u0590-\u05ff]+)|(?P<hi>[\u0900-\u097f]+)"
    "|(?P<ta>[\u0b80-\u0bff]+)|(?P<th>[\u0e00-\u0e7f]+)|(?P<hy>[\u0530-\u058f]+)"
    "|(?P<ka>[\u10a0-\u10ff]+)"
)
_DENSE = frozenset(["ja", "zh", "ko"])  # one character says more than one letter
_UKRAINIAN = re.compile("[іїєґІЇЄҐ]")
_LATIN = tuple(code for code, language in languages().items() if language.script == "latin")
_HINTS = {letter: code for code in _LATIN for letter in languages()[code].words.letters}
_HINT = re.compile(f"[{''.join(_HINTS)}]")


def _votes() -> dict[str, tuple[tuple[str, float], ...]]:
    """Return word -> its languages, each with a weight; words with and without their accents."""
    ambiguous = shared_tables().words.ambiguous_stop_words
    codes_of: dict[str, set[str]] = {}
    for code in _LATIN:
        words = languages()[code].words
        voting = words.stop_words | words.markers
        for word in voting | _folded(voting):
            codes_of.setdefault(word, set()).add(code)
    return {
        word: tuple(
            (code, (0.5 if code != "en" and word in ambiguous else 1.0) / len(codes))
            for code in sorted(codes)
        )
        for word, codes in codes_of.items()
    }


_VOTES = _votes()


def _latin_language(text: str, tokens: list[str], names: frozenset[str]) -> str:
    scores = dict.fromkeys(_LATIN, 0.0)
    for place, word in enumerate(tokens):
        is_name = word in names and place  # "Che bello" is no name
        votes = () if is_name else _VOTES.get(word)
        if votes is None and "'" in word:
            votes = _VOTES.get(word.partition("'")[0])
        for language, weight in votes or ():
            scores[language] += weight
    if not text.isascii():
        for letter in set(_HINT.findall(text.lower())):
            scores[_HINTS[letter]] += 0.6
    best = max(_LATIN, key=scores.__getitem__)  # of equals the first: English
    return best if scores[best] > 0.5 else "en"


def _language(text: str, tokens: list[str], names: frozenset[str]) -> str:
    sample = text[:_LANGUAGE_SAMPLE]
    if sample.isascii() or not _OTHER_SCRIPT.search(sample):
        return _latin_language(sample, tokens[:_LANGUAGE_SAMPLE], names)
    amounts: dict[str, float] = {"latin": 0.0}
    for match in _SCRIPTS.finditer(sample):
        script = match.lastgroup or "latin"
        amounts[script] = amounts.get(script, 0.0) + len(match[0]) * (
            2.5 if script in _DENSE else 1.0
        )
    if "ja" in amounts:
        amounts["ja"] += amounts.pop("zh", 0.0)
    script = max(amounts, key=amounts.__getitem__)
    if script == "latin":
        return _latin_language(sample, tokens[:_LANGUAGE_SAMPLE], names)
    return "uk" if script == "ru" and _UKRAINIAN.search(sample) else script


def language_of(text: str) -> str:
    """Return the ISO code of the language a text is probably in; "en" if there is no sign.

    The script decides where it can. Languages in Latin script are recognised by their stop words
    and by letters that only some of them have. Only the first 2,000 characters count.
    """
    sample = text[:_LANGUAGE_SAMPLE]
    tokens = _tokens(sample)
    return _language(sample, tokens, _names(sample, tokens))


# --- stems -----------------------------------------------------------------------------------


_Pairs: TypeAlias = list[tuple[str, str]]
_cached: dict[str, dict[str, _Pairs]] = {}  # words by language, their content words with the stems


def forget_words() -> None:
    """Drop the words that are cached, because a member's were erased."""
    forms_of.cache_clear()
    for words in list(_cached.values()):  # another thread may begin a language meanwhile
        words.clear()


class _Stemmer:
    """The stemmer of one language in one thread; its cache is that of all threads."""

    def __init__(self, language: str) -> None:
        algorithm = _ALGORITHMS.get(language)
        self._stemmer = Stemmer.Stemmer(algorithm, 0) if algorithm else None
        self._stop_words = STOP_WORDS.get(language, frozenset())
        self.cache = _cached.setdefault(language, {})

    def look_up(self, token: str, limit: int | None) -> _Pairs:
        """Return the content words of a casefolded token, each with its stem.

        ``limit`` bounds the work on a token that is too long for the cache.
        """
        cached = self.cache.get(token)
        if cached is None:
            pairs = ((part, self.stem(part)) for part in self._parts(token))
            if len(token) > _MAX_WORD_LENGTH:
                return list(islice(pairs, limit))
            cached = list(pairs)
            if len(cached) <= _MAX_CACHED_PARTS:
                if len(self.cache) >= _CACHE_SIZE:
                    self.cache.clear()
                self.cache[token] = cached
        return cached

    def stem(self, word: str) -> str:
        """Return the stem of one folded word; never empty."""
        if self._stemmer is None or len(word) < 2 or _DIGIT.search(word):
            return word
        return _fold(self._stemmer.stemWord(word)) or word

    def _parts(self, token: str) -> Iterator[str]:
        """Yield the parts of a token between apostrophes and scripts, without stop words."""
        word = _fold(token)
        if not word or word in self._stop_words:
            return
        if "," in word or "." in word:
            yield word.replace(",", ".")[:_MAX_WORD_LENGTH]
        elif "'" in word:
            for piece in word.split("'"):
                if piece and piece not in self._stop_words and piece not in _DROPPED_PARTS:
                    yield piece[:_MAX_WORD_LENGTH]
        elif word.isascii() or not _NEEDS_BIGRAMS.search(word):
            bare = word.strip(_JOINERS) if word[0].isalnum() else _SKIN_TONE.sub("", word)
            yield bare[:_MAX_WORD_LENGTH] or word[0]
        else:
            for match in _RUNS.finditer(word):
                for piece in _pieces(match):
                    if piece not in self._stop_words:
                        yield piece


def _pieces(run: re.Match[str]) -> Iterator[str]:
    """Yield the search terms of a run of one script: bigrams, and the whole for Hangul."""
    text, script = run[0], run.lastgroup
    is_alone = len(text) == len(run.string)
    if script in (None, "hangul") or (len(text) == 1 and (is_alone or script != "hiragana")):
        yield text[:_MAX_WORD_LENGTH]
    if script and (script != "hangul" or len(text) > 2):
        for index in range(len(text) - 1):
            yield text[index : index + 2]


class _ThreadStemmers(threading.local):
    """The stemmers of one thread."""

    def __init__(self) -> None:
        self._by_language: dict[str, _Stemmer] = {}

    def get(self, language: str) -> _Stemmer:
        """Return this thread's stemmer of a language, created at first use."""
        stemmer = self._by_language.get(language)
        if stemmer is None:
            is_supported = language in _ALGORITHMS or language in STOP_WORDS
            code = language if is_supported else ""  # one for all unsupported languages
            stemmer = self._by_language.setdefault(code, _Stemmer(code))
        return stemmer


_stemmers = _ThreadStemmers()


def stems(text: str, *, language: str | None = None, limit: int | None = None) -> list[str]:
    """Return the stems of a text in order, with duplicates, without stop words.

    Args:
        text: any text.
        language: ISO code; guessed from the text if None.
        limit: maximum number of stems; it bounds the work too.
    """
    if limit is not None and limit <= 0:
        return []
    tokens = _tokens(text)
    names = _names(text, tokens)
    stemmer = _stemmers.get(language or _language(text, tokens, names))
    cache = stemmer.cache
    stemmed: list[str] = []
    for token in tokens:
        pairs = cache.get(token)
        if pairs is None:
            pairs = stemmer.look_up(token, limit)
        stemmed.extend(stem for _, stem in pairs)
        if not pairs and token in names:
            stemmed.append(token)
        if limit is not None and len(stemmed) >= limit:
            return stemmed[:limit]
    return stemmed


@lru_cache(_CACHE_SIZE)
def forms_of(word: str, language: str) -> frozenset[str]:
    """Return a word, without "s" at its end, and its stems."""
    return frozenset((word, word.removesuffix("s"), *stems(word, language=language)))


def repeats_others(text: str, own_texts: Iterable[str], other_texts: Iterable[str]) -> bool:
    """Whether a text has a stem of the other texts that none of its own texts has.

    Such a text would keep words of a message with which it is not erased.
    """
    foreign = set(stems(text)).difference(*map(stems, own_texts))
    return any(not foreign.isdisjoint(stems(other_text)) for other_text in other_texts)


def query_stems(
    text: str,
    *,
    language: str | None = None,
    also: tuple[str, ...] = ("en",),
    of_names: tuple[str, ...] = (),
    limit: int = 40,
) -> list[list[str]]:
    """Return the stems that each content word of a query can be stored as.

    These are its stem in the query's language, the word itself, and its stem in each language of
    ``also``, so that a short query in an unknown language still matches.

    Args:
        text: the query.
        language: ISO code; guessed from the text if None.
        also: ISO codes of further languages.
        of_names: ISO codes of the languages in which a name may have been stored: of capitalised
            words, or of all words if none is capitalised.
        limit: maximum number of words; repeated words count once.
    """
    if limit <= 0:
        return []
    tokens = _tokens(text)
    stop_names = _names(text, tokens)
    stemmer = _stemmers.get(language or _language(text, tokens, stop_names))
    further_stemmers = [_stemmers.get(code) for code in also]
    names = frozenset(
        _tokens(" ".join(word for word in _CASED_WORD.findall(text) if word[0].isupper())) or tokens
    )
    name_stemmers = [_stemmers.get(code) for code in dict.fromkeys((*also, *of_names))]
    options: dict[str, list[str]] = {}
    for token in tokens:
        pairs = stemmer.look_up(token, limit)
        for word, stem in pairs or [(name, name) for name in stop_names & {token}]:
            if word not in options:
                stemmers = name_stemmers if token in names else further_stemmers
                further = (further_stemmer.stem(word) for further_stemmer in stemmers)
                options[word] = list(dict.fromkeys((stem, word, *further)))
        if len(options) >= limit:
            break
    by_word = list(options.values()) or [[token] for token in tokens if token in _STOP_NAMES]
    return by_word[:limit]
