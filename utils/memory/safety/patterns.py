"""Recognise secrets, contact data and locations by their shape. Pure.

Every function takes folded text (utils.nlp.normalization) with its case. Each pattern takes linear
time: its repeats are bounded, and neighbouring parts never match the same character.
"""

import math
import re
from collections import Counter
from collections.abc import Collection
from itertools import pairwise

from utils.nlp.languages import shared_tables

# --- keys and tokens ---------------------------------------------------------------------------

_VENDOR_TOKEN = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"(?:sk|pk|rk)[-_](?:[A-Za-z0-9]{2,12}[-_]){0,3}[A-Za-z0-9_-]{16}"  # OpenAI, Stripe, Anthropic
    r"|gh[pousr]_[A-Za-z0-9]{16}|github_pat_\w{16}|glpat-[\w-]{16}"
    r"|(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA|ANPA|AGPA)[A-Z0-9]{12}"
    r"|xox[abeoprs]-[A-Za-z0-9-]{10}|xapp-\d-[A-Za-z0-9-]{10}|whsec_[A-Za-z0-9+/]{16}"
    r"|eyJ[A-Za-z0-9_-]{10,400}\.|AIza[\w-]{30}|GOCSPX-[\w-]{20}|ya29\.[\w-]{16}"
    r"|npm_[A-Za-z0-9]{30}|pypi-[\w-]{16}|hf_[A-Za-z]{20}|SG\.[\w-]{16}|dop_v1_[a-f0-9]{16}"
    r"|shp(?:at|ss|ca|pa)_[a-fA-F0-9]{16}|(?:AC|SK)[a-f0-9]{32}|\d{8,10}:AA[\w-]{30}|mfa\.[\w-]{20}"
    r"|[MNO][A-Za-z\d_-]{22,27}\.[\w-]{5,7}\.[\w-]{25}"  # Discord
    r")"
    r"|-----BEGIN [A-Z ]{0,30}(?:PRIVATE|SECRET) KEY|PuTTY-User-Key|(?:Account|Shared)\w{0,9}Key="
    r"|://[^\s:@/]{1,64}:[^\s:@/]{1,64}@"
)
_LONG_RUN = re.compile(r"[A-Za-z0-9+/_=.~-]{20,}")
_PIECE = re.compile(r"[A-Za-z0-9]+")
_DIGIT_RUN = re.compile(r"\d+")
_HEX = re.compile(r"[0-9a-f]{32,}|[0-9A-F]{32,}")
# English words have about 2.5 to 3.3 bits a letter in 20 letters, random ones 3.9 and more.
_MIN_BITS_PER_LETTER = 3.2


def has_token(text: str) -> bool:
    """Whether a text has a vendor's key, a private key's header or a long random string."""
    if _VENDOR_TOKEN.search(text):
        return True
    return any(_is_random(run) for run in _LONG_RUN.findall(text))


def _is_random(run: str) -> bool:
    pieces = _PIECE.findall(run)
    longest = max(pieces, key=len, default="")
    if longest.isdecimal():
        return False
    is_uuid = [len(piece) for piece in pieces] == [8, 4, 4, 4, 12]
    if is_uuid or (_HEX.fullmatch(longest) and not longest.isalpha()):
        return True
    digits = len(_DIGIT_RUN.findall(longest))
    if len(longest) >= 20 and digits and not longest.isdecimal():
        is_mixed = digits >= 2 or len(longest) >= 32
        return is_mixed and _bits_per_letter(longest) >= _MIN_BITS_PER_LETTER
    has_both_cases = longest != longest.lower() and longest != longest.upper()
    if len(longest) >= 24 and has_both_cases:
        changes: int = sum(a.isupper() != b.isupper() for a, b in pairwise(longest))
        return changes >= len(longest) // 3
    if len(run) >= 32 and len(longest) >= 10 and has_both_cases:
        joined = "".join(pieces)
        return len(_DIGIT_RUN.findall(joined)) >= 4 and _bits_per_letter(joined) >= 4
    return False


def _bits_per_letter(run: str) -> float:
    counts = Counter(run).values()
    return -sum(count / len(run) * math.log2(count / len(run)) for count in counts)


# --- cards, accounts, national ids -------------------------------------------------------------

