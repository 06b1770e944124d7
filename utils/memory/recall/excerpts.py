"""Says what of a message may be quoted, and shortens it to what matches a query. Pure."""

import re

from utils.common.text import clip, one_line
from utils.memory.recall.query import IS_QUESTION, sentences_of
from utils.models.recall import Said
from utils.nlp.stemming import stems

MIN_WORDS = 4
_COMMAND = re.compile(r"\s*[/!]\w")
# Two characters of a script without spaces count as a word.
_WORD = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]{2}|[^\\W_]+"
)


def statements(text: str) -> str:
    """Return the sentences of a message that may be quoted, one a line; "" if there are none.

    Questions and commands may not, nor a message with fewer than four words apart from them, such
    as a greeting.
    """
    if _COMMAND.match(text):
        return ""
    quotable = "\n".join(line for line in sentences_of(text) if not IS_QUESTION.search(line))
    return quotable if len(_WORD.findall(quotable)) >= MIN_WORDS else ""


def said_excerpt(message: Said, query_stems: frozenset[str], limit: int) -> str:
    """Return what a prompt quotes of a message; "": nothing. A file's text may be quoted whole."""
    quotable = message.text if message.label else statements(message.text)
    return excerpt(quotable, query_stems, limit)


def excerpt(text: str, query_stems: frozenset[str], limit: int) -> str:
    """Return a message on one line, shortened to its best sentences if it is over ``limit``.

    The sentence with most ``query_stems`` stays (the first of equals), with as many neighbouring
    sentences as fit. An ellipsis marks what is left out.
    """
    line = one_line(text)
    if len(line) <= limit:
        return line
    sentences = [one_line(sentence) for sentence in sentences_of(text)]
    matches = [len(query_stems.intersection(stems(sentence))) for sentence in sentences]
    first = last = max(range(len(sentences)), key=lambda i: (matches[i], -i))
    characters_left = limit - len(sentences[first])
    while True:
        after = last + 1 if last + 1 < len(sentences) else None
        before = first - 1 if first > 0 else None
        fitting = [
            i for i in (after, before) if i is not None and len(sentences[i]) < characters_left
        ]
        if not fitting:
            break
        chosen = max(fitting, key=lambda i: matches[i])
        first, last = min(first, chosen), max(last, chosen)
        characters_left -= len(sentences[chosen]) + 1
    text_kept = clip(" ".join(sentences[first : last + 1]), limit, at_word=True)
    opening = "… " if first > 0 else ""
    closing = " …" if last + 1 < len(sentences) and not text_kept.endswith("…") else ""
    return f"{opening}{text_kept}{closing}"
