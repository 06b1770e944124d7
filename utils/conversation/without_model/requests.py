"""Parse plain requests by a few rules, for servers without a model: wishes, greetings, thanks."""

import re
from dataclasses import dataclass

from utils.models.llm import ToolCall

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
    return None


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
