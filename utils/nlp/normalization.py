"""Normalise text to one spelling, so that a lexicon needs only that one. Pure.

This undoes what people do to slip past a filter: full-width and styled letters, invisible and
combining characters, look-alikes from other alphabets, letters spaced out, digits for letters. It
takes time linear in the length of the text. It does not undo ciphers, base64 or reversed words.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence

from utils.common.text import clean

MIN_SLIPPED = 6
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U000e0000-\U000e0fff]+"
)
_COMBINING = "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_COMBINING_MARKS = re.compile(f"[{_COMBINING}]+")
_ACCENTED = re.compile(f"[\xc0-\u024f\u0370-\u045f\u0490-\u052f\u1e00-\u1fff{_COMBINING}]")


def _table(characters: str, replacements: str) -> dict[int, str]:
    return dict(zip(map(ord, characters), replacements, strict=True))


# Letters that NFKC does not change: small capitals, squared letters, flags, strokes.
_STYLED_LETTERS: dict[int, str] = {
    **_table("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnopqrstuvwyz"),
    **_table("øłđðıɑɡʟɾŧħØŁĐ", "olddiaglrthOLD"),
    **{first + n: chr(97 + n) for first in (0x1F150, 0x1F170, 0x1F1E6) for n in range(26)},
    **_table("‘’ʼ`´‚", "''''''"),
    **_table("‐‑‒–—―−", "-------"),
    **_table("“”„«»", '"""""'),
    **_table("。．！？：；、，", "..!?:;,,"),
    **_table("\x0b\x0c\x85\u2028\u2029", "\n\n\n\n\n"),
}
_STYLED = re.compile(
    "[\x0b\x0c\x85`«´»ðøØŁłĐđħıŧǫɑɡɢɪɴʀʏʟɾʙʜ\u02bc\u1d00-\u1d22\u2010-\u201e\u2028\u2029\u2212"
    "\u3001\u3002\ua730\ua731\uff01-\uff1f\U0001f150-\U0001f1ff]"
)
# Cyrillic, Greek and Armenian letters that look like a Latin one, upper and lower case.
_LATIN_LOOK_ALIKES = {
    **_table("асеһіјкмнорѕтухԁԛԝвѵӏ", "acehijkmhopstyxdqwbvl"),
    **_table("АВСЕНІЈКМОРЅТУХԌԚԜӀ", "ABCEHIJKMOPSTYXGQWI"),
    **_table("αβεηικνορτυχωγσμ", "abenikvoptuxwyou"),
    **_table("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"),
    **_table("օսոհգ", "ounhq"),
}
# The reverse: Latin letters in a Cyrillic word.
_CYRILLIC_LOOK_ALIKES = _table("aceiopxykmtnbhACEOPXKMTBH", "асеіорхукмтпвнАСЕОРХКМТВН")
_WORD = re.compile(r"\w+")
_FOREIGN_DIGIT = re.compile(
    "[\u0660-\u0669\u06f0-\u06f9\u07c0-\u07c9\u0966-\u096f\u09e6-\u09ef\u0a66-\u0a6f\u0ae6-\u0aef"
    "\u0b66-\u0b6f\u0be6-\u0bef\u0c66-\u0c6f\u0ce6-\u0cef\u0d66-\u0d6f\u0e50-\u0e59\u0ed0-\u0ed9"
    "\u0f20-\u0f29\u1040-\u1049\u17e0-\u17e9\u1810-\u1819]"
)
_LATIN = re.compile("[A-Za-z]")
_OTHER_ALPHABET = re.compile("[\u0370-\u03ff\u0400-\u052f\u0531-\u058f]")
_ONLY_LATIN = re.compile("[dfgjlqrsuvwzDFGIJLNQRSUVWYZ]")
_ONLY_CYRILLIC = re.compile("[бгджзийлпфцчшщъыьэюя]", re.IGNORECASE)


def fold(text: str) -> str:
    """Return a text in plain letters, with its case: NFKC without accents and look-alikes."""
    text = clean(text)
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKC", text)
    if _ACCENTED.search(text):  # skips kana and Hangul, which this does not change
        decomposed = unicodedata.normalize("NFD", text)
        text = unicodedata.normalize("NFC", _COMBINING_MARKS.sub("", decomposed))
    text = _INVISIBLE.sub("", text)
    if text.isascii():
        return text
    if _STYLED.search(text):
        text = text.translate(_STYLED_LETTERS)
    if _FOREIGN_DIGIT.search(text):
        text = _FOREIGN_DIGIT.sub(lambda match: str(int(match[0])), text)
    if _OTHER_ALPHABET.search(text) and _LATIN.search(text):
        text = _WORD.sub(_unmix_alphabets, text)
    return text


