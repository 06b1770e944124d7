"""A message as it is stored: clean, clipped to its columns, with its stems. Pure."""

import re
from dataclasses import replace

from utils.common.text import clean, clip, one_line
from utils.common.visible_text import own_words_of
from utils.models.attachment import without_placeholders
from utils.models.memory import EVENT_LIMIT, Event
from utils.nlp.languages import languages
from utils.nlp.person_and_negation import has_first_person
from utils.nlp.questions import ends_as_question
from utils.nlp.stemming import language_of, stems

EVENT_STEMS = 60
NAME_LIMIT = 100
_DISCORD_CODE = re.compile(r"<(?:a?:\w+:|[@#][!&]?)\d+>")


_SENTENCE = re.compile(r"[^.!?…。！？؟\n]+[.!?…。！？؟]*")
_LANGUAGES_WITH_PRONOUNS = frozenset({"en", "de"})
"""A statement in others may be in the first person without a word for it."""
REACTIONS = frozenset([
    "ok", "okay", "k", "kk", "lol", "lmao", "rofl", "xd", "haha", "hahaha", "hehe", "nice", "cool",
    "great", "awesome", "wow", "omg", "gg", "hi", "hello", "hey", "thanks", "thank you", "thx",
    "ty", "good morning", "good night", "gn", "brb", "bye", "danke", "super", "krass", "hallo",
    "moin", "servus", "guten morgen", "gute nacht", "tschüss", "bis dann", "oh", "ohh", "ooh", "ah",
    "aha", "hm", "hmm", "interesting", "perfect", "really", "ach so", "interessant", "echt", "kith",
])  # fmt: skip
"""What says nothing of its author; a closed list, which saves calls."""
_REACTIONS = re.compile(rf"(?<!\S)(?:{'|'.join(sorted(REACTIONS, key=len, reverse=True))})(?!\S)")


def storable(event: Event) -> Event:
    """Return an event as it can be stored."""
    text = storable_text(event.text)
    return replace(
        event,
        text=text,
        author_name=storable_name(event.author_name),
        stems=" ".join(stems(own_words_of(without_placeholders(text)), limit=EVENT_STEMS)),
    )


def storable_name(name: str) -> str:
    """Return what is kept of a person's name."""
    return clip(one_line(clean(name)), NAME_LIMIT) or "someone"


def storable_text(text: str) -> str:
    """Return what is kept of a message's words."""
    return clip(clean(text), EVENT_LIMIT)


def may_teach(text: str) -> bool:
    """Whether a message may say something of its author, as far as its form tells.

    It does not if each of its sentences has no words but REACTIONS ("ok cool"), or is a question
    without a first-person word.
    """
    return any(map(_may_teach, _SENTENCE.findall(_DISCORD_CODE.sub("", own_words_of(text)))))


def _may_teach(sentence: str) -> bool:
    words = re.findall(r"\w+", sentence.casefold())
    if not _REACTIONS.sub("", " ".join(words)).strip():
        return False
    code = language_of(sentence)
    is_clear = code in _LANGUAGES_WITH_PRONOUNS and not languages()[
        code
    ].words.stop_words.isdisjoint(words)
    return not (is_clear and ends_as_question(sentence) and not has_first_person(sentence))


def is_worded(text: str) -> bool:
    """Whether its author wrote a letter or a digit, mentions and custom emoji aside."""
    return any(map(str.isalnum, _DISCORD_CODE.sub("", own_words_of(text))))
