"""Cutting a long message to the sentences that fit what was asked. Pure."""

from utils.memory.asking import sentences_of
from utils.memory.stems import stems
from utils.text import clip, one_line


def excerpt(text: str, wanted: frozenset[str], limit: int) -> str:
    """Return a message on one line, cut to its best sentences where it is over ``limit``.

    ``wanted`` are the stems asked for. The sentence with most of them stays, the first of equals,
    and of those around it what still fits; what is left out shows as an ellipsis.
    """
    whole = one_line(text)
    if len(whole) <= limit:
        return whole
    sentences = [one_line(one) for one in sentences_of(text)]
    matches = [len(wanted.intersection(stems(one))) for one in sentences]
    first = last = max(range(len(sentences)), key=lambda i: (matches[i], -i))
    room = limit - len(sentences[first])
    while True:
        after = last + 1 if last + 1 < len(sentences) else None
        before = first - 1 if first > 0 else None
        fitting = [i for i in (after, before) if i is not None and len(sentences[i]) < room]
        if not fitting:
            break
        chosen = max(fitting, key=lambda i: matches[i])
        first, last = min(first, chosen), max(last, chosen)
        room -= len(sentences[chosen]) + 1
    kept = clip(" ".join(sentences[first : last + 1]), limit, at_word=True)
    opening = "… " if first > 0 else ""
    closing = " …" if last + 1 < len(sentences) and not kept.endswith("…") else ""
    return f"{opening}{kept}{closing}"
