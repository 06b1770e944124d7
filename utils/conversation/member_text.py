"""Members' words in a prompt: only their own lines, without invites and masked links. Pure.

A turn of the conversation is "Name: text". A member may write lines that look like somebody else's
turn; these are marked as quoted. Nothing decides what a line means: only its form counts.
"""

import re

from utils.common.links import unmasked, without_invites
from utils.common.text import one_line

QUOTED = "> "
_COLON = "[:：︓﹕∶꞉ː]"
_FENCE = "```"
_TIME = r"(?:\d{1,2}[:.]\d{2}|\d{4}-\d{2}-\d{2})"
_SPEAKER = re.compile(
    r"[\s*_~#]*+(?:"
    rf"[\[(][^\[\]()\n]{{0,40}}[\])]\s*+\S[^:：\n]{{0,40}}{_COLON}"  # [12:01] Bob: text
    rf"|[^\s:：<][^:：\n]{{0,40}}{_COLON}(?![/\d]|\w{{1,40}}:)"  # Bob: text
    r"|<(?![@#:/]|a:|t:|id:)[^<>\n]{1,40}>"  # <Bob> text
    rf"|\S[^\n]{{0,40}}?\s[—–-]\s[^\n]{{0,40}}?{_TIME}"  # Bob — Today at 12:01
    r")"
)
_MODEL_TAG = re.compile(r"<(?=\|)|\[(?=/?(?:INST|SYS)\])", re.IGNORECASE)


def safe_words(text: str) -> str:
    """Return a member's message as it stands in a prompt, after their name."""
    text = _MODEL_TAG.sub("(", unmasked(without_invites(text)))
    first, *others = text.split("\n")
    in_code = _FENCE in first and first.count(_FENCE) % 2 == 1
    lines = [first]
    for line in others:
        looks_said = not in_code and _SPEAKER.match(line) is not None
        lines.append(QUOTED + line if looks_said else line)
        if line.count(_FENCE) % 2:
            in_code = not in_code
    return "\n".join(lines)


def safe_line(text: str) -> str:
    """Return a text of a member as one line of a prompt."""
    return one_line(_MODEL_TAG.sub("(", unmasked(without_invites(text))))


def safe_name(name: str) -> str:
    """Return a member's name, in which no colon ends the name early."""
    return re.sub(_COLON, "", one_line(name))
