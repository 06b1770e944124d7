"""Links in texts that people will read: masked ones shown, invites to servers removed. Pure.

A masked link hides where it leads behind other words. Discord also makes a preview with a button of
every invite, in whatever spelling a browser would understand. For the preview of any other link it
fetches the address, so a site would learn what a talked-over model wrote into it.
"""

import re
import unicodedata
from collections.abc import Iterator
from enum import StrEnum
from urllib.parse import unquote

INVITE_REMOVED = "(invite removed)"
LINK_REMOVED = "(link removed)"


class LinkMode(StrEnum):
    """How links in answers are shown.

    PLAIN: as plain addresses, without previews and invites. NONE: not at all. ANY: as the model
    wrote them.
    """

    PLAIN = "plain"
    NONE = "none"
    ANY = "any"


_MASKED = re.compile(  # or a picture, as Markdown has them
    r"(?:(?<!\w)!)?\[([^\[\]\n]{1,200})\]\(<?(https?://[^\s<>()]{1,1000})>?\)", re.IGNORECASE
)
# Every other form that begins an address after "](": a space between them and it is no link.
_MASKED_SOMEHOW = re.compile(r"\]\((?=\s*+[^)]{0,60}:)")
_TOKEN = re.compile(r"[^\s()\[\]<>\"'`|*]+")
_WEB_ADDRESS = re.compile(r"\bhttps?://[^\s<>\"`|\\^{}\[\]]{1,2000}", re.IGNORECASE)
_PREVIEWED = re.compile(r"<https?://[^\s<>]*>|https?://[^\s<>]+", re.IGNORECASE)
_BACKTICKS = re.compile(r"`+")
_ESCAPED_OR_BACKTICKS = re.compile(r"\\[\\`]|`+")
MAX_BACKTICKS = 3
MAX_ADDRESS = 1000
_PUNCTUATION = ".,;:!?'*_~’‘”“»\"|]}"
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]{0,20}:/|www\.", re.IGNORECASE)
_DOTS = str.maketrans({"。": ".", "．": ".", "｡": ".", "․": "."})
_INVITE = re.compile(
    r"(?<![a-z0-9-])(?:"
    r"(?:discord\.(?:gg|me|io|li)|dsc\.gg|invite\.gg)\.?(?::\d{0,5})?[/?#]"
    r"|discord(?:app)?\.com\.?(?::\d{0,5})?/.{0,40}?invite\b)"
)
_IN_ASCII_INVITES = ("discord", ".gg", "%", "\\")  # one of these is in each

_ONLY_INVITE = re.escape(INVITE_REMOVED)
_AROUND_INVITE = re.compile(
    rf"(?:\[(?P<label>[^\[\]\n]{{1,200}})\])?(?:\(<?{_ONLY_INVITE}>?\)|<{_ONLY_INVITE}>)"
)


def shown(text: str, mode: LinkMode) -> str:
    """Return a text with its links as a mode wants them."""
    if mode is LinkMode.ANY:
        return text
    text = unmasked(without_invites(text))
    if mode is LinkMode.PLAIN:
        return without_previews(text)
    if not _ADDRESS.search(text):
        return text
    removed = _TOKEN.sub(
        lambda token: LINK_REMOVED if _ADDRESS.search(token[0]) else token[0], text
    )
    return removed.replace(f"({LINK_REMOVED})", LINK_REMOVED)


def addresses_in(text: str) -> list[str]:
    """Return the web addresses in a text, each once, without the punctuation that follows them."""
    addresses: dict[str, None] = {}
    for match in _WEB_ADDRESS.finditer(text):
        addresses[_without_punctuation(match[0])] = None
    return list(addresses)


def _without_punctuation(address: str) -> str:
    """Return an address without what follows it in a sentence."""
    address = address.rstrip(_PUNCTUATION)
    while address.endswith(")") and address.count(")") > address.count("("):
        address = address[:-1].rstrip(_PUNCTUATION)
    return address


def unmasked(text: str) -> str:
    """Return a text in which masked links stand as plain addresses."""
    if "](" not in text:
        return text
    return _MASKED_SOMEHOW.sub("] (", _MASKED.sub(_as_plain, text))


def without_previews(text: str) -> str:
    """Return a text with its links between < and >, so that Discord shows no preview.

    It makes none of links in code either.
    """
    parts, end = [], 0
    for start, code_end in _code(text) if "://" in text else ():
        parts += [_PREVIEWED.sub(_without_preview, text[end:start]), text[start:code_end]]
        end = code_end
    return "".join([*parts, _PREVIEWED.sub(_without_preview, text[end:])])


def _without_preview(link: re.Match[str]) -> str:
    if len(link[0]) > MAX_ADDRESS:  # it might be divided, and its first part have a preview
        return LINK_REMOVED
    if link[0].startswith("<"):
        return link[0]
    address = _without_punctuation(link[0])
    return f"<{address}>{link[0][len(address) :]}"


def _code(text: str) -> Iterator[tuple[int, int]]:
    """Yield where code begins and ends, as Discord pairs backticks; none if that is doubtful."""
    runs = [(run.start(), run.end()) for run in _BACKTICKS.finditer(text)]
    if any(end - start > MAX_BACKTICKS for start, end in runs):
        return
    closing: dict[int, list[tuple[int, int]]] = {}
    for start, end in reversed(runs):
        closing.setdefault(end - start, []).append((start, end))
    position = 0
    while opening := _ESCAPED_OR_BACKTICKS.search(text, position):
        position = opening.end()
        candidates = closing.get(len(opening[0]), []) if opening[0][0] == "`" else []
        while candidates and candidates[-1][0] <= position:
            candidates.pop()
        if candidates:
            position = candidates[-1][1]
            yield opening.start(), position


def without_invites(text: str) -> str:
    """Return a text without invites to Discord servers, in any spelling that leads there."""
    lowered = text.lower()
    if text.isascii() and not any(part in lowered for part in _IN_ASCII_INVITES):
        return text
    without = _TOKEN.sub(lambda token: INVITE_REMOVED if _is_invite(token[0]) else token[0], text)
    return text if without == text else _AROUND_INVITE.sub(_without_marks, without)


def _without_marks(invite: re.Match[str]) -> str:
    """Return what stands in place of an invite that was masked, or stood between marks."""
    label = (invite["label"] or INVITE_REMOVED).strip()
    return INVITE_REMOVED if label == INVITE_REMOVED else f"{label} {INVITE_REMOVED}"


def _as_plain(link: re.Match[str]) -> str:
    label, address = link[1].strip(), link[2]
    return address if label == address else f"{label} ({address})"


def _is_invite(token: str) -> bool:
    """Whether a word without blanks is an invite, read as a browser reads addresses."""
    if "/" not in token and "\\" not in token and "%" not in token and token.isascii():
        return "?" in token and _INVITE.search(token.casefold()) is not None
    plain = unicodedata.normalize("NFKC", unquote(token)).translate(_DOTS).casefold()
    plain = "".join(char for char in plain if unicodedata.category(char) not in ("Cf", "Mn"))
    readings = (plain.replace("\\", "/"), plain.replace("\\", ""))
    return any(_INVITE.search(reading) for reading in readings)
