"""Find people's names in a message, as whole words. Pure.

Only exact names count, in any case, with their accents, and their German genitive with a capital
("Annas"). Nothing is guessed.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from utils.nlp.languages import languages, shared_tables

MIN_NAME_LENGTH = 2  # characters
MAX_WORDS = 4  # of a name
MAX_PEOPLE = 10_000
MAX_READ = 4_000  # characters of a message
_WORD = re.compile(r"\w+")
_UNSPACED = re.compile("[\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]{2,}")
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc-\u30ff]")
_HANGUL = re.compile("[\uac00-\ud7a3]")
_SENTENCE_START = re.compile(r"(?:\A|[.!?…:\n]|[-*>])[\s\"'“„«(¡¿*_~`>#-]*\Z")


_WORDS = [language.words for language in languages().values()]
_TITLES = frozenset(word for words in _WORDS for word in words.titles)
COMMON = frozenset(word for words in _WORDS for word in words.ordinary_names | words.stop_words)
"""Words that are names only where they are written as names."""


@dataclass(eq=False, repr=False)
class NameIndex:
    """Names -> people. Of more than ``max_people``, the one added longest ago is removed."""

    _max_people: int = MAX_PEOPLE
    _names: dict[int, tuple[str, ...]] = field(default_factory=dict, init=False)
    _user_ids: dict[str, dict[int, None]] = field(default_factory=dict, init=False)
    _lengths: dict[str, Counter[int]] = field(default_factory=dict, init=False)

    def __len__(self) -> int:
        return len(self._names)

    def names_of(self, user_id: int) -> tuple[str, ...]:
        """Return the names of a person; empty if unknown."""
        return self._names.get(user_id, ())

    def has(self, name: str) -> bool:
        """Whether a person has this name, as :func:`whole_name` spells it."""
        return name in self._user_ids

    def add(self, user_id: int, names: tuple[str, ...]) -> None:
        """Set the names of a person."""
        if self._names.get(user_id) == names:
            return
        self.remove(user_id)
        self._names[user_id] = names
        for key in _keys(names):
            self._user_ids.setdefault(key, {})[user_id] = None
            start, length = _start(key)
            self._lengths.setdefault(start, Counter())[length] += 1
        if len(self._names) > self._max_people:
            self.remove(next(iter(self._names)))

    def remove(self, user_id: int) -> None:
        """Remove a person and their names."""
        for key in _keys(self._names.pop(user_id, ())):
            del self._user_ids[key][user_id]
            start, length = _start(key)
            self._lengths[start] -= Counter((length,))
            if not self._lengths[start]:
                del self._lengths[start]
            if not self._user_ids[key]:
                del self._user_ids[key]

    def find(self, text: str) -> dict[str, tuple[int, ...]]:
        """Return the names in a message, each with the ids of all people with that name.

        Of overlapping names, it is the longest. A name that is an ordinary word ("will", "joy")
        counts only with a capital inside a sentence, or right after an @.
        """
        text = _normalised(text)
        matches = list(_WORD.finditer(text))
        words = [self._without_genitive(match[0]) for match in matches]
        keys = [*self._names_in(words, " ", words, partial(_is_used_as_name, matches))]
        for run in _UNSPACED.findall(text):
            starts = [run[position : position + 2] for position in range(len(run) - 1)]
            keys += self._names_in(run, "", starts, partial(_is_whole_word, run))
        return {key: tuple(self._user_ids[key]) for key in keys}

    def _without_genitive(self, word: str) -> str:
        """Return a casefolded word, or the name whose German genitive it is: "Dieters Hund".

        "Lucas" is a name of its own beside "Luca".
        """
        folded = word.casefold()
        name = folded.removesuffix("s")
        if (
            word.istitle()
            and name in self._lengths
            and folded not in self._lengths
            and folded not in shared_tables().names.given
            and name[-1] not in "sxzß"
            and name not in COMMON
        ):
            return name
        return folded

    def _names_in(
        self,
        units: Sequence[str],
        separator: str,
        starts: Sequence[str],
        is_name: Callable[[int, int], bool],
    ) -> Iterator[str]:
        """Yield the names in a text of words, or of characters in scripts without spaces.

        ``starts`` are the keys of their positions in the index of lengths. ``is_name`` says whether
        the units from one position to before another stand for a name.
        """
        position = 0
        while position < len(starts):
            longest = max(self._lengths.get(starts[position], (0,)))
            for end in range(min(position + longest, len(units)), position, -1):
                key = separator.join(units[position:end])
                if key in self._user_ids and is_name(position, end):
                    yield key
                    position = end
                    break
            else:
                position += 1


def _keys(names: Iterable[str]) -> set[str]:
    """Return the spellings that identify a person: names, and the first word of a longer name."""
    keys = set()
    for name in names:
        words = whole_name(name).split()
        if 1 <= len(words) <= MAX_WORDS:
            keys.add(" ".join(words))
        if len(words) > 1 and words[0] not in _TITLES:
            keys.add(words[0])
    return {key for key in keys if len(key) >= MIN_NAME_LENGTH and not key.isdecimal()}


def _normalised(text: str) -> str:
    return unicodedata.normalize("NFKC", text[:MAX_READ])[:MAX_READ]


def folded_text(text: str) -> str:
    """Return a message in which a name may stand as :func:`whole_name` spells it."""
    return " ".join(_WORD.findall(_normalised(text).casefold()))


def whole_name(name: str) -> str:
    """Return the words of a name, as a message's words are compared with them."""
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", name).casefold()))


def _start(key: str) -> tuple[str, int]:
    """Return the key of a spelling in the index of lengths, and its length."""
    if _UNSPACED.fullmatch(key):
        return key[:2], len(key)
    return key.partition(" ")[0], key.count(" ") + 1


def _is_used_as_name(matches: Sequence[re.Match[str]], start: int, end: int) -> bool:
    """Whether words of a message are a name there, not an ordinary word."""
    match = matches[start]
    if end - start > 1 or match[0].casefold() not in COMMON:
        return True
    before = match.string[max(0, match.start() - 20) : match.start()]
    if before.endswith("@"):
        return True
    return match[0][0].isupper() and _SENTENCE_START.search(before) is None


def _is_whole_word(run: str, start: int, end: int) -> bool:
    """Whether a name is no part of a longer word: katakana run together, Hangul begins a word."""
    before, after = run[start - 1 : start] if start else "", run[end : end + 1]
    if _HANGUL.match(run[start]):
        return not _HANGUL.match(before)
    return not (
        (_KATAKANA.match(run[start]) and _KATAKANA.match(before))
        or (_KATAKANA.match(run[end - 1]) and _KATAKANA.match(after))
    )
