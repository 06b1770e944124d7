"""What must never be kept, whoever says it: secrets, contact data, links, orders to the bot.

And what the operator lists: health, religion, politics, sexuality, ethnicity, crime, precise
places, minors' data. Applied when a memory is written and again when it is read; what is refused is
counted by reason, never logged. Shapes are told by identifiers, contacts and places, words by the
tables in lexicons; folding undoes disguises.

Knows words, not meaning: it errs on the side of refusing secrets and orders, and on the side of
keeping elsewhere. What it misses, the model's own instructions and the member's control must catch.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from utils.memory.categories import DEFAULT_CATEGORIES, Category, parse_categories
from utils.memory.contacts import holds_email, holds_link, holds_phone, without_dates
from utils.memory.folding import disguises, fold
from utils.memory.identifiers import holds_account, holds_token
from utils.memory.lexicons import ALWAYS, GLUED, LEXICON, UNSPACED_WORDS
from utils.memory.phrases import tokens_of
from utils.memory.places import holds_coordinates, holds_street

__all__ = ["DEFAULT_CATEGORIES", "Category", "parse_categories", "refusal_reason"]

_RANKS = {reason: rank for rank, reason in enumerate(LEXICON.reasons)}
_ALWAYS_RANKS = frozenset(_RANKS[reason] for reason in ALWAYS)
_UNSPACED = {_RANKS[reason]: words for reason, words in UNSPACED_WORDS.items()}
_HAS_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff]")
_GLUED = {_RANKS[reason]: re.compile(pattern) for reason, pattern in GLUED.items()}
_GLUED_LENGTH = 12  # letters; a word as long may be several
_DIGITS = re.compile(r"\d")
_MOST_DIGITS = 200  # a text with more is data; it is never a thing to remember
_SIGNS = ":<[#`_"
_MARKER = re.compile(
    r"(?m:^[\W_]{0,8}(?:system|assistant|developer|user|human|ai)[\W_]{0,3}:(?!\w{1,30}:))"
    r"|[.!?>\]\"'] {0,3}(?:system|assistant|developer) {0,2}:"
    r"|<\|?/?(?:system|im_start|im_end|assistant|user|endoftext|start_of_turn|end_of_turn|tool_call|"
    r"function_calls?|invoke|instructions?|prompt|eot_id|begin_of_text|start_header_id)\b"
    r"|\[/?(?:inst|system|assistant|tool)\b|<</?sys|\[what you know about"
    r"|^#{1,4} ?(?:system|instructions?)\b"
    r"|\n#{1,4} ?(?:system|instructions?)\b|</?(?:memory|memories|context)>"
)
_SHOUTED_MARKER = re.compile(r"\b(?<!ING )(?:SYSTEM|ASSISTANT|DEVELOPER) ?:")
_TOOL_CALL = re.compile(
    r"[\"'](?:tool_calls?|function_call|tool_use|recipient_name|tool_name|tool_input)[\"'] {0,3}:"
    r"|[\"'](?:name|tool|function|action)[\"'] {0,3}: {0,3}[\"'{][^\n]{0,200}"
    r"[\"'](?:arguments|parameters|args|input|params)[\"'] {0,3}:"
    r"|[\"']role[\"'] {0,3}: {0,3}[\"'](?:system|assistant|user|tool|developer)"
    r"|\b(?:extract_memories|tool_call|function_call|call_tool|recall_memory|forget_memory)\s{0,3}[({:=]"
    r"|```(?:tool|function|system|prompt|tool_code|tool_call)"
)


def refusal_reason(text: str, categories: frozenset[Category] = DEFAULT_CATEGORIES) -> str | None:
    """Return why a text may not be kept, in one word, or None when it may.

    That is ``secret``, ``contact``, ``address``, ``link`` or ``order``, whatever the categories, or
    else the name of the first of the categories that the text belongs to.
    """
    kept = fold(text)
    lowered = kept.casefold()
    tokens = tokens_of(lowered)
    digits = len(_DIGITS.findall(kept))
    worded = _by_words(lowered, tokens, digits, categories)
    if worded == "secret" or digits > _MOST_DIGITS:
        return "secret"
    if max(map(len, kept.split()), default=0) > 15 and holds_token(kept):
        return "secret"
    numbers = without_dates(kept) if digits > 6 else ""
    many = len(_DIGITS.findall(numbers)) > 6
    if many and holds_account(numbers):
        return "secret"
    if worded == "contact" or holds_email(kept) or (many and holds_phone(numbers)):
        return "contact"
    if worded == "address" or ((digits or not kept.isascii()) and holds_street(kept, tokens)):
        return "address"
    if holds_link(lowered):
        return "link"
    if worded == "order" or _has_marker(kept, lowered):
        return "order"
    if Category.LOCATION in categories and holds_coordinates(kept):
        return Category.LOCATION.value
    return worded


def _by_words(
    lowered: str, tokens: list[str], digits: int, categories: frozenset[Category]
) -> str | None:
    """Return the first reason that the words of a text, or of its disguises, give."""
    ranks = _ranks(categories)
    found = [LEXICON.first(tokens, ranks), *_glued(tokens)]
    if _ALWAYS_RANKS.isdisjoint(found):
        for reading in disguises(lowered, tokens, has_digits=digits > 0):
            read = tokens_of(reading)
            found += [LEXICON.first(read, _ALWAYS_RANKS), *_glued(read)]
    if _HAS_UNSPACED.search(lowered):
        letters = set(lowered)
        found += [
            rank
            for rank, words in _UNSPACED.items()
            if rank in ranks and words.occur_in(lowered, letters)
        ]
    ranked = [rank for rank in found if rank is not None]
    return LEXICON.reasons[min(ranked)] if ranked else None


def _glued(tokens: Iterable[str]) -> Iterator[int]:
    """Yield the reasons that words give which were written as one."""
    for token in tokens:
        if len(token) >= _GLUED_LENGTH:
            yield from (rank for rank, pattern in _GLUED.items() if pattern.search(token))


@lru_cache(64)
def _ranks(categories: frozenset[Category]) -> frozenset[int]:
    return _ALWAYS_RANKS | {_RANKS[category.value] for category in categories}


def _has_marker(kept: str, lowered: str) -> bool:
    """Whether a text imitates what separates speakers, or calls tools, in a prompt."""
    if not any(map(kept.__contains__, _SIGNS)):
        return False
    return bool(
        _MARKER.search(lowered) or _SHOUTED_MARKER.search(kept) or _TOOL_CALL.search(lowered)
    )
