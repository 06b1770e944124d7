"""Parse plain requests by a few rules, for servers without a model: wishes, greetings, thanks."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from utils.models.llm import ToolCall
from utils.nlp.languages import Phrases, languages

_POLITE = (
    r"^\W*(?:(?:hey|hi|ok|okay|please|pls|kith|can you|could you|would you|you can|you should|"
    r"i want you to|i(?:['’]d| would) like you to|bitte|kannst du|könntest du|würdest du|du kannst|"
    r"du sollst|ich (?:will|möchte|hätte gern),? dass du|mal|doch|hallo)\b[\s,!:]*)*"
)
_AGREED = r"(?:(?P<agreed>yes|yep|yeah|sure|ja|jo|klar)\b[\s,!:.]*(?:please|bitte)?[\s,]*)?"
_FORGET = (
    r"(?:forget|erase|delete|vergiss|vergesse|vergessen|vergisst|lösch|lösche|löschen|löschst"
    r"|unremember|stop remembering"
    r"|(?:don['’]?t|do not|never|i don['’]?t want you to|i do not want you to) "
    r"(?:remember|save|store|note)"
    r"|merke? dir (?:bitte )?(?:nicht?|ned|net)|speichere? (?:bitte )?nicht?)"
    r"(?:,\s*|\s+)(?:(?:please|bitte|mal|doch|einfach)\b(?:,\s*|\s+))*"
)
_ME = r"(?:about|of|on|über|von)\s+(?:me|mich|mir)"
_FORGET_ALL = re.compile(
    _POLITE
    + _AGREED
    + rf"(?:{_FORGET}|(?:wipe|clear|remove)\s+)"
    + rf"(?:(?:everything|anything|all|it all|alles)(?:,?\s+"
    rf"(?:that\s+)?(?:you know|you remember|du weißt|was du weißt|was du (?:über mich )?"
    rf"weißt))?(?:\s+{_ME})?(?:\s+weißt)?"
    r"|(?:all |alle )?(?:my|meine)\s+(?:data|memories|messages|daten|erinnerungen|nachrichten)|me|"
    r"mich)"
    r"(?:\s+(?:please|bitte))?[\s.!?]*$",
    re.IGNORECASE,
)
_FORGET_ABOUT = re.compile(
    _POLITE + _AGREED + _FORGET + r"(?:everything|all|alles)\s+(?:(?:that\s+)?(?:you know|i said|"
    r"i told you|"
    r"was du weißt|was ich gesagt habe|was ich dir gesagt habe)\s+)?(?:about|of|on|über|von|zu)\s+"
    r"(?P<what>[^\n]{1,80}?)[\s.!?]*$",
    re.IGNORECASE,
)
_FORGET_LAST = re.compile(
    _POLITE + _FORGET + r"(?:(?:my|the|that|this|meine|die)\s+(?:last|previous|letzte|vorige)\s+"
    r"(?:message|sentence|thing(?: i (?:just )?(?:said|wrote|told you))?|nachricht)|"
    r"(?:what|that) i (?:just )?(?:said|wrote)"
    r"(?: just now)?|was ich (?:gerade|grade?|eben|zuletzt) (?:gesagt|geschrieben) habe?)"
    r"(?:\s+(?:please|bitte))?[\s.!?]*$",
    re.IGNORECASE,
)
_FORGET_ONE = re.compile(
    _POLITE + _FORGET + r"(?:(?:that|this|the) (?:whole )?(?:thing|stuff|bit|part) "
    r"(?:(?:that )?i (?:said|told you|mentioned) )?(?:about|with|of)\s+"
    r"|die (?:ganze )?sache mit\s+|(?P<that>that|dass)\s+|about\s+|das mit\s+"
    r"|(?:that )?i (?:ever )?(?:mentioned|told you about)\s+"
    r"|what (?:i|you) (?:said|told you|know) (?:about|of)\s+"
    r"|was (?:ich|du) (?:dir )?(?:über|von)\s+)?(?P<what>[^\n]{1,300}?)"
    r"(?:\s+(?:gesagt|erzählt) (?:habe|hab|hast)|\s+(?:thing|stuff))?"
    r"(?:,?\s+(?:please|bitte))?[\s.!?]*$",
    re.IGNORECASE,
)
_WHAT_TO_FORGET = (
    r"(?:bitte\s+)?(?:das mit\s+)?(?P<what>(?!ich\b|dass\b|bitte\b)[^\n,]{1,80}?)\s+(?:bitte\s+)?"
)
_FORGET_AT_END = tuple(
    re.compile(rf"{_POLITE}{wish}(?:,?\s+(?:please|bitte))?[\s.!?]*$", re.IGNORECASE)
    for wish in (
        rf"(?:remove|delete|erase|wipe) {_WHAT_TO_FORGET}from (?:your |the )?"
        r"(?:memory|memories|notes|mind)",
        rf"(?:(?:kannst|könntest|würdest) du|du (?:kannst|sollst)|ich (?:will|möchte),? dass du) "
        rf"{_WHAT_TO_FORGET}(?:wieder )?(?:vergessen|löschen|vergisst|löschst)",
        rf"ich (?:will|möchte) nicht,? dass du (?:dir )?{_WHAT_TO_FORGET}"
        r"(?:merkst|weißt|speicherst)",
        rf"merke? dir (?:bitte )?{_WHAT_TO_FORGET}nicht",
    )
)
"""Wishes whose verb, or its second half, comes after what is to be forgotten."""
_MEANT = re.compile(
    r"(?:#?\d+|i\b|i['’]?m\b|my\b|we\b|our\b|ich\b|mein\w*\b|wir\b|unser\w*\b|you (?:wanted|were|"
    r"are|should|had)\b"
    r".{0,20}\bask)",
    re.IGNORECASE,
)
_OWN = re.compile(r"\b(?:i|i['’]m|my|me|our|ich|mein\w*|unser\w*)\b", re.IGNORECASE)
_IDLE = re.compile(
    r"(?:it|that|this|about it|him|her|them|me|you|everyone|everything|all|nothing|to|not|es|das"
    r"(?! \w)|"
    r"nicht|dass|please|bitte|mal|doch|ihn|"
    r"sie|mich|dich|uns|euch|the(?! \w)|those|these|what|how|who|wer|wie|"
    r"was|never mind)\b",
    re.IGNORECASE,
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
MAX_NAMED_WORDS = 3
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


@dataclass(frozen=True, slots=True)
class ForgetRequest:
    """A wish to forget.

    Attributes:
        what: what is to be forgotten; empty: everything.
        is_everything: all that mentions ``what``, which is asked back first.
        is_confirmed: the message itself says yes to that question.
        is_name: ``what`` is a name or a thing ("Tofu"), not a sentence.
        is_last: their last message before this one.
        asked_in: the id of the message that this one says yes to; 0: none.
    """

    what: str
    is_everything: bool = False
    is_confirmed: bool = False
    is_name: bool = False
    is_last: bool = False
    asked_in: int = 0


def parse_intent(text: str) -> ToolCall | None:
    """Return the tool call that a message plainly asks for, or None."""
    request = parse_forgetting(text)
    if request is not None and request.what and not request.is_everything:
        return ToolCall("", "forget", {"what": request.what})
    if match := _ASK.match(text) or _ASK_AFTER.match(text):
        if match["remind"]:
            what = match["what"].removeprefix("to ")
            return ToolCall("", "remind", {"what": what, "when": match["day"]})
        return ToolCall("", "ask_later", {"what": match["what"], "day": match["day"]})
    return ToolCall("", "list_memories", {}) if _LIST.match(text) else None


def parse_forgetting(text: str) -> ForgetRequest | None:
    """Return what a message asks to forget, in English or German; None if it is mere talk."""
    if match := _FORGET_ALL.match(text):
        return ForgetRequest("", is_everything=True, is_confirmed=bool(match["agreed"]))
    if match := _FORGET_ABOUT.match(text):
        return ForgetRequest(match["what"], is_everything=True, is_confirmed=bool(match["agreed"]))
    if _FORGET_LAST.match(text):
        return ForgetRequest("", is_last=True)
    at_end = next((match for wish in _FORGET_AT_END if (match := wish.match(text))), None)
    match = at_end or _FORGET_ONE.match(text)
    if match is None:
        return None
    what = match["what"].strip(" ,")
    has_that = at_end is None and bool(match["that"])
    if _MEANT.match(what) or (has_that and _OWN.search(what)):
        return ForgetRequest(what)
    is_name = not has_that and len(what.split()) <= MAX_NAMED_WORDS and not _IDLE.match(what)
    return ForgetRequest(what, is_name=True) if is_name else None


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
