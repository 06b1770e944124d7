"""One spelling for what can be spelt in many ways, so that a lexicon need know only one. Pure.

Undoes what people do to slip past a filter: full-width and styled letters, invisible and combining
characters, look-alikes from other alphabets, letters spaced out, digits for letters. Work is linear
in the length of the text. Not undone: ciphers, base64, words spelt backwards.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence

from utils.text import clean

_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U000e0000-\U000e0fff]+"
)
_MARK = "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_MARKS = re.compile(f"[{_MARK}]+")
_MARKED = re.compile(f"[\xc0-\u024f\u0370-\u045f\u0490-\u052f\u1e00-\u1fff{_MARK}]")


def _table(alike: str, plain: str) -> dict[int, str]:
    return dict(zip(map(ord, alike), plain, strict=True))


# Letters that compatibility forms leave alone: small capitals, squared letters, flags, strokes.
_LETTERS: dict[int, str] = {
    **_table("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnopqrstuvwyz"),
    **_table("øłđðıɑɡʟɾŧħØŁĐ", "olddiaglrthOLD"),
    **{first + n: chr(97 + n) for first in (0x1F150, 0x1F170, 0x1F1E6) for n in range(26)},
    **_table("‘’ʼ`´‚", "''''''"),
    **_table("‐‑‒–—―−", "-------"),
    **_table("“”„«»", '"""""'),
    **_table("。．！？：；、，", "..!?:;,,"),
    **_table("\x0b\x0c\x85\u2028\u2029", "\n\n\n\n\n"),
}
_ODD = re.compile(
    "[\x0b\x0c\x85`«´»ðøØŁłĐđħıŧǫɑɡɢɪɴʀʏʟɾʙʜ\u02bc\u1d00-\u1d22\u2010-\u201e\u2028\u2029\u2212"
    "\u3001\u3002\ua730\ua731\uff01-\uff1f\U0001f150-\U0001f1ff]"
)
# Cyrillic, Greek and Armenian letters that look like a Latin one, upper and lower case.
_TWINS = {
    **_table("асеһіјкмнорѕтухԁԛԝвѵӏ", "acehijkmhopstyxdqwbvl"),
    **_table("АВСЕНІЈКМОРЅТУХԌԚԜӀ", "ABCEHIJKMOPSTYXGQWI"),
    **_table("αβεηικνορτυχωγσμ", "abenikvoptuxwyou"),
    **_table("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"),
    **_table("օսոհգ", "ounhq"),
}
# The other way round: Latin letters inside a Cyrillic word.
_CYRILLIC = _table("aceiopxykmtnbhACEOPXKMTBH", "асеіорхукмтпвнАСЕОРХКМТВН")
_WORD = re.compile(r"\w+")
_FOREIGN_DIGIT = re.compile(
    "[\u0660-\u0669\u06f0-\u06f9\u07c0-\u07c9\u0966-\u096f\u09e6-\u09ef\u0a66-\u0a6f\u0ae6-\u0aef"
    "\u0b66-\u0b6f\u0be6-\u0bef\u0c66-\u0c6f\u0ce6-\u0cef\u0d66-\u0d6f\u0e50-\u0e59\u0ed0-\u0ed9"
    "\u0f20-\u0f29\u1040-\u1049\u17e0-\u17e9\u1810-\u1819]"
)
_LATIN = re.compile("[A-Za-z]")
_ALIKE = re.compile("[\u0370-\u03ff\u0400-\u052f\u0531-\u058f]")
_ONLY_LATIN = re.compile("[dfgjlqrsuvwzDFGIJLNQRSUVWYZ]")
_ONLY_CYRILLIC = re.compile("[бгджзийлпфцчшщъыьэюя]", re.IGNORECASE)


def fold(text: str) -> str:
    """Return a text in plain letters, case kept: NFKC, nothing hidden, no accent, no look-alike."""
    text = clean(text)
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKC", text)
    if _MARKED.search(text):  # kana and Hangul would only be taken apart and put together again
        text = unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFD", text)))
    text = _HIDDEN.sub("", text)
    if text.isascii():
        return text
    if _ODD.search(text):
        text = text.translate(_LETTERS)
    if _FOREIGN_DIGIT.search(text):
        text = _FOREIGN_DIGIT.sub(lambda match: str(int(match[0])), text)
    if _ALIKE.search(text) and _LATIN.search(text):
        text = _WORD.sub(_one_alphabet, text)
    return text


def disguises(folded: str, tokens: Sequence[str], *, has_digits: bool) -> list[str]:
    """Return other readings of a folded, casefolded text, should it be one that hides words.

    Those are: lines joined, spaced-out letters joined, digits and signs for letters, words spelt
    wholly in look-alikes. Most texts have none. ``tokens`` are the words of the text.
    """
    readings = [folded.replace("\n", " ")] if "\n" in folded else []
    if len([token for token in tokens if len(token) == 1]) > 3 and _SPACED_OUT.search(folded):
        readings.append(_SPACED_OUT.sub(_join, folded))
    mixed = has_digits and any(map(_is_mixed, tokens))
    if mixed or readings or any(map(folded.__contains__, "@$!|")):
        for text in [folded, *readings]:
            if _LEET.search(text):
                spellings = _LEET_SPELLINGS if "1" in text or "|" in text else _LEET_SPELLINGS[:1]
                readings += [_LEET_WORD.sub(spelling, text) for spelling in spellings]
    if not folded.isascii() and _LATIN.search(folded):
        twin = folded.translate(_TWINS)
        if twin != folded:
            readings.append(twin)
    return readings


def _one_alphabet(match: re.Match[str]) -> str:
    word = match[0]
    if word.isascii() or not (_LATIN.search(word) and _ALIKE.search(word)):
        return word
    if _ONLY_CYRILLIC.search(word) and not _ONLY_LATIN.search(word):
        return word.translate(_CYRILLIC)
    return word.translate(_TWINS)


def _is_mixed(token: str) -> bool:
    return len(token) > 3 and not token.isalpha() and not token.isdecimal()


# --- letters spaced out ------------------------------------------------------------------------

_SPACED_OUT = re.compile(r"(?<![^\W_])(?:[^\W_][ .\-_*~+|,/]{1,3}){3,60}[^\W_](?![^\W_])")
_WIDE = re.compile(r"\s{2,}")
_BETWEEN = re.compile(r"[ .\-_*~+|,/]")


def _join(match: re.Match[str]) -> str:
    return " ".join(_BETWEEN.sub("", part) for part in _WIDE.split(match[0]))


# --- digits and signs for letters --------------------------------------------------------------

_LEET = re.compile(
    r"[^\W\d_][0134578@$!|]{1,6}[^\W\d_]|(?<![^\W_])[0134578@$!|]{1,4}[^\W\d_]{2}|\$\$"
)
_LEET_WORD = re.compile(
    r"[^\W_]+(?:[@$!|]+[^\W_]+)*\$*"
    r"|(?<![@$!|])[@$!|]{1,4}[^\W_]+(?:[@$!|]+[^\W_]+)*\$*"
)
_LEET_CYRILLIC = _table("034", "озч")


def _spelling(one: str) -> Callable[[re.Match[str]], str]:
    """Return how to spell a word when ``one`` is what the digit 1 stands for."""
    latin = _table("0134578@$!|", f"o{one}eastbasi{one}")

    def spell(match: re.Match[str]) -> str:
        word = match[0]
        if word.isalpha() or word.isdecimal():
            return word
        return word.translate(_LEET_CYRILLIC if _ALIKE.search(word) else latin)

    return spell


_LEET_SPELLINGS = (_spelling("i"), _spelling("l"))
