"""Which lines of a message are quoted or pasted: its author shows them, but did not say them. Pure.

They are known by their form alone: Discord's block quotes, and what clients copy to the clipboard,
a name and a time on a line of their own with the words below, or before the words on one line.
"""

import re
from collections.abc import Sequence

_QUOTE_TO_THE_END = re.compile(r"\s*>>>(?:\s|$)")
_TIME = r"(?:\d{1,2}[:.]\d{2}|\d{1,4}[./-]\d{1,2}[./-]\d{1,4})"
_CLOCK = r"\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]\.?\s?m\.?)?"
_DATE = r"\d{1,4}[./-]\s?\d{1,2}[./-]\s?\d{1,4}[.,]?\s"
_SENT = r"\b\d{4}[^<>\n]{1,12}?\d{1,2}[:.]\d\d"
_NAME = r"[^\s:<][^:\n]{0,40}:"
_NICK = r"<[@+%&~ ]?[^\W\d][^<>@\n:/]{0,40}>"
_ADDRESS = r"<[^\s<>@]{1,64}@[^\s<>]{1,64}>"
_SENDER = rf"\s*[^\W\d_]{{2,8}}:\s*[^<>\n]{{0,60}}{_ADDRESS}\s*"
_COPIED = re.compile(
    r"\s*(?:"
    + "|".join(
        (
            rf"(?:\S[^\n]{{0,60}}?\s*)?—\s[^\n]{{0,40}}?{_TIME}\s*\w{{0,4}}\.?",  # Discord
            rf"(?:\S[^\n]{{0,60}}?)?, \[[^\n]{{0,20}}?{_TIME}\s*\w{{0,4}}\]",  # Telegram
            r"\S[^\n]{0,60}?, \[[^\]\n]{0,20}?\d:\d\d:\d\d\s?[AP]M\]:",  # its program for macOS
            # DiscordChatExporter, whose names are as Discord's accounts; no "[… 9:00] Dentist"
            r"\[\d\d?(?:[./]\d\d?[./]|-[A-Z][a-z]{2}-)\d{2,4} \d\d?[:.]\d\d(?: [AP]M)?\] "
            r"(?:[a-z\d_.]{2,32}|[^\n:]{2,32}#\d{4})",
            rf"{_SENDER}\w+:\s[^\n]*{_SENT}[^\n]*",  # a mail
            rf"[^<>\n]{{0,60}}{_SENT}[^<>\n]{{0,60}}{_ADDRESS}[^<>\n]{{0,20}}:",  # an answer to one
            r"[\d:]{5,8}[.,]\d{3}\s-->\s[\d:]{5,8}[.,]\d{3}[^\n]*",  # subtitles
        )
    )
    + r")\s*"
)
_COPIED_LINE = re.compile(
    r"\s*(?:"
    + "|".join(
        (
            rf"\[(?:{_DATE})?{_CLOCK}\]\s*{_NAME}",  # Discord's compact display, WhatsApp
            rf"{_DATE}(?:{_CLOCK}|klo\s[\d.]+)\s[-–]\s{_NAME}",  # no "10:15 gym: legs"
            rf"\d{{4}}(?:\. \d\d?){{2}}\. {_CLOCK}, [^\s:][^:\n]{{0,40}}\s:",  # KakaoTalk
            rf"\[[^\W\d][^\]\n]{{1,40}}\]\s\[[가-힣]{{2}} {_CLOCK}\]",
            rf"\((?:{_DATE}\d\d:\d\d:\d\d(?: [AP]M)?|\d\d:\d\d:\d\d [AP]M)\)\s+{_NAME}",  # Pidgin
            r'<\d\d:\d\d:\d\d>\s"[^"\n]{1,40}":',  # TeamSpeak
            # IRC
            rf"(?:\[[^\]<\n]{{0,40}}\]\s)?\[[^\]<\n]{{0,30}}\d:\d\d[^\]<\n]{{0,9}}\]\s*{_NICK}",
            rf"(?:[a-z]{{3}}\s)?[\d./-]{{0,10}}[\sT]?{_CLOCK}(?:[+-]\d{{4}}|Z)?\s+{_NICK}",
            r"\d\d:\d\d:\d\d\s+(?:(?=[^\s>]+>)|(?<=\s\s))[@+%&~]?[^\W\d][^\s|>]{0,30}(?:>|\s\|)",
            r"[\d-]{10}\s\d\d:\d\d:\d\d\t\S{1,60}(?=\t)",  # WeeChat
            r"\d\d:\d\d:\d\d\t\s[^\t\n]{1,60}?\s:",  # Zoom
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
        # Some programs paste each part on its own line; a mail has its day below its sender.
        parts = 2 if line.strip() == "—" or re.fullmatch(_SENDER, line) else 1
        head = " ".join(lines[number : number + parts])
        is_copied = number + parts < len(lines) and _COPIED.fullmatch(head)
        if is_copied or _QUOTE_TO_THE_END.match(line):
            name_stands_above = line.lstrip().startswith("—") and number > 0
            return quoted | set(range(number - name_stands_above, len(lines)))
        if line.lstrip().startswith(">") or _COPIED_LINE.match(line):
            quoted.add(number)
    return quoted


def without_quoted_lines(text: str) -> str:
    """Return a text with an empty line for each that is quoted or pasted."""
    lines = text.split("\n")
    quoted = quoted_lines(lines)
    return "\n".join("" if number in quoted else line for number, line in enumerate(lines))
