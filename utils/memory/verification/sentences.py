"""The sentences of a message: which one holds a quote, and which words are its author's own. Pure.

What is not its author's are quotations, pasted lines, code and songs. They are found by how a text
is written, not by what it means: quotation marks, Discord's block quotes and code, lines of a
pasted log, the names of people in sight. Everything else is for the verifier.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from utils.common.text import UNSPACED, clip, one_line
from utils.common.visible_text import own_words_of
from utils.models.memory import MEMORY_LIMIT
from utils.nlp.dates.vocabulary import MONTHS
from utils.nlp.languages import languages
from utils.nlp.person_and_negation import has_first_person
from utils.nlp.quoted_lines import without_quoted_lines
from utils.nlp.stemming import language_of

_END = re.compile(r"(?<=[.!?…؟])[\"'”’)\]]*\s+|[。！？]+|\n+")
_ABBREVIATION = re.compile(
    r"(?:^|\s)(?:[^\W\d_]|(?P<number>\d{1,2})|st|dr|mr|mrs|ms|vs|etc|bzw|ca|nr)\.$", re.I
)
MAX_ABBREVIATION = 6  # longer than any, so that all of it and the space before are looked at
BESIDE_NUMBER = 80  # characters before and after one, which tell the language
_LETTERS = re.compile(r"[^\W\d_]*")
# The group is a word of its author: "I use `vim`".
CODE = re.compile(r"```.*?(?:```|\Z)|(`[^`\s]+`)|`[^`\n]*`", re.DOTALL)
_ATTACHED = re.compile(
    r"\[(?:(?:attachment|embed|sticker|image|file|gif|video|forwarded)\b|"
    r"(?:document|audio|link|tool) attached)[^\]\n]*\]?",
    re.IGNORECASE,
)
_SUNG = re.compile("[🎵🎶♪♫][^\n]*")
_QUOTATION = re.compile(
    r"[\"“„«]([^\"”“»\n]{1,400})[\"”“»]|[「『]([^」』\n]{1,400})[」』]"
    r"|(?<![^\W_])['‘]([^'’\n]{1,400}(?:['’](?=\w)[^'’\n]{1,400})*)['’](?![^\W_])"
)
_LABELLED_LINE = re.compile(
    r"^\s*(?:[(<]?\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?[)>]?\s*[^\s:][^:\n]{0,40}:"
    r"|<?@?\*{0,2}([^\s:<>@*][^:\n<>]{0,40}?)\*{0,2}"
    r"(?:\s?[(\[][^()\[\]\n]{0,20}\d:\d\d[^()\[\]\n]{0,6}[)\]])?[:>]\*{0,2})\s+\S",
    re.IGNORECASE,
)
_ASCII_WORD = re.compile("[a-z0-9]+")
_MEME = re.compile(r"^\W*(?:literally |absolutely )?(?:nobody|no one|noone):", re.IGNORECASE)
MIN_QUOTATION_WORDS = 4
TIDIED_SHARE = 3 / 4
RUN, WIDTH = 3, 3 / 2
MIN_UNSPACED_CHARACTERS = 6
_UNSPACED_QUOTED = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Passage:
    """The sentence of a message that holds a quote, and the sentences next to it."""

    sentence: str
    before: str = ""
    after: str = ""


def normalised(text: str) -> str:
    """Return the text without case, punctuation and runs of space, for comparing quotes."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    if folded.isascii():
        return " ".join(_ASCII_WORD.findall(folded))
    return " ".join("".join(c if _is_word(c) else " " for c in folded).split())


def named_in(text: str, names: Iterable[str]) -> set[str]:
    """Return those names, normalised, that a text has as whole words; not one of a letter."""
    long_names = {name for name in map(normalised, names) if len(name) > 1}
    plain = f" {normalised(text)} " if long_names else ""
    return {name for name in long_names if f" {name} " in plain}


def holds(text: str, quote: str) -> bool:
    """Whether whole words of a text, both normalised, are the quote."""
    start = text.find(quote)
    while start >= 0:
        if _is_border(text, start) and _is_border(text, start + len(quote)):
            return True
        start = text.find(quote, start + 1)
    return False


def split(text: str) -> list[str]:
    """Return the sentences of a text, each on one line."""
    sentences: list[str] = []
    start = 0
    for end in _END.finditer(text):
        last_word = text[max(start, end.start() - MAX_ABBREVIATION) : end.start()]
        abbreviation = "\n" not in end[0] and _ABBREVIATION.search(last_word)
        if abbreviation and (not abbreviation["number"] or _is_ordinal(text, start, end)):
            continue
        sentences.append(one_line(text[start : end.end()]))
        start = end.end()
    sentences.append(one_line(text[start:]))
    return [sentence for sentence in sentences if sentence]


def _is_ordinal(text: str, start: int, end: re.Match[str]) -> bool:
    """Whether the number that ends here numbers a line or what follows, as in "5. May"."""
    first = max(start, end.start() - BESIDE_NUMBER)
    code = language_of(text[first : end.end() + BESIDE_NUMBER])
    words = languages().get(code, languages()["en"])
    before = text[first : end.start()].casefold().split()[-2:-1]
    following = _LETTERS.match(text, end.end())
    return words.answers.determiners.union(words.dates.ordinal_before).issuperset(before) or (
        following is not None and following[0].casefold() in MONTHS
    )