def typing_slips(words: Iterable[str]) -> dict[str, str]:
    """Return the words of at least MIN_SLIPPED letters by what a slip of the fingers makes of them:
    two letters swapped, or one left out, neither the first nor the last."""
    slips: dict[str, str] = {}
    words = [word for word in words if word.isalpha() and len(word) >= MIN_SLIPPED]
    for word in words:
        for i in range(1, len(word) - 1):
            slips[word[:i] + word[i + 1 :]] = word
            slips[word[:i] + word[i + 1] + word[i] + word[i + 2 :]] = word
    return slips | {word: word for word in words}


def disguises(folded: str, tokens: Sequence[str], *, has_digits: bool) -> list[str]:
    """Return other readings of a text that may hide words; most texts have none.

    A reading joins lines, joins spaced-out letters, reads digits and signs as letters, or reads
    words of look-alikes as Latin.

    Args:
        folded: folded and casefolded text.
        tokens: the words of the text.
        has_digits: whether the text has a digit.
    """
    readings = [folded.replace("\n", " ")] if "\n" in folded else []
    if len([token for token in tokens if len(token) == 1]) > 3 and _SPACED_OUT.search(folded):
        readings.append(_SPACED_OUT.sub(_join_letters, folded))
    has_mixed = has_digits and any(
        len(token) > 3 and not token.isalpha() and not token.isdecimal() for token in tokens
    )
    if has_mixed or readings or any(map(folded.__contains__, "@$!|")):
        for text in [folded, *readings]:
            if _LEET.search(text):
                readers = _LEET_READERS if "1" in text or "|" in text else _LEET_READERS[:1]
                readings += [_LEET_WORD.sub(read, text) for read in readers]
    if not folded.isascii() and _LATIN.search(folded):
        latin = folded.translate(_LATIN_LOOK_ALIKES)
        if latin != folded:
            readings.append(latin)
    return readings


def _unmix_alphabets(match: re.Match[str]) -> str:
    word = match[0]
    if word.isascii() or not (_LATIN.search(word) and _OTHER_ALPHABET.search(word)):
        return word
    if _ONLY_CYRILLIC.search(word) and not _ONLY_LATIN.search(word):
        return word.translate(_CYRILLIC_LOOK_ALIKES)
    return word.translate(_LATIN_LOOK_ALIKES)


# --- letters spaced out ------------------------------------------------------------------------

_SPACED_OUT = re.compile(r"(?<![^\W_])(?:[^\W_][ .\-_*~+|,/]{1,3}){3,60}[^\W_](?![^\W_])")
_WIDE_GAP = re.compile(r"\s{2,}")
_SEPARATOR = re.compile(r"[ .\-_*~+|,/]")


def _join_letters(match: re.Match[str]) -> str:
    return " ".join(_SEPARATOR.sub("", part) for part in _WIDE_GAP.split(match[0]))


# --- digits and signs for letters --------------------------------------------------------------

_LEET = re.compile(
    r"[^\W\d_][0134578@$!|]{1,6}[^\W\d_]|(?<![^\W_])[0134578@$!|]{1,4}[^\W\d_]{2}|\$\$"
)
_LEET_WORD = re.compile(
    r"[^\W_]+(?:[@$!|]+[^\W_]+)*\$*"
    r"|(?<![@$!|])[@$!|]{1,4}[^\W_]+(?:[@$!|]+[^\W_]+)*\$*"
)
_LEET_CYRILLIC = _table("034", "озч")


def _leet_reader(digit_one: str) -> Callable[[re.Match[str]], str]:
    """Return a function that replaces digits by letters; the digit 1 becomes ``digit_one``."""
    latin = _table("0134578@$!|", f"o{digit_one}eastbasi{digit_one}")

    def read(match: re.Match[str]) -> str:
        word = match[0]
        if word.isalpha() or word.isdecimal():
            return word
        return word.translate(_LEET_CYRILLIC if _OTHER_ALPHABET.search(word) else latin)

    return read


_LEET_READERS = (_leet_reader("i"), _leet_reader("l"))
