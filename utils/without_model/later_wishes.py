"""Recognise wishes to be asked or reminded later, where no language model is set. Pure."""

import re

from utils.models.llm import ToolCall

_POLITE = (
    r"^\W*(?:(?:hey|hi|ok|okay|please|pls|kith|can you|could you|would you|you can|you should|"
    r"i want you to|i(?:['’]d| would) like you to|bitte|kannst du|könntest du|würdest du|du kannst|"
    r"du sollst|ich (?:will|möchte|hätte gern),? dass du|mal|doch|hallo)\b[\s,!:]*)*"
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


def parse_later_wish(text: str) -> ToolCall | None:
    """Return the call of ask_later or remind that a message plainly asks for, or None."""
    if match := _ASK.match(text) or _ASK_AFTER.match(text):
        if match["remind"]:
            what = match["what"].removeprefix("to ")
            return ToolCall("", "remind", {"what": what, "when": match["day"]})
        return ToolCall("", "ask_later", {"what": match["what"], "day": match["day"]})
    return None
