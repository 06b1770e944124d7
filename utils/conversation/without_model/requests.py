"""Parse plain requests by a few rules, for servers without a model: wishes, greetings, thanks."""

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import cache

from utils.models.llm import ToolCall
from utils.nlp.languages import Phrases, languages

_POLITE = (
    r"^\W*(?:(?:hey|hi|ok|okay|please|pls|kith|can you|could you|would you|you can|you should|"
    r"i want you to|i(?:['’]d| would) like you to|bitte|kannst du|könntest du|würdest du|du kannst|"
    r"du sollst|ich (?:will|möchte|hätte gern),? dass du|mal|doch|hallo)\b[\s,!:]*)*"
)
_LIST = re.compile(
    _POLITE
    + r"(?:(?:so|und|also|na)\W+)?(?:(?:tell me |erzähl mir,? )?(?:what|everything)(?: else| all)? "
    r"(?:(?:do|did) )?(?:you|u) (?:know|remember|have)(?: (?:about|of|on) me)"
    r"|what (?:do|did) (?:you|u) (?:remember|learn|note)"
    r"|(?:do|don't) (?:you|u) (?:remember|know|recognise|recognize) me"
    r"|what (?:did i|have i) (?:say|said|tell|told)(?: (?:you|u))? "
    r"(?:earlier|before|so far|already)"
    r"|kennst du mich(?: noch)?|erinnerst du dich (?:noch )?an mich"
    r"|what (?:all )?(?:have i told|did i tell) (?:you|u)"
    r"(?: about (?:me|myself)| so far| already| today| lately)*"
    r"|was (?:habe?|hatte) ich dir (?:(?:alles|schon|bisher|bereits|über mich) )*"
    r"(?:erzählt|gesagt|verraten)"
    r"|do you know (?:anything|something) about me"
    r"|was wei(?:ß|ss|s)t du (?:alles |noch |so |schon )*(?:über|von) mich(?: alles| noch)?"
    r"|was weißt du (?:alles )?von mir|was du (?:alles )?über mich weißt)"
    r"\b[\s.!?]*$",
    re.IGNORECASE,
)
_DAY = (
    r"(?P<day>(?:(?:on|in|next|this|today|tomorrow|tonight|the day after tomorrow|am|nächste\w*|"
    r"kommende\w*|morgen|übermorgen|heute)\b|(?:at|um|gegen) (?=[0-9]|noon|midnight|mittag))"
    r"[^?!.,\n]{0,30}?)"
)
_WHAT = (
    r"(?P<what>(?:how|whether|if|about|what|who|where|when|to|of|that|wie|ob|was|wer|wo|wann|nach|"
    r"an|daran|dass|zu|(?<=daran )|(?<=daran, ))\b[^\n]{0,300}?)"
)
_ASK_ME = (
    _POLITE
    + r"(?:ask me|frage? mich|(?P<remind>remind me|erinner[en]? mich))\s+"
    + r"(?:(?:again|please|bitte|mal|doch)\s+)*"
)
_THAT = r",?\s+(?:daran,?\s+)?"
_ASK = re.compile(rf"{_ASK_ME}{_DAY}{_THAT}{_WHAT}[\s.!?]*$", re.IGNORECASE)
_ASK_AFTER = re.compile(rf"{_ASK_ME}(?:daran,?\s+)?{_WHAT},?\s+{_DAY}[\s.!?]*$", re.IGNORECASE)
MAX_REMARK_WORDS = 8


class Remark(StrEnum):
    """A message that gets a short answer; the value is the key of its phrases in AnswerWords."""

    GREETING = "greetings"
    THANKS = "thanks"
    IDENTITY = "identity"
    HELP = "help"
    AGREEMENT = "agreement"
    WELLBEING = "wellbeing"
    FAREWELL = "farewells"
    REACTION = "reactions"
    JOKE = "jokes"
    PRIVACY = "privacy"
    MODEL = "model"
    APOLOGY = "apologies"
    ADDRESSED = "addressed"


