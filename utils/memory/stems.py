"""Words to stems: what search compares. Knows nothing of Discord or the database.

A stem is lower case, without accents, without endings. Scripts without spaces give character
bigrams, emoji are words of their own, function words are dropped. Every function takes any string,
raises nothing, and answers the same in every thread: each thread has stemmers of its own, and a
bounded cache of words in front of them (15 to 25 µs for a sentence of 15 words once warm).
"""

import re
import threading
import unicodedata
from collections.abc import Iterator
from itertools import islice

import Stemmer

from utils.memory.stop_words import ENGLISH_TOO, MARKERS
from utils.memory.stop_words import STOP_WORDS as _SPELT

_MAX_WORD = 40  # characters; a longer word is cut, so that no stem is longer than this
_MAX_CACHED = 20_000  # words in each language and thread
_LANGUAGE_SAMPLE = 2_000  # characters read to tell the language

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
# Marks that spelling can do without: Latin and Greek accents, Hebrew points, Arabic vowel signs.
# Those that other scripts need (й, が, matras) stay.
_ACCENTED = re.compile("[\xc0-\u024f\u0370-\u03ff\u1e00-\u1fff]")
_ACCENTS = re.compile("[\u0300-\u036f]+")
_POINTS = re.compile("[\u0591-\u05c7\u064b-\u065f\u0670]+")


def _bare(match: re.Match[str]) -> str:
    return _ACCENTS.sub("", unicodedata.normalize("NFD", match[0]))


def _fold(word: str) -> str:
    """Take the accents off a casefolded word."""
    if word.isascii():
        return word
    word = _ACCENTED.sub(_bare, word.translate(_LETTERS))
    return _POINTS.sub("", _ACCENTS.sub("", word))


def _spell(words: frozenset[str]) -> frozenset[str]:
    return frozenset(_fold(unicodedata.normalize("NFKC", word)) for word in words)


STOP_WORDS: dict[str, frozenset[str]] = {code: _spell(words) for code, words in _SPELT.items()}
"""ISO code -> function words, folded as :func:`stems` folds them."""

# --- cutting into words ----------------------------------------------------------------------

_EMOJI = (
    "[\u203c\u2049\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff"
    "\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001faff]"
)
_TONES = "\ufe0e\ufe0f\U0001f3fb-\U0001f3ff"
_TONE = re.compile(f"[{_TONES}]")
# Python's \w leaves out the combining marks that Indic, Thai, Khmer … words are spelt with.
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
    f"|{_EMOJI}[{_TONES}]*(?:\u200d{_EMOJI}[{_TONES}]*)*"
)
_ASCII_TOKEN = re.compile(r"\d+(?:[.,]\d+)+|[a-z0-9]+(?:'[a-z0-9]+)*")
_DIGIT = re.compile(r"\d")
_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_HIRAGANA = "\u3040-\u309f"
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Myanmar, Khmer
_KATAKANA = "\u30a0-\u30ff\u31f0-\u31ff"
_HANGUL = "\u1100-\u11ff\uac00-\ud7a3"
_BIGRAMS = f"{_HAN}{_HIRAGANA}{_KATAKANA}{_UNSPACED}{_HANGUL}"
# A change of script is mostly a border between words: 犬|の|名前|は.
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


# --- the language ----------------------------------------------------------------------------

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
_DENSE = frozenset(["ja", "zh", "ko"])  # one of their characters says more than one letter
_UKRAINIAN = re.compile("[іїєґІЇЄҐ]")
_LATIN = ("en", "de", "fr", "es", "pt", "it", "nl", "sv", "pl", "tr")
_HINTS = {
    letter: language
    for language, letters in {
        "de": "äöüß", "fr": "çèêëîïôûœ", "es": "ñ¿¡", "pt": "ãõ", "sv": "å", "pl": "ąćęłńśźż",
        "tr": "ğış",
    }.items()
    for letter in letters
}  # fmt: skip
_HINT = re.compile(f"[{''.join(_HINTS)}]")


def _votes() -> dict[str, tuple[tuple[str, float], ...]]:
    """Return for each function word, with accents and without, how much it says for whom."""
    speakers: dict[str, set[str]] = {}
    for language in _LATIN:
        spelt = _SPELT[language] | MARKERS.get(language, frozenset())
        for word in spelt | _spell(spelt):
            speakers.setdefault(word, set()).add(language)
    return {
        word: tuple(
            (language, (0.5 if language != "en" and word in ENGLISH_TOO else 1.0) / len(languages))
            for language in sorted(languages)
        )
        for word, languages in speakers.items()
    }


_VOTES = _votes()


def _latin_language(text: str, tokens: list[str]) -> str:
    scores = dict.fromkeys(_LATIN, 0.0)
    for word in tokens:
        votes = _VOTES.get(word)
        if votes is None and "'" in word:
            votes = _VOTES.get(word.partition("'")[0])
        for language, weight in votes or ():
            scores[language] += weight
    if not text.isascii():
        for letter in set(_HINT.findall(text.lower())):
            scores[_HINTS[letter]] += 0.6
    best = max(_LATIN, key=scores.__getitem__)  # the first of equals: English
    return best if scores[best] > 0.5 else "en"


