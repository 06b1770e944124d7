"""Refuse what no memory may hold: secrets, contact data, addresses, links, orders to the bot.

The operator's categories are refused too: health, religion, politics, sexuality, ethnicity, crime,
precise places, minors' data. The filter runs when a memory is written and when it is read. What it
refuses is counted by reason, never logged.

It knows words and shapes, not meaning. It refuses too much rather than too little of secrets and
orders, and too little rather than too much of everything else. The model's instructions and the
member's own control must catch what it misses.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from utils.common.errors import LanguageFileError
from utils.memory.policy.categories import DEFAULT_CATEGORIES, Category
from utils.memory.safety.patterns import (
    has_account_number,
    has_coordinates,
    has_email,
    has_link,
    has_phone,
    has_street_address,
    has_token,
    without_dates,
)
from utils.nlp.languages import languages, shared_tables
from utils.nlp.normalization import disguises, fold
from utils.nlp.phrase_matcher import Lexicon, UnspacedWords, tokens_of

ALWAYS_REFUSED = ("secret", "contact", "address", "order")
"""The reasons that no setting switches off."""

REASONS = (*ALWAYS_REFUSED, *(category.value for category in Category))
"""Every reason that words can give, the first that applies wins."""


def load_words() -> None:
    """Build the tables now: the first text would wait some 60 ms for them."""
    memory_lexicon()
    unspaced_words()
    glued_patterns()


@cache
def memory_lexicon() -> Lexicon:
    """Return the phrases of all languages by reason. Raises LanguageFileError."""
    tables = {code: language.memory_filter for code, language in languages().items()}
    return Lexicon(
        _by_reason(tables), {code: language.classes for code, language in languages().items()}
    )


@cache
def unspaced_words() -> Mapping[str, UnspacedWords]:
    """Return reason -> words of scripts without spaces. Raises LanguageFileError."""
    tables = {code: language.memory_filter_unspaced for code, language in languages().items()}
    return {
        reason: UnspacedWords(by_language.values())
        for reason, by_language in _by_reason(tables).items()
        if by_language
    }


@cache
def glued_patterns() -> Mapping[str, re.Pattern[str]]:
    """Return reason -> what secrets and orders look like without their spaces."""
    return {
        reason: re.compile("|".join(line.removeprefix("| ") for line in table.split("\n") if line))
        for reason, table in shared_tables().glued.items()
    }


def _by_reason(tables: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    """Turn language -> reason -> phrases into reason -> language -> phrases."""
    for code, table in tables.items():
        for reason in table.keys() - set(REASONS):
            raise LanguageFileError(file=f"{code}.toml", problem=f"unknown reason {reason}")
    return {
        reason: {code: table[reason] for code, table in tables.items() if reason in table}
        for reason in REASONS
    }


_RANKS = {reason: rank for rank, reason in enumerate(REASONS)}
_ALWAYS_RANKS = frozenset(_RANKS[reason] for reason in ALWAYS_REFUSED)
_HAS_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff]")
_MIN_GLUED_LENGTH = 12  # letters; a word this long can be several
_DIGITS = re.compile(r"\d")
_MAX_DIGITS = 200  # a text with more is data, nothing to remember
_MARKER_CHARACTERS = ":<[#`_"
_PROMPT_MARKER = re.compile(
    r"(?m:^[\W_]{0,8}(?:system|assistant|developer|user|human|ai)[\W_]{0,3}:(?!\w{1,30}:))"
    r"|[.!?>\]\"'] {0,3}(?:system|assistant|developer) {0,2}:"
    r"|<\|?/?(?:system|im_start|im_end|assistant|user|endoftext|start_of_turn|end_of_turn|tool_call|"
    r"function_calls?|invoke|instructions?|prompt|eot_id|begin_of_text|start_header_id)\b"
    r"|\[/?(?:inst|system|assistant|tool)\b|<</?sys|\[what you know about"
    r"|^#{1,4} ?(?:system|instructions?)\b"
    r"|\n#{1,4} ?(?:system|instructions?)\b|</?(?:memory|memories|context)>"
)
_UPPERCASE_MARKER = re.compile(r"\b(?<!ING )(?:SYSTEM|ASSISTANT|DEVELOPER) ?:")
_TOOL_CALL = re.compile(
    r"[\"'](?:tool_calls?|function_call|tool_use|recipient_name|tool_name|tool_input)[\"'] {0,3}:"
    r"|[\"'](?:name|tool|function|action)[\"'] {0,3}: {0,3}[\"'{][^\n]{0,200}"
    r"[\"'](?:arguments|parameters|args|input|params)[\"'] {0,3}:"
    r"|[\"']role[\"'] {0,3}: {0,3}[\"'](?:system|assistant|user|tool|developer)"
    r"|\b(?:extract_memories|tool_call|function_call|call_tool|recall_memory|forget_memory)\s{0,3}[({:=]"
    r"|```(?:tool|function|system|prompt|tool_code|tool_call)"
)


def refusal_reason(text: str, categories: frozenset[Category] = DEFAULT_CATEGORIES) -> str | None:
    """Return why a text may not be kept, in one word, or None if it may.

    The reason is ``secret``, ``contact``, ``address``, ``link`` or ``order`` with any
    categories, or else the first of the categories that the text belongs to.
    """
    folded = fold(text)
    lowered = folded.casefold()
    tokens = tokens_of(lowered)
    digits = len(_DIGITS.findall(folded))
    reason = _reason_by_words(lowered, tokens, digits, categories)
    if reason == "secret" or digits > _MAX_DIGITS:
        return "secret"
    if max(map(len, folded.split()), default=0) > 15 and has_token(folded):
        return "secret"
    numbers = without_dates(folded) if digits > 6 else ""
    has_many_digits = len(_DIGITS.findall(numbers)) > 6
    if has_many_digits and has_account_number(numbers):
        return "secret"
    if reason == "contact" or has_email(folded) or (has_many_digits and has_phone(numbers)):
        return "contact"
    can_hold_address = digits or not folded.isascii()
    if reason == "address" or (can_hold_address and has_street_address(folded, tokens)):
        return "address"
    if has_link(lowered):
        return "link"
    if reason == "order" or _has_prompt_marker(folded, lowered):
        return "order"
    if Category.LOCATION in categories and has_coordinates(folded):
        return Category.LOCATION.value
    return reason


def _reason_by_words(
    lowered: str, tokens: list[str], digits: int, categories: frozenset[Category]
) -> str | None:
    """Return the first reason that the words of a text, or of its other readings, give."""
    ranks = _ALWAYS_RANKS | {_RANKS[category.value] for category in categories}
    lexicon = memory_lexicon()
    matched = [lexicon.first_rank(tokens, ranks), *_glued_ranks(tokens)]
    if _ALWAYS_RANKS.isdisjoint(matched):
        for reading in disguises(lowered, tokens, has_digits=digits > 0):
            reading_tokens = tokens_of(reading)
            matched.append(lexicon.first_rank(reading_tokens, _ALWAYS_RANKS))
            matched += _glued_ranks(reading_tokens)
    if _HAS_UNSPACED.search(lowered):
        letters = set(lowered)
        matched += [
            _RANKS[reason]
            for reason, words in unspaced_words().items()
            if _RANKS[reason] in ranks and words.occur_in(lowered, letters)
        ]
    ranked = [rank for rank in matched if rank is not None]
    return REASONS[min(ranked)] if ranked else None


def _glued_ranks(tokens: Iterable[str]) -> Iterator[int]:
    """Yield the ranks of reasons that words written as one give."""
    for token in tokens:
        if len(token) >= _MIN_GLUED_LENGTH:
            for reason, pattern in glued_patterns().items():
                if pattern.search(token):
                    yield _RANKS[reason]


def _has_prompt_marker(folded: str, lowered: str) -> bool:
    """Whether a text imitates what separates speakers, or calls tools, in a prompt."""
    if not any(map(folded.__contains__, _MARKER_CHARACTERS)):
        return False
    return bool(
        _PROMPT_MARKER.search(lowered)
        or _UPPERCASE_MARKER.search(folded)
        or _TOOL_CALL.search(lowered)
    )
