"""Is a memory carried by what its subject said? Pure: words only, no model.

A quote proves that somebody said something, not that the memory says the same: a poisoned model
can quote "I love pizza" and note "is a thief". So the memory's own words must come from the
subject, from the question they answered, or from the plain verbs that notes are made of.
"""

import re
from collections.abc import Iterable, Sequence

from utils.memory.stems import stems

MOST_UNKNOWN = 0.5
"""Share of a memory's words that may be paraphrase. Of LoCoMo's gold observations, which are freer
than what the extraction prompt asks for, 12 % have more (measured on the five of locomo_dev)."""

_PLAIN_WORDS = {
    "en": """has have had own owns named called name is was works work job lives live home likes
        loves enjoys hates dislikes prefers preference favourite favorite plays wants would plan
        plans planning going goes went moved moving studies study speaks born year years old age
        since person currently often usually tends every week day month started used said asked
        feels about told remember friend family""",
    "de": """hat haben heißt name wohnt lebt arbeitet beruf mag liebt hasst spielt will plant geht
        zieht studiert spricht geboren jahre alt seit lieblings findet oft jeden woche tag""",
    "fr": """a avoir appelle nom habite vit travaille aime adore déteste préfère joue veut prévoit
        va étudie parle né ans depuis préféré souvent chaque semaine jour""",
    "es": """tiene llama nombre vive trabaja gusta ama odia prefiere juega quiere planea va estudia
        habla nacido años desde favorito suele cada semana día""",
    "pt": """tem chama nome mora vive trabalha gosta ama odeia prefere joga quer planeja vai estuda
        fala nascido anos desde favorito costuma cada semana dia""",
    "ru": """имеет зовут имя живет работает любит ненавидит предпочитает играет хочет планирует
        идет учится говорит родился лет любимый часто каждый неделя день""",
}
_DATES = """january february march april may june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday morning afternoon evening weekend week
    until before after"""
_NOTE_STEMS = frozenset(
    stem for language, words in _PLAIN_WORDS.items() for stem in stems(words, language=language)
)
_DATE_STEMS = frozenset(stems(_DATES, language="en"))
_DATE_NUMBER = re.compile(r"(?:19|20)\d\d|[0-3]?\d|\d{1,2}[:.]\d\d")
_NEGATION = re.compile(
    r"\b(not|no|never|nor|cannot|without|nicht|nie|kein\w*|pas|jamais|nunca|não|не|нет)\b|n['’]t\b",
    re.IGNORECASE,
)


def is_supported(
    memory: str, own: Sequence[str], others: Sequence[str], names: Sequence[str] = ()
) -> bool:
    """Whether a memory may rest on ``own``: what its subject said, and what they answered.

    ``others`` is what was said around it by anybody else: not one word may be borrowed from there.
    """
    unknown = unsupported_words(memory, own, names)
    if unknown & {stem for text in others for stem in stems(text)}:
        return False
    return len(unknown) <= MOST_UNKNOWN * len(set(stems(memory)))


def unsupported_words(
    memory: str, own: Iterable[str], names: Iterable[str] = (), *, dates: bool = True
) -> set[str]:
    """Return the memory's stems that neither ``own`` texts, names nor plain note words explain.

    ``dates`` lets months and date-like numbers pass: "next Friday" is noted as a date.
    """
    known = {stem for text in (*own, *names) for stem in stems(text)} | _NOTE_STEMS
    unknown = {stem for stem in stems(memory) if stem not in known}
    if not dates:
        return unknown
    return {
        stem for stem in unknown if stem not in _DATE_STEMS and not _DATE_NUMBER.fullmatch(stem)
    }


def negates(text: str) -> bool:
    """Whether a text negates something, as far as six languages' plain words tell."""
    return _NEGATION.search(text) is not None
