"""What is in a message but not its author's: quotations, pasted lines, code, songs. Pure.

It looks at how a text is written, not at what it means: quotation marks, Discord's block quotes and
code, lines of a pasted log, the names of people in sight. Everything else is for the verifier.
"""

import re
from collections.abc import Callable, Iterable

from utils.nlp.person_and_negation import has_first_person

QUOTED_LINE = re.compile(r"^\s*>+.*$", re.MULTILINE)
CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
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
_TIMED_LINE = re.compile(
    r"^\s*[\[(<]?\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?[\])>]?\s*[^\s:][^:\n]{0,40}:\s+\S",
    re.IGNORECASE,
)
_LABELLED_LINE = re.compile(r"^\s*<?@?([^\s:<>@][^:\n<>]{0,40}?)[:>]\s+\S")
_MEME = re.compile(r"^\W*(?:literally |absolutely )?(?:nobody|no one|noone):", re.IGNORECASE)
MIN_QUOTATION_WORDS = 4
MIN_UNSPACED_CHARACTERS = 6
_UNSPACED = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")


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
        return long_quotation(match[0]) if _is_long(quoted) else f" {quoted} "

    text = CODE.sub(" ", QUOTED_LINE.sub(" ", text))
    text = _SUNG.sub(" ", _ATTACHED.sub(" ", text))
    text = _QUOTATION.sub(replacement, text)
    names = {name.casefold() for name in others}
    return "\n".join(line for line in text.split("\n") if not _is_pasted(line, names))


def _is_pasted(line: str, names: set[str]) -> bool:
    """Whether a line is another person's: it has a time before its author, or their name."""
    if _TIMED_LINE.match(line):
        return True
    labelled = _LABELLED_LINE.match(line)
    return labelled is not None and labelled[1].strip().casefold() in names


def _is_long(quoted: str) -> bool:
    """Whether a quotation may be a quoted sentence; what is shorter is a title or a nickname."""
    is_unspaced_sentence = _UNSPACED.search(quoted) and len(quoted) >= MIN_UNSPACED_CHARACTERS
    return len(quoted.split()) >= MIN_QUOTATION_WORDS or bool(is_unspaced_sentence)
