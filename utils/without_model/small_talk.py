"""Reply to what asks nothing: a greeting, thanks, a statement. Pure."""

import re
from datetime import tzinfo
from functools import cache

from utils.common.text import clip, one_line
from utils.memory.extraction.endings import coming
from utils.memory.extraction.own_statements import (
    MIN_WORDS,
    is_told,
    own_part,
    own_statements,
    sentences_in,
    words_in,
)
from utils.memory.extraction.rule_extractor import REMEMBER, is_of_author
from utils.memory.extraction.stated_names import stated_name
from utils.memory.policy.categories import Category
from utils.memory.safety.filter import refusal_reason
from utils.models.memory import Event
from utils.nlp.confidential import is_bare_request, is_confidential
from utils.nlp.languages import languages
from utils.nlp.phrase_matcher import any_of, has_phrase
from utils.without_model.texts import MAX_NAME, PlainTexts

MAX_REMARK_WORDS = 8
NO_CATEGORIES: frozenset[Category] = frozenset()
NEVER_KEPT = ("secret", "contact", "address", "link")
SLIGHT = {"greetings": 1, "reactions": 2, "agreement": 3}
_TABLES = [language.answers.remarks for language in languages().values()]
_REMARKS = {phrase: remark for table in _TABLES for remark in table for phrase in table[remark]}


def parse_remark(text: str) -> str | None:
    """Return what a short message does, such as "greetings": its key in the language files.

    It is made of nothing but such phrases. Of several the last one counts, but
    those that are SLIGHT only if there is nothing else: "hey, what's up", "lol ok", "thx bye".
    """
    words = _said_to_kith(text)
    if not words:
        is_mute = text.strip() and "?" not in text and not re.search(r"\w", text)
        return "reactions" if is_mute else "greetings" if re.search(r"\w", text) else None
    if len(words.split()) > MAX_REMARK_WORDS or _phrases().sub("", words).strip():
        return None
    remarks = [_REMARKS[phrase] for phrase in _phrases().findall(words)]
    return min(reversed(remarks), key=lambda remark: SLIGHT.get(remark, 0))


def _said_to_kith(text: str) -> str:
    folded = re.sub(r"(\w)\1{2,}|([aeiouy])\2+\b", r"\1\2", text.lower())  # "hiiii"
    return " ".join(word for word in words_in(folded) if word not in ("kith", "&"))


@cache
def _phrases() -> re.Pattern[str]:
    return re.compile(rf"(?<!\S)(?:{any_of(_REMARKS)})(?!\S)")


def short_answer(remark: str, texts: PlainTexts, event: Event) -> str:
    """Return the answer to a remark that asks nothing."""
    return str(getattr(texts, remark)).format(name=clip(one_line(event.author_name), MAX_NAME))


def told(
    event: Event, zone: tzinfo, texts: PlainTexts, forbidden: frozenset[Category], *, is_kept: bool
) -> str:
    """Return what to say to a message that asks nothing; ``is_kept``: it is stored, or will be."""
    text, request, is_secret = event.text, REMEMBER.match(event.text), is_confidential(event.text)
    statements = list(own_statements(text))
    sentences = [line for line in sentences_in(own_part(text)) if len(words_in(line)) >= MIN_WORDS]
    if not (statements or request or is_secret or any(map(is_told, sentences))):
        phrase = _phrases().match(_said_to_kith(text))
        remark = _REMARKS[phrase[0]] if phrase else "reactions"
        return texts.no_chat if SLIGHT.get(remark, 0) > 1 else short_answer(remark, texts, event)
    if reason := refusal_reason(text, NO_CATEGORIES):  # such as an order to Kith
        unnoted = texts.confided if is_secret else texts.no_chat
        return texts.not_noted if reason in NEVER_KEPT else unnoted
    if not is_kept:
        return texts.not_kept
    if all(refusal_reason(sentence, forbidden) for sentence in statements or [text]):
        return texts.sensitive
    if is_secret:
        return texts.confided if statements or not is_bare_request(text) else texts.confided_before
    if request is not None:
        return texts.noted if is_of_author(request["what"]) else texts.only_own
    names = map(stated_name, reversed(statements))  # the last: "I'm Tom. Sorry, I'm Tim"
    if stated := next(filter(None, names), None):
        return texts.met.format(name=clip(stated.name, MAX_NAME))
    folded = f" {' '.join(words_in(text))} "
    if any(has_phrase(folded, language.answers.sorrows) for language in languages().values()):
        return texts.sorrow
    if not statements:
        return texts.heard
    if any(coming(sentence, event.created_at, zone) for sentence in statements):
        return texts.told_coming
    answers = texts.told.split("\n")
    return answers[len(text) % len(answers)]
