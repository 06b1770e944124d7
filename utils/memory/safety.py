"""What must never be kept, whoever says it: secrets, contact data, links, orders to the bot.

Each pattern errs on the side of refusing; what is refused is counted by reason, never logged.
"""

import re
import unicodedata

_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(\.[\w-]+)+")
_LINK = re.compile(r"\b(https?://|www\.|discord\.gg/)\S", re.IGNORECASE)
_PHONE = re.compile(r"(?<![\w.])\+?\d[\d ()/-]{7,}\d(?![\w.])")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}|\d{1,2}/\d{1,2}/\d{2,4}|\b(19|20)\d\d ?[-/] ?(19|20)\d\d\b")
_SECRET_WORD = re.compile(
    r"\b(pass(word|phrase|code)|passwort|mot de passe|contraseña|senha|пароль|"
    r"api[ _-]?key|secret key|access token|bot token|pin (code|number)|seed phrase)\b",
    re.IGNORECASE,
)
_TOKEN = re.compile(
    r"\b(sk|pk|ghp|gho|xox[bap]|AKIA|eyJ)[-_]?[A-Za-z0-9_-]{16,}|[A-Za-z0-9_.-]{40,}"
)
_ORDER = re.compile(
    r"\b(ignore|disregard|forget|override)\b.{0,40}\b(instruction|rule|prompt|previous|above)"
    r"|\b(system|developer)\s*(prompt|message|:)"
    r"|\byou (are now|must( always| never)?|should always|will always)\b"
    r"|\b(always|never) (say|reply|answer|respond|tell|obey|include|end)\b"
    r"|\bact as\b|\bjailbreak|<\|?/?(system|im_start|assistant)|\[/?INST\]"
    r"|^\s*(system|assistant|user)\s*:",
    re.IGNORECASE | re.MULTILINE,
)


def refusal_reason(text: str) -> str | None:
    """Return why a text may not be kept (``secret``, ``contact``, ``link``, ``order``), or None.

    The text is folded first (NFKC), so that full-width or styled letters do not slip through.
    """
    folded = unicodedata.normalize("NFKC", text)
    if _SECRET_WORD.search(folded) or _TOKEN.search(folded):
        return "secret"
    if _EMAIL.search(folded) or _PHONE.search(_DATE.sub(" ", folded)):
        return "contact"
    if _LINK.search(folded):
        return "link"
    if _ORDER.search(folded):
        return "order"
    return None
