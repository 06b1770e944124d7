"""Recognise secrets by their shape: keys, tokens, cards, bank accounts, national ids. Pure.

Every function takes folded text (utils.nlp.normalization) with its case. Each pattern takes linear
time: its repeats are bounded, and neighbouring parts never match the same character.
"""

import math
import re
from collections import Counter
from itertools import pairwise

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
    if (_HEX.fullmatch(longest) and not longest.isalpha()) or _is_uuid(pieces):
        return True
    digits = len(_DIGIT_RUN.findall(longest))
    if len(longest) >= 20 and digits and not longest.isdecimal():
        is_mixed = digits >= 2 or len(longest) >= 32
        return is_mixed and _bits_per_letter(longest) >= _MIN_BITS_PER_LETTER
    has_both_cases = longest != longest.lower() and longest != longest.upper()
    if len(longest) >= 24 and has_both_cases:
        return _case_changes(longest) >= len(longest) // 3
    if len(run) >= 32 and len(longest) >= 10 and has_both_cases:
        joined = "".join(pieces)
        return len(_DIGIT_RUN.findall(joined)) >= 4 and _bits_per_letter(joined) >= 4
    return False


def _is_uuid(pieces: list[str]) -> bool:
    return [len(piece) for piece in pieces] == [8, 4, 4, 4, 12]


def _bits_per_letter(run: str) -> float:
    counts = Counter(run).values()
    return -sum(count / len(run) * math.log2(count / len(run)) for count in counts)


def _case_changes(run: str) -> int:
    return sum(first.isupper() != second.isupper() for first, second in pairwise(run))


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
