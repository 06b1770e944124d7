"""Many phrases looked for at once in one text, in a time that hardly grows with their number. Pure.

A lexicon is written in a small notation, one language to a string, phrases apart by ``|``:

====================  ========================================================================
``word``              that word, folded (lower case, no accents; an apostrophe parts words)
``stem*`` ``*end``    any word that begins, or ends, so
``one/other+word``    one of these; ``+`` stands for the space inside
``word?``             may be missing
``~`` ``~5``          up to three words, or five, of the same sentence
``#`` ``#3``          a number; one of at least three digits
``#<18`` ``#10-17``   a number below 18; one of 10 to 17
``{name}``            one of a class of words (CLASSES)
``-4`` ``^~2``        as above, none of them a person; the same from where the sentence begins
``^`` ``$``           the sentence begins, or ends, here
``one/$``             one of these, or the end of the sentence
``!one/other``        not one of these: before the phrase if it begins with it, else next
====================  ========================================================================

Each phrase is filed under its rarest word; only those whose word occurs in a text are tried, on a
few dozen words at a time, so that a hostile text costs no more for its length than an ordinary one.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache

from utils.memory.folding import fold

_TOKEN = re.compile(r"[^\W_]+|[.!?;:\n]")
_ASCII_TOKEN = re.compile(r"[a-z0-9]+|[.!?;:\n]")
_END = r"[.!?;:\n]"
_ANY = r"[^ .!?;:\n]+ "
_NOBODY = "(?!(?:i|we|he|she|they|to|ich|wir|er|je|j|nous|il|elle|yo|nosotros|eu|nos|я|мы|он|она) )"
_STEM_KEY = 4  # letters of a stem that it is filed under; a key stem has at least as many
_APART = re.compile("[+'-]")
_BROKEN = re.compile(r"/\s+")  # a long list of alternatives goes on in the next line
_JOINED = re.compile(r"\n\s+(?![\s|])")  # a line that does not begin with a bar goes on
_SPECIAL = re.compile(r"[\\()\[\]?|^$.+*{]")
_FIRST_GROUP = re.compile(r"\(\?:([^()]+)\)(?![?*{])")
_WINDOW = 48  # words looked at together; most texts are one window
_OVERLAP = 14  # no phrase is longer
_CACHED = 4_000


def tokens_of(text: str) -> list[str]:
    """Cut a folded, casefolded text into words and the signs that end sentences."""
    return (_ASCII_TOKEN if text.isascii() else _TOKEN).findall(text)


class Lexicon:
    """Phrases under their reasons, in the order in which the reasons count."""

    def __init__(self, tables: Mapping[str, Mapping[str, str]], classes: Mapping[str, str]) -> None:
        self.reasons = tuple(tables)
        self._classes = {name: _fold_words(words) for name, words in classes.items()}
        exact: dict[str, dict[int, list[str]]] = {}
        stems: dict[str, dict[int, list[str]]] = {}
        for rank, table in enumerate(tables.values()):
            for phrase in _phrases(table.values()):
                pattern, keys = self._read(phrase)
                for key in keys:
                    index, word = (stems, key[:_STEM_KEY]) if key.endswith("*") else (exact, key)
                    index.setdefault(word, {}).setdefault(rank, []).append(pattern)
        self._exact = _filed(exact)
        self._stems = _filed(stems)
        self._exact_words = frozenset(exact)
        self._stem_words = frozenset(stems)

    def first(self, tokens: Sequence[str], ranks: frozenset[int]) -> int | None:
        """Return the first of the ranks that a text, cut by :func:`tokens_of`, has a phrase of."""
        found = len(self.reasons)
        for start in range(0, max(len(tokens) - _OVERLAP, 1), _WINDOW - _OVERLAP):
            window = tokens[start : start + _WINDOW] if len(tokens) > _WINDOW else tokens
            found = self._first(window, "." if start == 0 else "…", ranks, found)
        return found if found < len(self.reasons) else None

    def prepare(self) -> None:
        """Compile every pattern now (a second or so), rather than each when it is first needed."""
        for pattern in self.patterns():
            _compiled(pattern)

    def words(self) -> Set[str]:
        """Return the words, and beginnings of words, that phrases are filed under."""
        return self._exact_words | self._stem_words

    def patterns(self) -> Iterator[str]:
        """Yield every regular expression the phrases were made into."""
        for index in (self._exact, self._stems):
            for filed in index.values():
                for _, pattern in filed:
                    yield pattern

    def _first(self, tokens: Sequence[str], before: str, ranks: frozenset[int], found: int) -> int:
        words = set(tokens)
        hits = [self._exact[word] for word in self._exact_words & words]
        beginnings = {word[:_STEM_KEY] for word in words}
        hits += [self._stems[word] for word in self._stem_words & beginnings]
        if not hits:
            return found
        joined = f"{before} {' '.join(tokens)} . "
        for filed in hits:
            for rank, pattern in filed:
                if rank < found and rank in ranks and _compiled(pattern).search(joined):
                    found = rank
        return found

    def _read(self, phrase: str) -> tuple[str, list[str]]:
        """Return a phrase as a regular expression, and the words it is filed under."""
        parts: list[str] = []
        candidates: list[list[str]] = []
        for place, element in enumerate(phrase.split()):
            if element in {"^", "$"}:
                parts.append(f"(?<={_END} )" if element == "^" else f"(?={_END})")
            elif element[0] == "!":
                words = self._words(element[1:])
                if place:
                    parts.append(f"(?!(?:{'|'.join(map(_as_pattern, words))}) )")
                else:
                    parts.extend(f"(?<! {re.escape(word)} )" for word in words)
            elif element.startswith("^~"):
                parts.append(f"(?<={_END} )(?:{_NOBODY}{_ANY}){{0,{int(element[2:])}}}")
            elif element[0] == "-":
                parts.append(f"(?:{_NOBODY}{_ANY}){{0,{int(element[1:])}}}")
            elif element[0] == "~":
                parts.append(f"(?:{_ANY}){{0,{int(element[1:] or 3)}}}")
            elif element[0] == "#":
                parts.append(_number(element[1:]))
            else:
                words = self._words(element.removesuffix("?"))
                part = f"(?:{'|'.join(map(_as_pattern, words))}) "
                if "$" in words:
                    part = f"(?:{part}|(?={_END}))"
                if element.endswith("?"):
                    part = f"(?:{part})?"
                else:
                    candidates.append([_key(word) for word in words if word != "$"])
                    candidates[-1] *= "$" not in words  # what may be missing is no key
                parts.append(part)
        usable = [keys for keys in candidates if keys and all(map(_is_key, keys))]
        if not usable:
            raise ValueError(f"no word to file this phrase under: {phrase}")
        return "".join(parts), max(usable, key=lambda keys: min(map(len, keys)))

    def _words(self, element: str) -> list[str]:
        found = []
        for word in element.split("/"):
            if word.startswith("{"):
                found += self._classes[word.strip("{}")]
            else:
                found += _fold_words(word)
        return list(dict.fromkeys(found))


class UnspacedWords:
    """Words and patterns for scripts without spaces, looked for anywhere in a folded text.

    Each is filed under the letters it can begin with; what may begin with anything is always tried.
    """

    def __init__(self, table: str) -> None:
        self._filed: dict[str, list[re.Pattern[str]]] = {}
        self._always: list[re.Pattern[str]] = []
        for entry in filter(None, map(str.strip, _JOINED.sub("", table).split(" | "))):
            pattern = re.compile(
                entry if _SPECIAL.search(entry) else re.escape(fold(entry).casefold()),
                re.MULTILINE,
            )
            first = _first_letters(pattern.pattern)
            for letter in first:
                self._filed.setdefault(letter, []).append(pattern)
            if not first:
                self._always.append(pattern)
        self._letters = frozenset(self._filed)

    def occur_in(self, text: str, letters: Set[str]) -> bool:
        """Whether a folded, casefolded text, made of these letters, has one of them."""
        return any(
            pattern.search(text)
            for letter in self._letters & letters
            for pattern in self._filed[letter]
        ) or any(pattern.search(text) for pattern in self._always)


def _first_letters(pattern: str) -> set[str]:
    """Return the letters a pattern can begin with; none when that is not plain to see."""
    group = _FIRST_GROUP.match(pattern)
    firsts = {option[:1] for option in group[1].split("|")} if group else {pattern[0]}
    return set() if any(not first or _SPECIAL.search(first) for first in firsts) else firsts


def _phrases(tables: Iterable[str]) -> Iterator[str]:
    for table in tables:
        for phrase in _BROKEN.sub("/", table).split("|"):
            if phrase.strip():
                yield phrase.strip()


def _fold_words(words: str) -> list[str]:
    """Return the words of a class or an alternative as a folded text spells them."""
    return [_APART.sub(" ", fold(word).casefold()) for word in words.split()]


@lru_cache(_CACHED)
def _as_pattern(word: str) -> str:
    if word.startswith("*"):
        return r"[^ ]*" + re.escape(word[1:])
    return re.escape(word[:-1]) + r"[^ ]*" if word.endswith("*") else re.escape(word)


def _number(kind: str) -> str:
    if "-" in kind:
        low, high = map(int, kind.split("-"))
        return f"(?:{'|'.join(str(n) for n in range(low, high + 1))}) "
    if kind.startswith("<"):
        most = int(kind[1:]) - 1
        return f"(?:{'|'.join(str(n) for n in range(most, -1, -1))}) "
    return rf"\d{{{int(kind or 1)},}} "


def _key(word: str) -> str:
    """Return the longest part of an alternative that a phrase can be filed under."""
    parts = word.split()
    return max(filter(_is_key, parts), key=len, default=parts[0])


def _is_key(word: str) -> bool:
    return not word.startswith("*") and (not word.endswith("*") or len(word) > _STEM_KEY)


def _filed(index: dict[str, dict[int, list[str]]]) -> dict[str, tuple[tuple[int, str], ...]]:
    """Join the patterns that share a word and a reason."""
    return {
        word: tuple(
            (rank, f" (?:{'|'.join(dict.fromkeys(patterns))})")
            for rank, patterns in sorted(by_rank.items())
        )
        for word, by_rank in index.items()
    }


@lru_cache(_CACHED)
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile when first needed: a bot that starts should not wait for a thousand patterns."""
    return re.compile(pattern)
