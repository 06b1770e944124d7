"""Find any of many phrases in a text, in a time that hardly grows with their number. Pure.

utils/nlp/languages/en.toml documents the notation of a lexicon. Each phrase is indexed by its
rarest word. Only phrases whose word occurs in a text are tried, on a window of words at a time, so
that the time per word does not depend on the length of the text.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache

from utils.common.errors import LanguageFileError
from utils.nlp.normalization import fold

_SIGN = r"(?<!\d)[.:]|[.:](?!\d\d)|[!?;\n]"  # none within "1.80" and "16:40", but in "is 3.5"
_TOKEN = re.compile(rf"[^\W_]+|{_SIGN}")
_ASCII_TOKEN = re.compile(rf"[a-z0-9]+|{_SIGN}")
_SENTENCE_END = r"[.!?;:\n]"
_ANY_WORD = r"[^ .!?;:\n]+ "
_NOT_A_PERSON = (
    "(?!(?:i|we|he|she|they|to|ich|wir|er|je|j|nous|il|elle|yo|nosotros|eu|nos|я|мы|он|она) )"
)
_STEM_KEY_LENGTH = 4  # letters of a stem in the index; a stem that is a key has at least as many
_WORD_SEPARATOR = re.compile("[+'-]")
_BROKEN_ALTERNATIVES = re.compile(r"/\s+")  # a list of alternatives continues in the next line
_ENTRY_SEPARATOR = re.compile(r"(?:^|\s+)\|\s")
_SPECIAL = re.compile(r"[\\()\[\]?|^$.+*{]")
_FIRST_GROUP = re.compile(r"\(\?:([^()]+)\)(?![?*{])")
_ANY_LETTER = ""  # the key of patterns that can begin with anything
_WINDOW = 48  # words tried together; most texts are one window
_OVERLAP = 14  # no phrase is longer
_CACHE_SIZE = 4_000


def tokens_of(text: str) -> list[str]:
    """Return the words, and the signs that end sentences, of a folded and casefolded text."""
    return (_ASCII_TOKEN if text.isascii() else _TOKEN).findall(text)


class Lexicon:
    """Phrases by reason, in the order in which the reasons count.

    A reason's place in that order is its rank.
    """

    def __init__(
        self,
        tables: Mapping[str, Mapping[str, str]],
        classes: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        """``tables``: reason -> language -> lexicon; ``classes``: language -> name -> words.

        Raises LanguageFileError for a phrase that has no word to index it by, or an unknown class.
        """
        self.reasons = tuple(tables)
        folded_classes = {
            language: {name: _fold_words(words) for name, words in names.items()}
            for language, names in (classes or {}).items()
        }
        index: dict[str, dict[int, list[str]]] = {}
        for rank, table in enumerate(tables.values()):
            for language, lexicon in table.items():
                language_classes = folded_classes.get(language, {})
                for phrase in _phrases(lexicon):
                    try:
                        pattern, keys = _compile_phrase(phrase, language_classes)
                    except (KeyError, ValueError) as error:
                        raise LanguageFileError(
                            file=f"{language}.toml", problem=f"{error} in “{phrase}”"
                        ) from None
                    for key in keys:
                        word = _stem_key(key) if key.endswith("*") else key
                        index.setdefault(word, {}).setdefault(rank, []).append(pattern)
        # The patterns that share a word and a rank are one pattern.
        self._index = {
            word: tuple(
                (rank, f" (?:{'|'.join(dict.fromkeys(patterns))})")
                for rank, patterns in sorted(by_rank.items())
            )
            for word, by_rank in index.items()
        }
        self._keys = frozenset(index)

    def first_rank(self, tokens: Sequence[str], ranks: frozenset[int]) -> int | None:
        """Return the lowest of ``ranks`` that a text, cut by :func:`tokens_of`, has a phrase of."""
        lowest = len(self.reasons)
        for start in range(0, max(len(tokens) - _OVERLAP, 1), _WINDOW - _OVERLAP):
            window = tokens[start : start + _WINDOW] if len(tokens) > _WINDOW else tokens
            before = "." if start == 0 else "…"
            joined = f"{before} {' '.join(window)} . "
            for rank, pattern in self._entries_in(window):
                if rank < lowest and rank in ranks and _compiled(pattern).search(joined):
                    lowest = rank
        return lowest if lowest < len(self.reasons) else None

    def around_first(
        self, tokens: Sequence[str], ranks: frozenset[int]
    ) -> tuple[str, str, str] | None:
        """Return the words before a short text's first phrase, those of its gaps, and those after
        it; None if it has none."""
        window = tokens[:_WINDOW]
        joined = f". {' '.join(window)} . "
        hits = [
            hit
            for rank, pattern in self._entries_in(window)
            if rank in ranks and (hit := _compiled(pattern).search(joined)) is not None
        ]
        if not hits:
            return None
        first = min(hits, key=lambda hit: (hit.start(), -hit.end()))
        within = "".join(filter(None, first.groups()))
        return joined[: first.start()], within, joined[first.end() :]

    def _entries_in(self, window: Sequence[str]) -> Iterator[tuple[int, str]]:
        """Yield the rank and the pattern of the phrases that have a word of a window."""
        words = set(window)
        for key in self._keys & words.union(map(_stem_key, words)):
            yield from self._index[key]


def has_phrase(folded: str, phrases: Iterable[str], *, not_after: Iterable[str] = ()) -> bool:
    """Whether words between spaces hold a phrase without a word of ``not_after`` before it."""
    return any(
        f" {phrase} " in folded and not has_phrase(folded, [f"{no} {phrase}" for no in not_after])
        for phrase in phrases
    )


def in_usual_words(text: str, idioms: Mapping[str, str]) -> str:
    """Return a text with each idiom, a pattern of words, replaced by the usual words for it."""
    for idiom, usual in idioms.items():
        text = re.sub(rf"\b(?:{idiom})\b", usual, text, flags=re.IGNORECASE)
    return text


def any_of(phrases: Iterable[str]) -> str:
    """Return a pattern for any of these phrases, the longest first; without any, for nothing."""
    return "|".join(sorted(map(re.escape, phrases), key=len, reverse=True)) or r"(?!)"


class UnspacedWords:
    """Words and patterns for scripts without spaces, found anywhere in a folded text.

    Each is indexed by the letters it can begin with. One that can begin with anything is always
    tried.
    """

    def __init__(self, tables: Iterable[str]) -> None:
        """``tables``: one for each language, in the notation of en.toml."""
        self._by_letter: dict[str, list[re.Pattern[str]]] = {}
        entries = {
            entry.strip(): None for table in tables for entry in _ENTRY_SEPARATOR.split(table)
        }
        for entry in filter(None, entries):
            pattern = re.compile(
                entry if _SPECIAL.search(entry) else re.escape(fold(entry).casefold()),
                re.MULTILINE,
            )
            group = _FIRST_GROUP.match(pattern.pattern)
            options = group[1].split("|") if group else [pattern.pattern]
            letters = {option[:1] for option in options}
            if any(not letter or _SPECIAL.search(letter) for letter in letters):
                letters = {_ANY_LETTER}  # it is not obvious with which it can begin
            for letter in letters:
                self._by_letter.setdefault(letter, []).append(pattern)
        self._letters = frozenset(self._by_letter)

    def occur_in(self, text: str, letters: Set[str]) -> bool:
        """Whether a folded, casefolded text has one of them; ``letters`` are those of the text."""
        return any(
            pattern.search(text)
            for letter in self._letters & {*letters, _ANY_LETTER}
            for pattern in self._by_letter[letter]
        )


def _stem_key(word: str) -> str:
    """Return the key of the phrases with a stem that a word can have."""
    return f"{word[:_STEM_KEY_LENGTH]}*"


def _phrases(lexicon: str) -> Iterator[str]:
    for phrase in _BROKEN_ALTERNATIVES.sub("/", lexicon).split("|"):
        if phrase.strip():
            yield phrase.strip()


def _compile_phrase(phrase: str, classes: Mapping[str, list[str]]) -> tuple[str, list[str]]:
    """Return a phrase as a regular expression, and the words to index it by."""
    parts: list[str] = []
    candidates: list[list[str]] = []
    for position, element in enumerate(phrase.split()):
        if element in {"^", "$"}:
            parts.append(f"(?<={_SENTENCE_END} )" if element == "^" else f"(?={_SENTENCE_END})")
        elif element[0] == "!":
            words = _alternatives(element[1:], classes)
            if position:
                parts.append(f"(?!(?:{'|'.join(map(_word_pattern, words))}) )")
            else:
                parts.extend(f"(?<! {re.escape(word)} )" for word in words)
        elif element.startswith("^~"):
            gap = f"(?:{_NOT_A_PERSON}{_ANY_WORD}){{0,{int(element[2:])}}}"
            parts.append(f"(?<={_SENTENCE_END} ){gap}")
        elif element[0] == "-":
            parts.append(f"(?:{_NOT_A_PERSON}{_ANY_WORD}){{0,{int(element[1:])}}}")
        elif element[0] == "~":
            parts.append(f"((?:{_ANY_WORD}){{0,{int(element[1:] or 3)}}})")
        elif element[0] == "#":
            parts.append(_number_pattern(element[1:]))
        else:
            words = _alternatives(element.removesuffix("?"), classes)
            part = f"(?:{'|'.join(map(_word_pattern, words))}) "
            if "$" in words:
                part = f"(?:{part}|(?={_SENTENCE_END}))"
            if element.endswith("?"):
                part = f"(?:{part})?"
            elif "$" not in words:  # what can be missing is no key
                candidates.append([_longest_key(word) for word in words])
            parts.append(part)
    usable = [keys for keys in candidates if all(map(_is_key, keys))]
    if not usable:
        raise ValueError("no word to index a phrase by")
    return "".join(parts), max(usable, key=lambda keys: min(map(len, keys)))


def _alternatives(element: str, classes: Mapping[str, list[str]]) -> list[str]:
    words = []
    for word in element.split("/"):
        words += classes[word.strip("{}")] if word.startswith("{") else _fold_words(word)
    return list(dict.fromkeys(words))


def _fold_words(words: str) -> list[str]:
    """Return the words of a class or an alternative as a folded text spells them."""
    return [_WORD_SEPARATOR.sub(" ", fold(word).casefold()) for word in words.split()]


@lru_cache(_CACHE_SIZE)
def _word_pattern(word: str) -> str:
    if word.startswith("*"):
        return r"[^ ]*" + re.escape(word[1:])
    return re.escape(word[:-1]) + r"[^ ]*" if word.endswith("*") else re.escape(word)


def _number_pattern(kind: str) -> str:
    if "-" in kind:
        low, high = map(int, kind.split("-"))
        return f"(?:{'|'.join(map(str, range(low, high + 1)))}) "
    if kind.startswith("<"):
        return f"(?:{'|'.join(map(str, range(int(kind[1:]) - 1, -1, -1)))}) "
    return rf"\d{{{int(kind or 1)},}} "


def _longest_key(word: str) -> str:
    """Return the longest part of an alternative that can be a key of the index."""
    parts = word.split()
    return max(filter(_is_key, parts), key=len, default=parts[0])


def _is_key(word: str) -> bool:
    return not word.startswith("*") and (not word.endswith("*") or len(word) > _STEM_KEY_LENGTH)


@lru_cache(_CACHE_SIZE)
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern when it is first needed: a thousand would delay the first message."""
    return re.compile(pattern)
