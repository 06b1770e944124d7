"""Which lines of a message are quoted or pasted: its author shows them, but did not say them. Pure.

They are known by their form alone: Discord's block quotes, and what clients copy to the clipboard,
a name and a time on a line of their own with the words below, or before the words on one line.
"""

import re
from collections.abc import Sequence

_QUOTE = re.compile(r"\s*>")
_QUOTE_TO_THE_END = re.compile(r"\s*>>>(?:\s|$)")
_TIME = r"(?:\d{1,2}[:.]\d{2}|\d{1,4}[./-]\d{1,2}[./-]\d{1,4})"
_COPIED = re.compile(
    rf"(?:\s*\S[^\n]{{0,60}}?)?(?:\s*—\s[^\n]{{0,40}}?{_TIME}\s*\w{{0,4}}\.?|"
    rf", \[[^\n]{{0,20}}?{_TIME}\s*\w{{0,4}}\])\s*"
)
_COPIED_LINE = re.compile(  # of Discord's compact display, WhatsApp, IRC; no "10:15 gym: legs"
    r"\s*(\[)?(\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?\s)?\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]m)?(?(1)\]\s*|\s)"
    r"(?:(?(1)|(?(2)[-–]\s|(?!)))[^\s:<][^:\n]{0,40}:|<[@+ ]?[^\W\d][^<>\n:/]{0,40}>)\s+\S",
    re.IGNORECASE,
)


def quoted_lines(lines: Sequence[str]) -> set[int]:
    """Return the numbers of the lines that are somebody else's.

    ``>>>`` quotes to the end. So does a copied name with its time: where the words of the last
    message that was copied end is not written anywhere.
    """
    quoted: set[int] = set()
    for number, line in enumerate(lines):
        parts = 2 if line.strip() == "—" else 1  # some programs paste each part on its own line
        head = " ".join(lines[number : number + parts])
        is_copied = number + parts < len(lines) and _COPIED.fullmatch(head)
        if is_copied or _QUOTE_TO_THE_END.match(line):
            name_stands_above = line.lstrip().startswith("—") and number > 0
            return quoted | set(range(number - name_stands_above, len(lines)))
        if _QUOTE.match(line) or _COPIED_LINE.match(line):
            quoted.add(number)
    return quoted


def without_quoted_lines(text: str) -> str:
    """Return a text with an empty line for each that is quoted or pasted."""
    lines = text.split("\n")
    quoted = quoted_lines(lines)
    return "\n".join("" if number in quoted else line for number, line in enumerate(lines))
