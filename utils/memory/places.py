"""Where somebody is, told by its shape: street addresses and coordinates. Pure.

Every function takes folded text (utils.memory.folding), with its case. Each pattern is linear: its
repeats are bounded, and neighbouring parts never match the same character.
"""

import re

# --- street addresses and places ---------------------------------------------------------------

_STREET = re.compile(
    # English: 12 Baker Street
    r"\b\d{1,5}[A-Za-z]?,? (?:(?:[NSEW]\.?|North|South|East|West) )?(?:[A-Z][\w'.-]{0,20} ){1,3}"
    r"(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Place|Pl|Square|Sq|"
    r"Terrace|Way|Close|Crescent|Highway|Hwy|Parkway|Pkwy|Row|Mews|Gardens|Grove|Hill)\b"
    r"|\b\d{1,5}[a-z]? (?!(?:the|a|of|in|on|by|at|hours?|minutes?|min|miles?|times|people|man|wall)\b)"
    r"[a-z'-]{2,20} (?:street|avenue|ave|road|lane|boulevard|blvd)\b"
    # German: Hauptstraße 12
    r"|(?i:\b(?!arbeits|park|spiel|sitz|stamm|fu(?:ss)?|sport|lager|speicher|rang|start|stell|keines|"
    r"unter|tabellen|welt|steh|camp|zelt|flug|zwischen)[^\W\d_]{2,25}(?:-[^\W\d_]{2,15}){0,2}[ -]?"
    r"(?:stra(?:ss|ß)e|str\.?|weg|allee|gasse|platz|damm|ufer|chaussee) \d{1,4}[a-z]?\b(?! ?(?:uhr|%|min)))"
    # French: 12 rue de la Paix
    r"|(?i:\b\d{1,4}(?: ?bis| ?ter)?,? (?:rue|avenue|av\.|boulevard|bd\.?|impasse|chemin|quai|allees?)"
    r" [^\W\d_])"
    # Spanish and Portuguese: Calle Mayor 5, Rua das Flores, 123
    r"|(?i:\b(?:calle|c/|avenida|avda\.?|av\.|rua|r\.|travessa|alameda|paseo|plaza|praca|pra[cç]a|"
    r"carrera|estrada|rodovia|largo|camino)) (?:(?:de|da|do|das|dos|del|la|las|los|el) ){0,3}"
    r"[A-Z][\w'.-]{1,20}(?: (?:(?:de|da|do|das|dos|del|la|y|e) )?[A-Z][\w'.-]{1,20}){0,4}"
    r",? ?(?:n[.ºo°]{0,2} ?|numero |número |# ?)?\d{1,5}\b"
    r"|(?i:\b(?:calle|avenida|rua|travessa|alameda)) (?:(?:de|da|do|das|dos|del|la|las|los) ){0,2}"
    r"(?!(?:hay|con|hace|a|en|por|desde|e|y|tem|com|ha|por|durante)\b)[^\W\d_]{3,20},? (?:n[.ºo°]{0,2} ?)?\d{1,4}\b"
    # Russian: ул. Ленина, д. 5
    r"|(?i:\b(?:ул(?:\.|ица|ице|ицы|ицу)?|просп(?:\.|ект|екте)?|пр-т|переул(?:ок|ке)|шоссе|бульвар[еа]?|"
    r"набережн(?:ая|ой))) {0,2}(?:[А-Я][\w-]{1,25} ?){1,3},? {0,2}(?:(?:дом|д)\.? ?)?\d{1,4}"
    r"|(?i:\b(?:ул(?:\.|ица|ице)?|просп(?:ект|екте)?) ?[^\W\d_]{3,25},? (?:дом|д\.) ?\d{1,4}|,? ?\bкв\. ?\d)"
    # Japanese, Chinese, Korean
    r"|[\d一二三四五六七八九十]{1,4}丁目|\d{1,5}番地|〒 ?\d{3}|[区町村市][^\s。]{0,8}\d{1,3}-\d{1,3}-\d{1,3}"
    r"|(?:路|街|大道|巷|弄|胡同|段) ?[\d一二三四五六七八九十百]{1,5} ?[号號]|\d{1,4} ?(?:号楼|號樓|单元|單元)"
    r"|[가-힣]{1,8}(?:로|길) ?\d{1,4}(?:-\d{1,3})? ?(?:번지|호|$)"
    # British postcodes
    r"|(?<![A-Za-z0-9])[A-Z]{1,2}\d[A-Z\d]? \d[ABD-HJLNP-UW-Z]{2}(?![A-Za-z0-9])"
)
_FAMOUS = re.compile(
    r"(?i:2[12] jump street|10 cloverfield lane|221b baker street|\d+ nightmare)", re.IGNORECASE
)
_COORDINATES = re.compile(
    r"(?<![\d.])-?(?:[0-8]?\d|90)\.\d{3,12}°? ?[NS]?[,;/ ]{1,3}-?(?:1[0-7]\d|\d{1,2}|180)\.\d{3,12}(?!\d)"
    r"|\d{1,3} ?° ?\d{1,2} ?['′]|///\w{2,20}\.\w{2,20}\.\w{2,20}|\b[23456789CFGHJMPQRVWX]{8}\+[2-9CFGHJMPQRVWX]{2,3}\b"
    r"|\bgeo:-?\d"
)


def holds_street(text: str) -> bool:
    """Whether a text has a street address: a street's name and a number, in six languages."""
    match = _STREET.search(text)
    return match is not None and _STREET.search(_FAMOUS.sub(" ", text)) is not None


def holds_coordinates(text: str) -> bool:
    """Whether a text has geographic coordinates, in any of the usual notations."""
    return _COORDINATES.search(text) is not None
