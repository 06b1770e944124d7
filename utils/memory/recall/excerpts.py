"""Shortens a long message to the sentences that match a query. Pure."""

from utils.common.text import clip, one_line
from utils.memory.recall.query import sentences_of
from utils.nlp.stemming import stems


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