_CARD = re.compile(r"(?<![\d.])[2-6](?:[ -]?\d){12,18}(?![\d])")
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]){11,32}")
# Country code and length.
_IBAN_FORMATS = (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 "
    "EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 "
    "IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 "
    "NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SE24 SI19 SK24 SM27 TN24 TR26 UA29 VA22 XK20"
)
_IBAN_LENGTHS = {code[:2]: int(code[2:]) for code in _IBAN_FORMATS.split()}
_NATIONAL_ID = re.compile(
    # the first digit of the number, then the rest
    r"\d(?<![\d-]\d)(?:"
    r"(?<!9)(?!00-|66-)\d\d-\d{2}-\d{4}(?![\d-])"  # United States
    r"|(?<=[12]) \d\d (?:0[1-9]|1[0-2]) \d\d \d{3} \d{3}(?: \d\d)?(?!\d)"  # France
    r"|\d ?(?:[0-2]\d|3[01])(?:0[1-9]|1[0-2])\d\d ?[A-Z] ?\d{3}(?!\d)"  # Germany
    r"|\d\d\.\d{3}\.\d{3}-\d\d(?!\d)"  # Brazil
    r"|\d\d-\d{3}-\d{3} \d\d(?!\d)"  # Russia
    r"|(?<=[1-6])\d{5}(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])\d{3}[\dXx](?!\d)"  # China
    r")"
    r"|[A-CEGHJ-PR-TW-Z](?<![A-Za-z0-9].)[A-Z] ?\d\d ?\d\d ?\d\d ?[A-D](?![A-Za-z0-9])"  # Britain
)
_CHINESE_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_SPANISH_ID = re.compile(r"(?<![A-Za-z0-9])([XYZ]\d{7}|\d{8})-?([A-Z])(?![A-Za-z0-9])")


def has_account_number(text: str) -> bool:
    """Whether a text has a payment card (Luhn), an IBAN (mod 97) or a national id."""
    return (
        any(_is_card(match[0]) for match in _CARD.finditer(text))
        or any(_is_iban(match[0]) for match in _IBAN.finditer(text))
        or any(_is_national_id(match[0]) for match in _NATIONAL_ID.finditer(text))
        or any(_is_spanish_id(*match.groups()) for match in _SPANISH_ID.finditer(text))
    )


