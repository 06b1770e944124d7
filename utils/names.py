"""People by the names they go by, found in a message as whole words. Pure.

Exact names only, whatever their case, with their accents; never guesses. Knows nothing of Discord.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from utils.memory.stop_words import STOP_WORDS

SHORTEST_NAME = 2  # characters
MOST_WORDS = 4  # of a name
MOST_PEOPLE = 10_000
MOST_READ = 4_000  # characters of a message
_WORD = re.compile(r"\w+")
_UNSPACED = re.compile("[\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]{2,}")
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc-\u30ff]")
_HANGUL = re.compile("[\uac00-\ud7a3]")
_SENTENCE_START = re.compile(r"(?:\A|[.!?…:\n]|[-*>])[\s\"'“„«(¡¿*_~`>#-]*\Z")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TITLES = _words(
    "the a an der die das ein le la les un une el los il lo o os mr mrs ms dr sir lord lady king "
    "queen captain big little old young dj mc not just im its super mega our my your one two"
)
_ORDINARY = _words(
    "ace amber angel apple april art ash august autumn baby bear bill blue bot bud candy cat "
    "chance charity chase chip christian cliff coffee cookie coral crystal daisy dawn destiny "
    "diamond dog don dot drew dusk earl echo eve faith fan fern flora forest fox frank friend "
    "game gamer ghost ginger gold grace grant guest guy harmony heath heaven herb honey hope "
    "hunter jack job joker journey joy june king kith kitty lance lily love lucky mark may max "
    "melody mercy mike miles mod moon nick night noble nova olive opal otter pal pat patience "
    "pearl penny pepper pizza poppy prince queen rain ray red rich river rob rocky rod rose "
    "ruby rusty sage scarlet shadow shy skip sky spring star sterling stone storm sue summer "
    "sun sunny sunshine teddy tiger trinity user victor violet wade walker warren wave will "
    "willow winter wolf woody "
    "blume engel ernst klein licht mond reich stern weiß "
    "amour ange fleur marine mer pierre reine soleil "
    "alba alma amor ángel cielo consuelo estrella luz mar mercedes paz pilar rosa sol "
    "любовь вера надежда слава роман лев"
)
COMMON = _ORDINARY.union(*STOP_WORDS.values())
"""Words that are names only where they are written as names."""


@dataclass(frozen=True, slots=True)
class Named:
    """One name in a message, and the ids of all who bear it."""

    name: str
    bearers: tuple[int, ...]


class NameIndex:
    """Who bears which name, among at most so many people; who was met longest ago goes first."""

    def __init__(self, most_people: int = MOST_PEOPLE) -> None:
        self._most_people = most_people
        self._names: dict[int, tuple[str, ...]] = {}
        self._bearers: dict[str, dict[int, None]] = {}
        # First word (or two signs) of a spelling -> how many words (or signs) spellings have.
        self._lengths: dict[str, Counter[int]] = {}

    def __len__(self) -> int:
        return len(self._names)

    def names_of(self, user_id: int) -> tuple[str, ...]:
        """Return the names that somebody was met with last; none if they never were."""
        return self._names.get(user_id, ())

    def add(self, user_id: int, names: tuple[str, ...]) -> None:
        """Note the names somebody goes by now, instead of those they went by before."""
        if self._names.get(user_id) == names:
            return
        self.remove(user_id)
        self._names[user_id] = names
        for key in _keys(names):
            self._bearers.setdefault(key, {})[user_id] = None
            start, length = _start(key)
            self._lengths.setdefault(start, Counter())[length] += 1
        if len(self._names) > self._most_people:
            self.remove(next(iter(self._names)))

    def remove(self, user_id: int) -> None:
        """Let go of somebody's names."""
        for key in _keys(self._names.pop(user_id, ())):
            del self._bearers[key][user_id]
            start, length = _start(key)
            self._lengths[start] -= Counter((length,))
            if not self._lengths[start]:
                del self._lengths[start]
            if not self._bearers[key]:
                del self._bearers[key]

    def _longest(self, start: str) -> int:
        return max(self._lengths.get(start, (0,)))

    def find(self, text: str) -> list[Named]:
        """Return the names in a message, each once, longest first where they overlap.

        A name that is an ordinary word ("will", "joy") counts only with a capital where no
        sentence begins, or right after an @.
        """
        text = unicodedata.normalize("NFKC", text[:MOST_READ])[:MOST_READ]
        found: dict[str, Named] = {}
        for key in (*self._spaced(text), *self._unspaced(text)):
            found.setdefault(key, Named(key, tuple(self._bearers[key])))
        return list(found.values())

    def _spaced(self, text: str) -> Iterator[str]:
        """Find names of whole words."""
        matches = list(_WORD.finditer(text))
        words = [match[0].casefold() for match in matches]
        place = 0
        while place < len(words):
            longest = self._longest(words[place])
            for length in range(min(longest, len(words) - place), 0, -1):
                key = " ".join(words[place : place + length])
                if key in self._bearers and (length > 1 or _is_meant(matches[place], key)):
                    yield key
                    place += length
                    break
            else:
                place += 1

    def _unspaced(self, text: str) -> Iterator[str]:
        """Find names inside of words, in scripts that write no spaces."""
        for match in _UNSPACED.finditer(text):
            run = match[0]
            place = 0
            while place < len(run) - 1:
                longest = self._longest(run[place : place + 2])
                for length in range(min(longest, len(run) - place), 1, -1):
                    key = run[place : place + length]
                    if key in self._bearers and _stands_alone(run, place, place + length):
                        yield key
                        place += length
                        break
                else:
                    place += 1


def _keys(names: Iterable[str]) -> set[str]:
    """Return the spellings that somebody is found by: names, and the first words of long ones."""
    keys = set()
    for name in names:
        words = _WORD.findall(unicodedata.normalize("NFKC", name).casefold())
        if 1 <= len(words) <= MOST_WORDS:
            keys.add(" ".join(words))
        if len(words) > 1 and words[0] not in _TITLES:
            keys.add(words[0])
    return {key for key in keys if len(key) >= SHORTEST_NAME and not key.isdecimal()}


def _start(key: str) -> tuple[str, int]:
    """Return what to find a spelling by, and how many words or signs it has."""
    if _UNSPACED.fullmatch(key):
        return key[:2], len(key)
    return key.partition(" ")[0], key.count(" ") + 1


def _is_meant(match: re.Match[str], word: str) -> bool:
    """Whether a word of a message is a name there, and not an ordinary word."""
    if word not in COMMON:
        return True
    before = match.string[max(0, match.start() - 20) : match.start()]
    if before.endswith("@"):
        return True
    return match[0][0].isupper() and _SENTENCE_START.search(before) is None


def _stands_alone(run: str, start: int, end: int) -> bool:
    """Whether a name is not a part of a longer word: katakana stand together, Hangul begin one."""
    before, after = run[start - 1 : start] if start else "", run[end : end + 1]
    if _HANGUL.match(run[start]):
        return not _HANGUL.match(before)
    return not (
        (_KATAKANA.match(run[start]) and _KATAKANA.match(before))
        or (_KATAKANA.match(run[end - 1]) and _KATAKANA.match(after))
    )
