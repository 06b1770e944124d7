"""What must never be kept, whoever says it: secrets, contact data, links, orders to the bot.

And what the operator lists: health, religion, politics, sexuality, ethnicity, crime, precise places,
minors' data. Applied when a memory is written and again when it is read; what is refused is counted
by reason, never logged. Shapes are told by :mod:`utils.memory.identifiers`, words by the tables of
:mod:`utils.memory.lexicons`, disguises are undone by :mod:`utils.memory.folding`.

Knows words, not meaning: it errs on the side of refusing secrets and orders, and on the side of
keeping elsewhere. What it misses, the model's own instructions and the member's control must catch.
"""

import re

from utils.memory.categories import DEFAULT_CATEGORIES, Category, parse_categories
from utils.memory.folding import disguises, fold, letters_only
from utils.memory.identifiers import (
    holds_account,
    holds_coordinates,
    holds_email,
    holds_link,
    holds_phone,
    holds_street,
    holds_token,
)
from utils.memory.lexicons import ALWAYS, GLUED, LEXICON, UNSPACED_WORDS

__all__ = ["DEFAULT_CATEGORIES", "Category", "parse_categories", "refusal_reason"]

_RANKS = {reason: rank for rank, reason in enumerate(LEXICON.reasons)}
_ALWAYS_RANKS = frozenset(_RANKS[reason] for reason in ALWAYS)
_UNSPACED = {
    _RANKS[reason]: re.compile(pattern, re.MULTILINE) for reason, pattern in UNSPACED_WORDS.items()
}
_HAS_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff]")
_GLUED = re.compile(GLUED)
_LONG_WORD = re.compile(r"[^\W\d_]{12}")
_DIGITS = re.compile(r"\d")
_LONG_RUN = re.compile(r"[A-Za-z0-9+/_=.~-]{12}")
_MARKER = re.compile(
    r"(?m:^[\W_]{0,8}(?:system|assistant|developer|user|human|ai)[\W_]{0,3}:(?!\w{1,30}:))"
    r"|[.!?>\]\"'] {0,3}(?:system|assistant|developer) {0,2}:"
    r"|<\|?/?(?:system|im_start|im_end|assistant|user|endoftext|start_of_turn|end_of_turn|tool_call|"
    r"function_calls?|invoke|instructions?|prompt|eot_id|begin_of_text|start_header_id)\b"
    r"|\[/?(?:inst|system|assistant|tool)\b|<</?sys|\[what you know about|^#{1,4} ?(?:system|instructions?)\b"
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
    digits = _DIGITS.search(kept) is not None
    worded = _by_words(lowered, categories)
    if worded == "secret" or (_LONG_RUN.search(kept) and holds_token(kept)):
        return "secret"
    if digits and holds_account(kept):
        return "secret"
    if worded == "contact" or holds_email(kept) or (digits and holds_phone(kept)):
        return "contact"
    if worded == "address" or ((digits or not kept.isascii()) and holds_street(kept)):
        return "address"
    if holds_link(kept):
        return "link"
    if worded == "order" or _has_marker(kept, lowered):
        return "order"
    if Category.LOCATION in categories and digits and holds_coordinates(kept):
        return Category.LOCATION.value
    return worded


def _by_words(lowered: str, categories: frozenset[Category]) -> str | None:
    """Return the first reason that the words of a text, or of its disguises, give."""
    ranks = _ALWAYS_RANKS | {_RANKS[category.value] for category in categories}
    found = {LEXICON.first(lowered, ranks)}
    for reading in disguises(lowered):
        found.add(LEXICON.first(reading, _ALWAYS_RANKS))
        if _GLUED.search(letters_only(reading)):
            found.add(_RANKS["order"])
    if _LONG_WORD.search(lowered) and _GLUED.search(letters_only(lowered)):
        found.add(_RANKS["order"])
    if _HAS_UNSPACED.search(lowered):
        found.update(
            rank for rank, pattern in _UNSPACED.items() if rank in ranks and pattern.search(lowered)
        )
    known = found - {None}
    return LEXICON.reasons[min(rank for rank in known if rank is not None)] if known else None


def _has_marker(kept: str, lowered: str) -> bool:
    """Whether a text imitates what separates speakers, or calls tools, in a prompt."""
    if not (":" in kept or "<" in kept or "[" in kept or "#" in kept or "(" in kept or "`" in kept):
        return False
    return bool(
        _MARKER.search(lowered) or _SHOUTED_MARKER.search(kept) or _TOOL_CALL.search(lowered)
    )
