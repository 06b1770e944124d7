"""Say whether a message may say something of its author, as far as its form tells. Pure.

What may not costs no call of a model.
"""

import re

from utils.common.visible_text import own_words_of
from utils.memory.policy.storable_events import DISCORD_CODE
from utils.nlp.languages import languages
from utils.nlp.person_and_negation import has_first_person
from utils.nlp.questions import ends_as_question
from utils.nlp.stemming import language_of

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


def may_teach(text: str) -> bool:
    """Whether a message may say something of its author, as far as its form tells.

    It does not if each of its sentences has no words but REACTIONS ("ok cool"), or is a question
    without a first-person word. One without its mark may be a statement: "had the flu last week".
    """
    return any(map(_may_teach, _SENTENCE.findall(DISCORD_CODE.sub("", own_words_of(text)))))


def _may_teach(sentence: str) -> bool:
    words = re.findall(r"\w+", sentence.casefold())
    if not _REACTIONS.sub("", " ".join(words)).strip():
        return False
    code = language_of(sentence)
    is_clear = code in _LANGUAGES_WITH_PRONOUNS and not languages()[
        code
    ].words.stop_words.isdisjoint(words)
    return not (is_clear and ends_as_question(sentence) and not has_first_person(sentence))