def _is_card(number: str) -> bool:
    """Whether 13 to 16 digits, or 19 in groups (a plain 19 is a Discord id), are a card number."""
    digits = [int(digit) for digit in number if digit.isdecimal()]
    if len(digits) > 16 and (len(digits) != 19 or len(number) == 19):
        return False
    doubled = [digit * 2 - 9 * (digit > 4) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0 and len(set(digits)) > 1


def _is_iban(text: str) -> bool:
    iban = re.sub("[ -]", "", text).upper()
    iban = iban[: _IBAN_LENGTHS.get(iban[:2], 0)]
    if len(iban) < _IBAN_LENGTHS.get(iban[:2], 99):
        return False
    return int("".join(str(int(character, 36)) for character in iban[4:] + iban[:4])) % 97 == 1


def _is_national_id(number: str) -> bool:
    """Check the check digit of a Chinese id; other countries' formats are enough by themselves."""
    if len(number) != 18 or not number[:17].isdecimal():
        return True
    checksum = sum(
        int(digit) * weight for digit, weight in zip(number, _CHINESE_WEIGHTS, strict=False)
    )
    return "10X98765432"[checksum % 11] == number[17].upper()


def _is_spanish_id(number: str, letter: str) -> bool:
    digits = int(number.translate(str.maketrans("XYZ", "012")))
    return "TRWAGMYFPDXBNJZSQVHLCKE"[digits % 23] == letter


# --- e-mail ------------------------------------------------------------------------------------

_EMAIL = re.compile(r"[\w.+-]@[\w-]{1,63}\.\w|\w @ [\w-]{1,63} ?\. ?\w")
_BRACKETED_AT = re.compile(r"[(\[{<] ?(?:at|@|arroba|arobase) ?[)\]}>] ?\w", re.IGNORECASE)
_AT_PROVIDER = re.compile(
    r" (?:at (?:g(?:oogle)?mail|hotmail|outlook|proton(?:mail)?|icloud|yahoo|gmx|web|yandex)\.\w"
    r"|AT [\w-]{1,63} ?(?:\.|DOT) ?[A-Za-z]{2})"
)


def has_email(text: str) -> bool:
    """Whether a text has an e-mail address, also one without its sign: "name [at] …"."""
    if "@" in text and _EMAIL.search(text):
        return True
    if ("(" in text or "[" in text or "{" in text or "<" in text) and _BRACKETED_AT.search(text):
        return True
    return _AT_PROVIDER.search(text) is not None


# --- phone numbers -----------------------------------------------------------------------------

_NUMBER = re.compile(r"(?<![\w.,:/#<@&-])(?:\+ ?|\()?\d(?:[ ()./-]{0,3}\d){6,18}(?![\w:]|[.,]\d)")
_DAY, _MONTH = r"(?:0?[1-9]|[12]\d|3[01])", r"(?:0?[1-9]|1[0-2])"
_DATES = re.compile(
    rf"(?<![\d.-])\d{{4}}[-/.]{_MONTH}[-/.]{_DAY}(?:[T ]\d\d:\d\d\S{{0,20}})?(?!\d)"
    rf"|(?<![\d./-]){_DAY}[-/.] ?{_DAY}[-/.] ?(?:(?:19|20)?\d\d)(?![\d/-]|\.\d)"
    r"|(?<![\d./-])(?:1[5-9]|20)\d\d ?[-/] ?(?:(?:1[5-9]|20)\d\d|\d\d)(?![\d/-]|\.\d)"
    r"|(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])"  # an IP address or a version
    r"|<(?:a?:\w{1,40}:|[@#&!]{1,2}|t:)\d{1,20}(?::\w)?>"
)
_PHONE_WORD = re.compile(
    r"(?i:\b(?:phone|telephone|mobile|cell|whatsapp|sms|call|text me|reach me|dial|handy|telefon|"
    r"ruf|anrufen|nummer ist|telephone|portable|appelle|numero|telefono|movil|celular|llama|"
    r"telefone|telemovel|ligue|liga|zap|телефон|номер|звони\w*|тел)\b)|電話|携帯|电话|手机|微信|번호"
)
_PHONE_WORD_DISTANCE = 40  # characters between a number and the word that makes it a phone number
_NATIONAL = re.compile(
    r"0[1-9]\d{7,10}"  # a trunk zero: most of Europe, Japan
    r"|1[3-9]\d{9}"  # mobiles in China
    r"|8[3-9]\d{9}"  # Russia, from inside
)
_NORTH_AMERICAN = re.compile(
    r"(?:1[ .-])?(?:\([2-9]\d\d\) ?|[2-9]\d\d[ .-])[2-9]\d\d[ .-]\d{4}"
    r"|1[ .-]8\d\d[ .-]\d{3}[ .-]\d{4}"
    r"|\(\d\d\) ?9?\d{4}-?\d{4}"  # Brazil
)


def without_dates(text: str) -> str:
    """Return a text without its dates, ranges of years, IP addresses, versions and mentions."""
    return _DATES.sub(" ; ", text)


def has_phone(text: str) -> bool:
    """Whether a text has a phone number.

    A number counts with a plus or 00 before it, in a national format (trunk zero, North America,
    Brazil, mobiles in China and Russia), or near a word for phone. A plain Discord id does not.
    ``text`` must come from :func:`without_dates`.
    """
    for match in _NUMBER.finditer(text):
        number = match[0]
        digits = "".join(filter(str.isdecimal, number))
        if not 7 <= len(digits) <= 15:
            continue
        if (number[0] == "+" and len(digits) >= 8) or (digits[:2] == "00" and len(digits) >= 11):
            return True
        if _NORTH_AMERICAN.fullmatch(number) or _NATIONAL.fullmatch(digits):
            return True
        start, end = match.start() - _PHONE_WORD_DISTANCE, match.end() + _PHONE_WORD_DISTANCE
        if len(digits) <= 13 and _PHONE_WORD.search(text[max(0, start) : end]):
            return True
    return False


# --- links -------------------------------------------------------------------------------------

_LINK = re.compile(
    r"https?:[/?]|hxxps?:|ftps?://|[a-z]{2,12}://\w|mailto:\w|magnet:\?|javascript:|data:[a-z]{2,12}/"
    r"|www\d?\.\w|discord(?:app)?\.(?:gg|com|me|io|li)/"
)
_DOMAIN = re.compile(
    r"(?<![\w@./\\-])((?:[a-z0-9-]{1,63}\.){1,4}([a-z]{2,12}))(?![\w-]|\.\w|\()(?::\d{2,5})?(/\w)?"
)
_DOT = re.compile(r"\.(?<=[a-z0-9]\.)\w")
_DEFANGED = re.compile(r" ?[(\[{] ?(?:\.|dot|punkt|point|punto|ponto) ?[)\]}] ?")
_SPELLED_DOT = re.compile(
    r"(?<!\bthe )(?<!\ba )\b\w{2,40} dot (?:com|net|org|gg|io|de|xyz|ru)\b"
    r"(?! bubble| boom| crash| era)"
)


def has_link(text: str) -> bool:
    """Whether a casefolded text has a link: a scheme, www., an invite, a bare domain.

    Names that only look like a link ("node.js", file names, "e.g.") do not count. Neither do a few
    sites that are known by their domain ("chess.com"), as long as no path follows.
    """
    if "(" in text or "[" in text or "{" in text:
        text = _DEFANGED.sub(".", text)
    has_dot = _DOT.search(text) is not None
    if (has_dot or ":" in text) and _LINK.search(text):
        return True
    if has_dot:
        links = shared_tables().links
        for domain, ending, path in _DOMAIN.findall(text):
            is_plain = ending in links.endings
            if path and (is_plain or ending in links.endings_before_path):
                return True
            if is_plain and domain not in links.sites and len(domain) > len(ending) + 2:
                return True
    return " dot " in text and _SPELLED_DOT.search(text) is not None


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
