"""Parse plain requests into tool calls by a few rules, for servers without a model."""

import re

from utils.models.llm import ToolCall

_POLITE = r"^\W*(?:(?:hey|hi|ok|okay|please|pls|kith|can you|could you|would you)\b[\s,!:]*)*"
_FORGET = re.compile(
    _POLITE
    + r"(?:forget|erase|delete)\s+"
    + r"(?:that\s+|about\s+|what (?:i|you) (?:said|know) (?:about|of)\s+)?"
    + r"(?P<what>(?:#?\d+|i\b|i['’]m\b|my\b|you (?:wanted|were|are|should|had)\b.{0,20}\bask).*?)"
    + r"[\s.!?]*$",
    re.IGNORECASE | re.DOTALL,
)
_LIST = re.compile(
    _POLITE + r"what (?:do|did) you (?:know|remember) (?:about|of) me\b[\s.!?]*$", re.IGNORECASE
)
_DAY = r"(?P<day>(?:on|in|next|tomorrow|tonight|the day after tomorrow)\b[^?!.,\n]{0,30}?)"
_WHAT = r"(?P<what>(?:how|whether|if|about|what|who|where|when)\b[^\n]{0,300}?)"
_ASK = re.compile(rf"{_POLITE}ask me\s+(?:again\s+)?{_DAY}\s+{_WHAT}[\s.!?]*$", re.IGNORECASE)
_ASK_AFTER = re.compile(rf"{_POLITE}ask me\s+(?:again\s+)?{_WHAT}\s+{_DAY}[\s.!?]*$", re.IGNORECASE)


def parse_intent(text: str) -> ToolCall | None:
    """Return the tool call that a message plainly asks for, or None."""
    if match := _FORGET.match(text):
        return ToolCall("", "forget", {"what": match["what"]})
    if match := _ASK.match(text) or _ASK_AFTER.match(text):
        return ToolCall("", "ask_later", {"what": match["what"], "day": match["day"]})
    return ToolCall("", "list_memories", {}) if _LIST.match(text) else None
