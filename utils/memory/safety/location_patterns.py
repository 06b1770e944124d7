"""Recognise locations by their shape: street addresses and coordinates. Pure.

Every function takes folded text (utils.nlp.normalization) with its case. Each pattern takes linear
time: its repeats are bounded, and neighbouring parts never match the same character.
"""

import re
from collections.abc import Collection

_ENGLISH = re.compile(
    # 12 Baker Street
    r"\b\d{1,5}[A-Za-z]?,? (?:(?:[NSEW]\.?|North|South|East|West) )?(?:[A-Z][\w'.-]{0,20} ){1,3}"
    r"(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Place|Pl|Square|Sq|"
    r"Terrace|Way|Close|Crescent|Highway|Hwy|Parkway|Pkwy|Row|Mews|Gardens|Grove|Hill)\b"
    # 12 baker street
    r"|\b\d{1,5}[a-z]? (?!(?:the|a|of|in|on|by|at|and|hours?|minutes?|min|miles?|times|people|"
    r"man|men|wall|sesame|more|different|new|main)\b)"
    r"[a-z'-]{2,20} (?:street|avenue|ave|road|lane|boulevard|blvd)\b"
)
_FRENCH = re.compile(
    # 12 bis, rue de la Paix
    r"\b\d{1,4}(?: ?bis| ?ter)?,? (?:rue|avenue|av\.|boulevard|bd\.?|impasse|chemin|quai|allees?)"
    r" [^\W\d_]",
    re.IGNORECASE,
)
_IBERIAN = re.compile(
    # Calle Mayor 5; Rua das Flores, 123
    r"\b(?i:calle|avenida|avda\.?|av\.|rua|travessa|alameda|paseo|plaza|praca|carrera|estrada|"
    r"rodovia|largo|camino) (?:(?:de|da|do|das|dos|del|la|las|los|el) ){0,3}"
    r"[A-Z][\w'.-]{1,20}(?: (?:(?:de|da|do|das|dos|del|la|y|e) )?[A-Z][\w'.-]{1,20}){0,4}"
    r",? ?(?:n[.o]{0,2} ?|numero |# ?)?\d{1,5}\b"
    # calle mayor 5
    r"|\b(?i:calle|avenida|rua|travessa|alameda) (?:(?:de|da|do|das|dos|del|la|las|los) ){0,2}"
    r"(?!(?:hay|con|hace|a|en|por|desde|e|y|tem|com|ha|durante|unos|unas|cerca)\b)"
    r"[^\W\d_]{3,20},? "
    r"(?:n[.o]{0,2} ?)?\d{1,4}\b"
)
_GERMAN_ENDINGS = ("strasse", "straße", "str", "weg", "allee", "gasse", "platz", "damm", "ufer")
_GERMAN = re.compile(
    # Hauptstraße 12; Lange Str. 5
    r"\b(?!arbeits|park|spiel|sitz|stamm|fu(?:ss|ß)|sport|lager|speicher|rang|start|stell|keines|"
    r"unter|tabellen|welt|steh|camp|zelt|flug|zwischen|gleich|um)[^\W\d_]{2,25}(?:-[^\W\d_]{2,15}){0,2}"
    r"(?:[ -]?(?:stra(?:ss|ß)e|str\.?|allee|gasse)|-?(?:weg|platz|damm|ufer)) \d{1,4} ?[a-z]?\b"
    r"(?! ?(?:uhr|%|min))",
    re.IGNORECASE,
)
_RUSSIAN = re.compile(
    # ул. Ленина, д. 5, кв. 12
    r"(?i:\b(?:ул(?:\.|ица|ице|ицы|ицу)?|просп(?:\.|ект|екте)?|пр-т|переул(?:ок|ке)|шоссе|бульвар[еа]?|"
    r"набережн(?:ая|ои))) {0,2}(?:[А-Я][\w-]{1,25} ?){1,3},? {0,2}(?:(?:дом|д)\.? ?)?\d{1,4}"
    r"|(?i:\b(?:ул(?:\.|ица|ице)?|просп(?:ект|екте)?) ?[^\W\d_]{3,25},? (?:дом|д\.) ?\d{1,4}"
    r"|\bкв\. ?\d)"
)
_UNSPACED = re.compile(
    # 1丁目2番地, 人民路88号, 세종로 12
    r"[\d一二三四五六七八九十]{1,4}丁目|\d{1,5}番地|〒 ?\d{3}"
    r"|[区町村市][^\s。]{0,8}\d{1,3}-\d{1,3}-\d{1,3}"
    r"|(?:路|街|大道|巷|弄|胡同|段) ?[\d一二三四五六七八九十百]{1,5} ?[号號]"
    r"|\d{1,4} ?(?:号楼|號樓|单元|單元)"
    r"|[가-힣]{1,8}(?:로|길) ?\d{1,4}(?:-\d{1,3})? ?(?:번지|호|$)"
)
_HAS_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_BRITISH_POSTCODE = re.compile(r"(?<!\w)[A-Z]{1,2}\d[A-Z\d]? \d[ABD-HJLNP-UW-Z]{2}(?!\w)")
# One of these words must occur before a pattern is tried: most texts need none of them.
_ENGLISH_WORDS = (
    "street st avenue ave road rd lane ln drive dr boulevard blvd court ct place pl square sq "
    "terrace way close crescent highway hwy parkway pkwy row mews gardens grove hill"
)
_FRENCH_WORDS = "rue avenue av boulevard bd impasse chemin quai allee allees"
_IBERIAN_WORDS = (
    "calle avenida avda av rua travessa alameda paseo plaza praca carrera estrada rodovia largo "
    "camino"
)
_RUSSIAN_WORDS = (
    "ул улица улице улицы улицу просп проспект проспекте пр переулок переулке шоссе бульвар "
    "бульваре бульвара набережная набережнои кв"
)
_PATTERNS_BY_WORDS = tuple(
    (frozenset(words.split()), pattern)
    for words, pattern in (
        (_ENGLISH_WORDS, _ENGLISH),
        (_FRENCH_WORDS, _FRENCH),
        (_IBERIAN_WORDS, _IBERIAN),
        (_RUSSIAN_WORDS, _RUSSIAN),
    )
)
_FICTIONAL_ADDRESS = re.compile(
    r"2[12] jump street|10 cloverfield lane|221b baker street", re.IGNORECASE
)
_COORDINATES = re.compile(
    r"\.\d{4,12}°? ?[NS]?[,; ]{1,3}-?(?:1[0-7]\d|\d{1,2}|180)\.\d{4,12}(?!\d)"  # 52.5200, 13.4050
    r"|°(?<=\d°) ?\d{1,2} ?['′]|°(?<=\d °) ?\d{1,2} ?['′]"  # 52° 31'
    r"|///\w{2,20}\.\w{2,20}\.\w{2,20}|geo:-?\d"
    r"|\+(?<=[2-9CFGHJMPQRVWX]{8}\+)[2-9CFGHJMPQRVWX]{2,3}\b"  # a plus code
)


def has_street_address(text: str, tokens: Collection[str]) -> bool:
    """Whether a text has a street address: a street name and a number, in six languages.

    A few streets of films and stories do not count.

    Args:
        text: folded, with its case.
        tokens: the casefolded words of the text.
    """
    patterns = [pattern for words, pattern in _PATTERNS_BY_WORDS if not words.isdisjoint(tokens)]
    if patterns:
        without_fiction = _FICTIONAL_ADDRESS.sub(" ", text)
        if any(pattern.search(without_fiction) for pattern in patterns):
            return True
    if any(token.endswith(_GERMAN_ENDINGS) for token in tokens) and _GERMAN.search(text):
        return True
    if _HAS_UNSPACED.search(text) and _UNSPACED.search(text):
        return True
    return _BRITISH_POSTCODE.search(text) is not None


def has_coordinates(text: str) -> bool:
    """Whether a text has geographic coordinates, in any common notation."""
    return _COORDINATES.search(text) is not None
