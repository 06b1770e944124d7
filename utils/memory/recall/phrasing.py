"""Says how a memory or a message is shown in a prompt: its words, and when it was said. Pure."""

import re
from collections.abc import Iterable
from datetime import datetime, tzinfo

from utils.common.text import age_in_words, clip, one_line
from utils.memory.verification.checks import names_only_others
from utils.memory.verification.sentences import split
from utils.models.memory import Form, Kind, Memory
from utils.models.recall import Said
from utils.nlp.questions import ends_as_question
from utils.nlp.quoted_lines import without_quoted_lines
from utils.nlp.stemming import stems

NEWEST_DATES_SAID_AS_AGE_DAYS = 7
MIN_WORDS = 4
_COMMAND = re.compile(r"\s*[/!]\w")
_MENTIONED = re.compile(r"(?<!\w)@(\w+)")
# Two characters of a script without spaces count as a word.
_WORD = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]{2}|[^\\W_]+"
)


def phrase(row: Memory) -> str:
    """Return a memory as it is shown: a pattern as a tendency; a quote, and what is said for a
    server, in quotation marks."""
    if row.form is Form.QUOTE or row.kind is Kind.SERVER_FACT:
        return _in_quotation_marks(row.text)
    text = row.text.rstrip(".")  # other texts may follow
    return f"{text}, as a habit" if row.kind is Kind.PATTERN else text


def time_of(row: Memory, now: datetime, zone: tzinfo) -> str:
    """Return the day or the age of a memory in words; empty for a constraint.

    A time in the future (a clock that jumped) counts as now.
    """
    confirmed = min(row.last_confirmed_at, now)
    is_old = (now - confirmed).days >= NEWEST_DATES_SAID_AS_AGE_DAYS
    if row.form is Form.QUOTE or (row.kind is Kind.EPISODE and is_old):
        return day_of(row.created_at, now, zone)
    return "" if row.kind is Kind.CONSTRAINT else age_in_words(confirmed, now, zone)


def quoted(text: str, message: Said) -> str:
    """Return a message in quotation marks, which its text cannot close.

    Text that came with a message, such as a caption, has a label before it.
    """
    words = _in_quotation_marks(text)
    return f"{message.label} {words}" if message.label else words


def dated(text: str, when: str) -> str:
    """Return a text with its time in words after it, if it has one."""
    return f"{text} ({when})" if when else text


def _in_quotation_marks(text: str) -> str:
    inner = text.replace('"', "'")
    return f'"{inner}"'


def day_of(at: datetime, now: datetime, zone: tzinfo) -> str:
    """Return "12 March", with the year if it is not this one's."""
    day = min(at, now).astimezone(zone)
    year = "" if day.year == now.astimezone(zone).year else f" {day.year}"
    return f"{day.day} {day:%B}{year}"


def statements(text: str, others: Iterable[str] = ()) -> str:
    """Return the sentences of a message that may be quoted, one a line; "" if there are none.

    Questions and commands may not, nor quoted and pasted lines, sentences that are only about other
    people, nor a message with fewer than four words apart from them, such as a greeting.

    Args:
        text: the message.
        others: the names of other people; who is mentioned in the message counts anyway.
    """
    if _COMMAND.match(text):
        return ""
    names = (*others, *_MENTIONED.findall(text))
    statements_only = "\n".join(
        line
        for line in split(without_quoted_lines(text))
        if not (ends_as_question(line) or names_only_others(line, names))
    )
    return statements_only if len(_WORD.findall(statements_only)) >= MIN_WORDS else ""


def quotable(message: Said, others: frozenset[str] = frozenset()) -> str:
    """Return what may be quoted of a message; "": nothing. A file's text may be quoted whole.

    It is kept with the message until the names of ``others`` in sight are different ones.
    """
    if message.label:
        return message.text
    kept = message.quotable  # read once: another recall, in another thread, may change it now
    if kept is None or kept[0] != others:
        kept = message.quotable = others, statements(message.text, others)
    return kept[1]


def excerpt(text: str, query_stems: frozenset[str], limit: int) -> str:
    """Return a message on one line, shortened to its best sentences if it is over ``limit``.

    The sentence with most ``query_stems`` stays (the first of equals), with as many neighbouring
    sentences as fit. An ellipsis marks what is left out.
    """
    line = one_line(text)
    if len(line) <= limit:
        return line
    sentences = split(text)
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
