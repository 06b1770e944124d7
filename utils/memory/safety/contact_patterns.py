"""Recognise contact data by its shape: e-mail addresses, phone numbers, links. Pure.

Every function takes folded text (utils.nlp.normalization) with its case. Each pattern takes linear
time: its repeats are bounded, and neighbouring parts never match the same character.
"""

import re

from utils.nlp.languages import shared_tables

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
