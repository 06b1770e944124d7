"""What a member asks in plain words where no model reads them: the same tools, by a few rules."""

import re

from utils.model.llm import ToolCall

_POLITE = r"^\W*(?:(?:hey|hi|ok|okay|please|pls|kith|can you|could you|would you)\b[\s,!:]*)*"
_FORGET = re.compile(
    _POLITE
    + r"(?:forget|erase|delete)\s+"
    + r"(?:that\s+|about\s+|what (?:i|you) (?:said|know) (?:about|of)\s+)?"
    + r"(?P<what>(?:#?\d+|i\b|i['’]m\b|my\b).*?)[\s.!?]*$",
    re.IGNORECASE | re.DOTALL,
)
_LIST = re.compile(
    _POLITE + r"what (?:do|did) you (?:know|remember) (?:about|of) me\b[\s.!?]*$", re.IGNORECASE
)


def wished(text: str) -> ToolCall | None:
    """Return the tool call that a message plainly asks for, or None."""
    if found := _FORGET.match(text):
        return ToolCall("", "forget", {"what": found["what"]})
    return ToolCall("", "list_memories", {}) if _LIST.match(text) else None