def passage(text: str, quote: str) -> Passage:
    """Return the sentence of a text that holds a quote, with its neighbours.

    A quote over several sentences gives all of them. The sentence has at most 500 UTF-16 units
    around the quote. Without a match the whole text counts as one sentence.
    """
    normalised_quote = normalised(quote)
    sentences = split(text)
    for length in range(1, len(sentences) + 1):
        for first in range(len(sentences) - length + 1):
            joined = " ".join(sentences[first : first + length])
            if holds(normalised(joined), normalised_quote):
                return Passage(
                    _around(joined, _place_of(quote, joined)),
                    sentences[first - 1] if first else "",
                    sentences[first + length] if first + length < len(sentences) else "",
                )
        if length == 4:
            break
    line = one_line(text)
    return Passage(_around(line, _place_of(quote, line)))


def tidied_passage(text: str, quote: str) -> Passage | None:
    """Return the sentence of a text that a quote is a tidied form of, with its neighbours.

    A tidied quote has other spelling, short words and punctuation ("I'm" for "im", "and" for "&").
    At least three quarters of its letters and digits stand in runs of three that also occur in one
    stretch of the sentence, at most one and a half times as long as the quote. The sentence with
    most of them is returned, None if there is none. It takes time linear in the text.
    """
    quote_letters, _ = _letters(quote)
    runs = [quote_letters[at : at + RUN] for at in range(len(quote_letters) - RUN + 1)]
    step = max(1, len(quote_letters) // 2)
    sentences = split(text)
    best, best_index, best_at = 0.0, 0, 0
    for index, sentence in enumerate(sentences):
        letters, places = _letters(sentence)
        if len(letters) < len(quote_letters) * TIDIED_SHARE:
            continue
        for start in range(0, max(1, len(letters) - step), step):
            share = _share_of_runs(runs, letters[start : start + int(len(quote_letters) * WIDTH)])
            if share > best:
                best, best_index, best_at = share, index, places[start]
    if best < TIDIED_SHARE:
        return None
    return Passage(
        _around(sentences[best_index], best_at),
        sentences[best_index - 1] if best_index else "",
        sentences[best_index + 1] if best_index + 1 < len(sentences) else "",
    )


def _share_of_runs(runs: Sequence[str], letters: str) -> float:
    """Return which part of the letters of a quote is in runs that some letters have too."""
    letter_runs = {letters[at : at + RUN] for at in range(len(letters) - RUN + 1)}
    shared = end = 0
    for at, run in enumerate(runs):
        if run in letter_runs:
            shared += at + RUN - max(at, end)
            end = at + RUN
    return shared / (len(runs) + RUN - 1)


def _letters(text: str) -> tuple[str, list[int]]:
    """Return the letters and digits of a text without case, and where in it each stands."""
    letters = [
        (letter, place)
        for place, character in enumerate(text)
        for letter in unicodedata.normalize("NFKD", character).casefold()
        if _is_word(letter)
    ]
    return "".join(letter for letter, _ in letters), [place for _, place in letters]


def _place_of(quote: str, sentence: str) -> int:
    """Return where a quote begins in a sentence if it occurs literally, else 0."""
    return max(0, sentence.casefold().find(one_line(quote).casefold()[:100]))


def _around(sentence: str, at: int) -> str:
    """Return at most 500 units of a sentence, with the place ``at`` in them."""
    start = max(0, min(at - MEMORY_LIMIT // 4, len(sentence) - MEMORY_LIMIT))
    start = sentence.find(" ", start) + 1 if start else 0
    return clip(sentence[start:], MEMORY_LIMIT, at_word=True)


def _is_border(text: str, index: int) -> bool:
    around = text[max(0, index - 1) : index + 1]
    return len(around) < 2 or " " in around or UNSPACED.search(around) is not None


def _is_word(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character).startswith("M")


def own_words(text: str, others: Iterable[str] = ()) -> str:
    """Return a message without what it only cites: quotations, code, pasted lines, songs.

    ``others`` are the names of other people in sight, whose lines may have been pasted.
    """
    return _without_cited(text, others, lambda quotation: " ")


def with_titles(text: str, others: Iterable[str] = ()) -> str:
    """Return own_words, but with longer quotations that do not speak as "I", in their marks.

    They may be titles: 'I finished "The Name of the Wind"'.
    """
    return _without_cited(text, others, lambda quotation: quotation)


def long_quotations(text: str) -> list[str]:
    """Return what with_titles keeps and own_words does not."""
    quotations: list[str] = []

    def keep(quotation: str) -> str:
        quotations.append(quotation)
        return quotation

    _without_cited(text, (), keep)
    return quotations


def _without_cited(text: str, others: Iterable[str], long_quotation: Callable[[str], str]) -> str:
    """Return a message without what it cites; ``long_quotation`` says what stays of a long one."""
    if _MEME.search(text):
        return ""

    def replacement(match: re.Match[str]) -> str:
        quoted = next(group for group in match.groups() if group is not None)
        if has_first_person(quoted):
            return " "
        # What is shorter than a sentence is a title or a nickname.
        is_unspaced = _UNSPACED_QUOTED.search(quoted) and len(quoted) >= MIN_UNSPACED_CHARACTERS
        is_long = is_unspaced or len(quoted.split()) >= MIN_QUOTATION_WORDS
        return long_quotation(match[0]) if is_long else f" {quoted} "

    text = CODE.sub(r"\1", without_quoted_lines(own_words_of(text)))
    text = _SUNG.sub(" ", _ATTACHED.sub(" ", text))
    text = _QUOTATION.sub(replacement, text)
    names = {name.casefold() for name in others}
    return "\n".join(line for line in text.split("\n") if not _is_pasted(line, names))


def _is_pasted(line: str, names: set[str]) -> bool:
    """Whether a line begins with another person's name, or a time and what may be a name."""
    labelled = _LABELLED_LINE.match(line)
    return labelled is not None and (labelled[1] is None or labelled[1].strip().casefold() in names)
