"""Which lines of a message are quoted or pasted: its author shows them, but did not say them. Pure.

They are known by their form alone: Discord's block quotes, and what clients copy to the clipboard,
a name and a time on a line of their own with the words below, or before the words on one line.
"""

import re
from collections.abc import Sequence

_QUOTE = re.compile(r"\s*>")
_QUOTE_TO_THE_END = re.compile(r"\s*>>>(?:\s|$)")
_TIME = r"(?:\d{1,2}[:.]\d{2}|\d{1,4}[./-]\d{1,2}[./-]\d{1,4})"
_CLOCK = r"\d{1,2}[:.]\d\d(?::\d\d)?(?:\s?[ap]\.?\s?m\.?)?"
_DATE = r"\d{1,4}[./-]\s?\d{1,2}[./-]\s?\d{1,4}[.,]?\s"
_DATE_AND_CLOCK = r"\w{0,9}[ ,]{0,2}\d[^\]\n]{1,20}?\s\d{1,2}[:.]\d\d[^\]\n]{0,9}"
_NAME = r"[^\s:<][^:\n]{0,40}:"
_NICK = r"<[@+%&~ ]?[^\W\d][^<>\n:/]{0,40}>"
_ADDRESS = r"<[^\s<>@]{1,64}@[^\s<>]{1,64}>"
_COPIED = re.compile(
    r"\s*(?:"
    + "|".join(
        (
            rf"(?:\S[^\n]{{0,60}}?\s*)?—\s[^\n]{{0,40}}?{_TIME}\s*\w{{0,4}}\.?",  # Discord
            rf"(?:\S[^\n]{{0,60}}?)?, \[[^\]\n]{{0,20}}?{_TIME}[^\]\n]{{0,9}}\]:?",  # Telegram
            r"(?:(?:\S[^\n]{0,60})? {2})\d{1,2}:\d\d [AP]M",  # Slack
            rf"\[{_DATE_AND_CLOCK}\]\s+[^\W\d][^:\n]{{0,60}}",  # DiscordChatExporter
            r"\[[^\W\d]+\s\d{1,2}[:.]\d\d\]\s+[A-ZÀ-Þ][^:\n]{0,60}",  # Teams; no "[Mon 9:00] gym"
            rf"[^\W\d_]{{2,8}}:\s*[^<>\n]{{0,60}}{_ADDRESS}",  # a forwarded mail's sender
            rf"[^<>\n]{{0,90}}{_ADDRESS}[^<>\n]{{0,20}}:",  # "…, Ada <ada@x.example> wrote:"
            r"[\d:.,]{5,12}\s-->\s[\d:.,]{5,12}[^\n]*",  # subtitles
            r"BEGIN:V[A-Z]+",  # contacts, calendars
        )
    )
    + r")\s*"
)
_COPIED_LINE = re.compile(
    r"\s*(?:"
    + "|".join(
        (
            rf"\[(?:{_DATE})?{_CLOCK}\]\s*{_NAME}",  # Discord's compact display, WhatsApp
            rf"{_DATE}(?:\w{{1,4}}\s)?{_CLOCK}(?:\s[-–]|,)\s{_NAME}",  # no "10:15 gym: legs"
            rf"\((?=[^)\n]*:\d\d:)(?:{_DATE})?{_CLOCK}\)\s+{_NAME}",  # Pidgin
            rf"(?:<\d\d:\d\d:\d\d>|\d\d:\d\d:\d\d\s-)\s{_NAME}",  # TeamSpeak, Profanity
            rf"\[[^<\n]{{0,60}}\d[:.]\d\d[^<\n]{{0,40}}{_NICK}",  # IRC
            rf"(?:[a-z]{{3}}\s)?[\d./-]{{0,10}}[\sT]?{_CLOCK}(?:[+-]\d{{4}}|Z)?\s*{_NICK}",
            r"\d{1,2}:\d\d:\d\d\s+[@+%&~]?[^\W\d][^\s|>]{0,30}\s?[|>]",
            r"[^\t\n]{0,30}\d:\d\d\t\s*\S[^\t\n]{0,60}?(?:(?=\t)|\s:)",  # WeeChat, LINE, Zoom
            r"\[[^\]\n]{1,40}\]\s\[[^\]\n]{0,12}\d:\d\d[^\]\n]{0,12}\]",  # KakaoTalk
        )
    )
    + r")\s+\S",
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
            name_stands_above = number > 0 and re.match(r"\s*—|  \d", line) is not None
            return quoted | set(range(number - name_stands_above, len(lines)))
        if _QUOTE.match(line) or _COPIED_LINE.match(line):
            quoted.add(number)
    return quoted


def without_quoted_lines(text: str) -> str:
    """Return a text with an empty line for each that is quoted or pasted."""
    lines = text.split("\n")
    quoted = quoted_lines(lines)
    return "\n".join("" if number in quoted else line for number, line in enumerate(lines))