def parse_intent(text: str) -> ToolCall | None:
    """Return the tool call that a message plainly asks for, or None."""
    if match := _ASK.match(text) or _ASK_AFTER.match(text):
        if match["remind"]:
            what = match["what"].removeprefix("to ")
            return ToolCall("", "remind", {"what": what, "when": match["day"]})
        return ToolCall("", "ask_later", {"what": match["what"], "day": match["day"]})
    return ToolCall("", "list_memories", {}) if _LIST.match(text) else None


def parse_remark(text: str) -> Remark | None:
    """Return what a short message does: greet, thank, ask who Kith is or for help, or agree.

    It is made of nothing but such phrases. Of several the last one counts, and a greeting, a
    reaction or an agreement only if there is nothing else: "hey, what's up", "lol ok", "thx bye".
    """
    words = _words_to_kith(text)
    if not words:
        is_called = bool(re.search(r"\w", text))
        is_mute = not is_called and bool(text.strip()) and "?" not in text
        return Remark.GREETING if is_called else Remark.REACTION if is_mute else None
    remarks: list[Remark] = []
    while words and len(words) <= MAX_REMARK_WORDS:
        remark, length = _phrase_at_beginning(words)
        if remark is None or (remark is Remark.ADDRESSED and "?" in text):
            return None
        remarks.append(remark)
        words = [] if remark is Remark.ADDRESSED else words[length:]
    if words or any(remark in _ASKING for remark in remarks[:-1]):
        return None
    return next((remark for remark in reversed(remarks) if remark not in _SLIGHT), None) or next(
        remark for remark in _SLIGHT if remark in remarks
    )


def polite_remark(text: str) -> Remark | None:
    """Return what a message greets or thanks with besides other words: "hi, I'm new here"."""
    words = _words_to_kith(text)
    first = _phrase_at_beginning(words)[0]
    if first in _POLITE_REMARKS:
        return first
    ends = (" ".join(words[-length:]) for length in range(min(len(words), MAX_REMARK_WORDS), 0, -1))
    is_thanks = any(_remarks().get(end) is Remark.THANKS for end in ends)
    return Remark.THANKS if is_thanks else None


def _words_to_kith(text: str) -> list[str]:
    """Return the words of a message, without those that only address Kith: "thanks mate"."""
    folded = re.sub(r"(\w)\1{2,}|([aeiouy])\2+\b", r"\1\2", text.lower().replace("’", "'"))
    words = re.findall(r"[^\W_]+(?:'[^\W\d_]+)*", folded)
    words = [word for word in words if word != "kith"]
    while len(words) > 1 and words[-1] in _vocatives():
        if len(words) <= MAX_REMARK_WORDS and " ".join(words) in _remarks():
            break
        words.pop()
    return words


def _phrase_at_beginning(words: Sequence[str]) -> tuple[Remark | None, int]:
    """Return what the longest phrase at the beginning does, and how many words it has."""
    for length in range(min(len(words), MAX_REMARK_WORDS), 0, -1):
        remark = _remarks().get(" ".join(words[:length]))
        if remark is not None:
            return remark, length
    return None, 0


_SLIGHT = (Remark.GREETING, Remark.REACTION, Remark.AGREEMENT)
_ASKING = frozenset((Remark.IDENTITY, Remark.HELP, Remark.JOKE, Remark.PRIVACY, Remark.MODEL))
_POLITE_REMARKS = frozenset((Remark.GREETING, Remark.THANKS, Remark.FAREWELL, Remark.APOLOGY))


@cache
def _vocatives() -> frozenset[str]:
    return frozenset(word for tongue in languages().values() for word in tongue.answers.vocatives)


@cache
def _remarks() -> dict[str, Remark]:
    """Return what each phrase does; of two meanings the first in Remark."""
    remarks: dict[str, Remark] = {}
    for remark in Remark:
        for language in languages().values():
            phrases: Phrases = getattr(language.answers, remark)
            for phrase in phrases:
                remarks.setdefault(phrase, remark)
    return remarks