def _language(text: str, tokens: list[str]) -> str:
    sample = text[:_LANGUAGE_SAMPLE]
    if sample.isascii() or not _OTHER_SCRIPT.search(sample):
        return _latin_language(sample, tokens[:_LANGUAGE_SAMPLE])
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
        return _latin_language(sample, tokens[:_LANGUAGE_SAMPLE])
    return "uk" if script == "ru" and _UKRAINIAN.search(sample) else script


def language_of(text: str) -> str:
    """Return the ISO code of the language a text is probably in; "en" when nothing tells.

    The script decides where it can; Latin letters are told apart by function words and letters
    that only some languages have. Reads the first 2,000 characters.
    """
    sample = text[:_LANGUAGE_SAMPLE]
    return _language(sample, _tokens(sample))


# --- stems -----------------------------------------------------------------------------------


class _Words:
    """The stemmer of one language in one thread, and the words it has seen."""

    def __init__(self, language: str) -> None:
        algorithm = _ALGORITHMS.get(language)
        self._stemmer = Stemmer.Stemmer(algorithm, 0) if algorithm else None
        self._stop = STOP_WORDS.get(language, frozenset())
        self.known: dict[str, list[tuple[str, str]]] = {}

    def look_up(self, token: str, limit: int | None = None) -> list[tuple[str, str]]:
        """Return the content words of a casefolded token, each with its stem.

        ``limit`` only bounds the work on a run too long to be remembered.
        """
        found = self.known.get(token)
        if found is None:
            pairs = ((part, self.stem(part)) for part in self._parts(token))
            if len(token) > _MAX_WORD:
                return list(islice(pairs, limit))
            if len(self.known) >= _MAX_CACHED:
                self.known.clear()
            found = self.known[token] = list(pairs)
        return found

    def stem(self, word: str) -> str:
        """Return the stem of one folded word; never empty."""
        if self._stemmer is None or len(word) < 2 or _DIGIT.search(word):
            return word
        return _fold(self._stemmer.stemWord(word)) or word

    def _parts(self, token: str) -> Iterator[str]:
        """Cut a token at apostrophes and between scripts; function words are left out."""
        word = _fold(token)
        if not word or word in self._stop:
            return
        if "," in word or "." in word:
            yield word.replace(",", ".")[:_MAX_WORD]
        elif "'" in word:
            for piece in word.split("'"):
                if piece and piece not in self._stop and piece not in _DROPPED_PARTS:
                    yield piece[:_MAX_WORD]
        elif word.isascii() or not _NEEDS_BIGRAMS.search(word):
            bare = word.strip(_JOINERS) if word[0].isalnum() else _TONE.sub("", word)
            yield bare[:_MAX_WORD] or word[0]
        else:
            for match in _RUNS.finditer(word):
                for piece in _pieces(match):
                    if piece not in self._stop:
                        yield piece


def _pieces(run: re.Match[str]) -> Iterator[str]:
    """Yield what to search a run of one script by: bigrams, and the whole for Hangul."""
    text, script = run[0], run.lastgroup
    alone = len(text) == len(run.string)
    if script in (None, "hangul") or (len(text) == 1 and (alone or script != "hiragana")):
        yield text[:_MAX_WORD]
    if script and (script != "hangul" or len(text) > 2):
        for index in range(len(text) - 1):
            yield text[index : index + 2]


class _Thread(threading.local):
    """What each thread has for itself."""

    def __init__(self) -> None:
        self.languages: dict[str, _Words] = {}

    def words(self, language: str) -> _Words:
        """Return this thread's words of a language, opened at first use."""
        found = self.languages.get(language)
        if found is None:
            known = language in _ALGORITHMS or language in STOP_WORDS
            code = language if known else ""  # no stemmer, no function words: one for all these
            found = self.languages.setdefault(code, _Words(code))
        return found


_thread = _Thread()


def stems(text: str, *, language: str | None = None, limit: int | None = None) -> list[str]:
    """Return the stems of a text in order, duplicates kept, function words dropped.

    ``language`` is an ISO code, told from the text when not given; ``limit`` the most stems to
    return, which bounds the work as well.
    """
    if limit is not None and limit <= 0:
        return []
    tokens = _tokens(text)
    words = _thread.words(language or _language(text, tokens))
    known = words.known
    found: list[str] = []
    for token in tokens:
        pairs = known.get(token)
        for _, stem in words.look_up(token, limit) if pairs is None else pairs:
            found.append(stem)
        if limit is not None and len(found) >= limit:
            return found[:limit]
    return found


def query_stems(
    text: str, *, language: str | None = None, also: tuple[str, ...] = ("en",), limit: int = 40
) -> list[list[str]]:
    """Return, for each content word of a query, the stems it may have been stored under.

    These are the stem in the query's language, the word as it stands, and its stem in each
    language of ``also``, so that a short query in an unknown language still finds something. A
    word that is asked twice is returned once; at most ``limit`` words are.
    """
    if limit <= 0:
        return []
    tokens = _tokens(text)
    words = _thread.words(language or _language(text, tokens))
    others = [_thread.words(code) for code in also]
    asked: dict[str, list[str]] = {}
    for token in tokens:
        for word, stem in words.look_up(token, limit):
            if word not in asked:
                options = [stem, word, *(other.stem(word) for other in others)]
                asked[word] = list(dict.fromkeys(options))
        if len(asked) >= limit:
            break
    return list(asked.values())[:limit]
