"""Measure, clean, clip and word text. Pure.

Lengths are UTF-16 units unless stated otherwise, because SQL Server's NVARCHAR counts those.
:mod:`utils.conversation.message_split` splits a message into parts.
"""

import math
import re
import unicodedata
from collections.abc import Iterable
from datetime import UTC, datetime, tzinfo

_MAX_CLUSTER_LENGTH = 64  # code points; longer runs of combining marks are cut like other text
_ZWJ = "\u200d"
NOT_AFTER_TITLE = r"(?<!\b[SMD][tr]\.)(?<!\bMrs\.)(?<!\bProf\.)"  # "Dr." ends no sentence
WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)*")
"""A word, with what follows an apostrophe: "don't"."""
UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
"""A letter of a script without spaces between words: Thai to Khmer, kana, Han."""

# --- measuring -------------------------------------------------------------------------------


def utf16_length(text: str) -> int:
    """Return how many UTF-16 units the text takes; a lone surrogate counts as one."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


_REGIONAL_INDICATORS = range(0x1F1E6, 0x1F200)  # two make a flag
_EXTENDS = frozenset([0x200C, 0x200D, 0x0E33, 0x0EB3, 0xFF9E, 0xFF9F, *range(0x1F3FB, 0x1F400)])


def _are_joined(text: str, index: int) -> bool:
    """Whether the characters around ``index`` belong to one grapheme (UAX 29, simplified)."""
    before, after = text[index - 1], text[index]
    if before < "\u0300" and after < "\u0300":
        return before == "\r" and after == "\n"
    if (
        unicodedata.category(before)[0] == "C"
        and before not in "\u200c\u200d"
        and before < "\U000e0000"
    ):
        return False
    code = ord(after)
    if (  # it belongs to the one before it
        code in _EXTENDS
        or 0xE0020 <= code <= 0xE007F  # tags, in the flags of regions
        or unicodedata.category(after)[0] == "M"
    ):
        return True
    if before == _ZWJ and after >= "\u2190":
        return not after.isalnum()
    if unicodedata.combining(before) == 9:  # a virama: the next consonant joins it
        return after.isalpha()
    first, second = ord(before), ord(after)
    if first in _REGIONAL_INDICATORS and second in _REGIONAL_INDICATORS:
        start = index - 1
        while start > 0 and ord(text[start - 1]) in _REGIONAL_INDICATORS:
            start -= 1
        return (index - start) % 2 == 1
    return False


def grapheme_floor(text: str, index: int) -> int:
    """Return the last position at or before ``index`` where the text can be cut.

    A cut never separates a letter from its marks, nor an emoji or a flag. A grapheme of more than
    64 characters can be cut anywhere.
    """
    if index >= len(text):
        return len(text)
    position = index
    while position > 0 and _are_joined(text, position):
        position -= 1
        if index - position > _MAX_CLUSTER_LENGTH:
            return index
    return max(position, 0)


def units_floor(text: str, limit: int) -> int:
    """Return how many characters from the start fit into ``limit`` UTF-16 units."""
    head = text[: max(limit, 0)]
    units = utf16_length(head)
    end = len(head)
    while units > limit:
        end -= 1
        units -= 2 if head[end] > "\uffff" else 1
    return end


# --- cleaning --------------------------------------------------------------------------------

_SURROGATE = re.compile("[\ud800-\udfff]")
_LINE_END = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_EMOJI = (
    "[\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f"
    "\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
_HAN = "[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]"
# Arabic, Syriac, Indic, Myanmar, Khmer and Mongolian spell with joiners and non-joiners.
_JOINING = (
    "[\u0620-\u065f\u066e-\u06ef\u06fa-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u18af\ufb50-\ufdff]"
)
_PIECE = _EMOJI + "[\ufe0e\ufe0f]?[\U0001f3fb-\U0001f3ff]?\ufe0f?"
# The first group stays; every other invisible character is removed.
_INVISIBLE = re.compile(
    "("
    + "\U0001f3f4[\U000e0030-\U000e007a]{1,8}\U000e007f"
    + f"|{_PIECE}(?:\u200d{_PIECE})*"
    + "|[0-9#*]\ufe0f(?=\u20e3)"
    + f"|{_HAN}[\ufe00-\ufe0f\U000e0100-\U000e01ef]"
    + f"|{_JOINING}[\u200c\u200d](?={_JOINING})"
    + ")|[\x00-\x08\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e"
    + "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    + "\ufdd0-\ufdef\ufffe\uffff\U000e0000-\U000e0fff]"
)


_BLANK = re.compile("[\\s\u115f\u1160\u2800\u3164\uffa0]+")


def clean(text: str) -> str:
    """Return untrusted text in a form to store: NFC, stripped, without invisible characters.

    Lone surrogates become U+FFFD. Control, bidirectional and zero-width characters are removed, and
    so is text hidden in tags and variation selectors. Newline, tab and the joiners of emoji and
    joining scripts stay. Cleaning a clean text does not change it.
    """
    if text.isascii() and text.isprintable():
        return text.strip()
    if _SURROGATE.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    text = _LINE_END.sub("\n", text)
    while True:  # a removal can create new combinations; each round but the first shrinks
        before = text
        text = unicodedata.normalize("NFC", text)
        text = _INVISIBLE.sub(lambda match: match[1] or "", text).strip()
        if text == before:
            return text


def is_visible(text: str) -> bool:
    """Return whether a text shows anything: some letters are blank, such as Hangul's filler."""
    return bool(_BLANK.sub("", clean(text)))


def one_line(text: str) -> str:
    """Return the text with every run of whitespace as one space, stripped."""
    return " ".join(text.split())


# --- clipping --------------------------------------------------------------------------------


def clip(text: str, limit: int, *, at_word: bool = False, ellipsis: str = "…") -> str:
    """Return the text shortened to at most ``limit`` UTF-16 units, without a broken grapheme.

    Args:
        text: any text.
        limit: it includes the ellipsis.
        at_word: cut between words, unless that would lose half of what fits.
        ellipsis: left out if there is no room for it.
    """
    if limit <= 0:
        return ""
    if utf16_length(text) <= limit:
        return text
    available = limit - utf16_length(ellipsis)
    if available < 0:
        ellipsis, available = "", limit
    end = grapheme_floor(text, units_floor(text, available))
    if at_word and not text[end].isspace() and not UNSPACED.match(text[end]):
        last_space = re.search(r"\s(?=\S*\Z)", text[:end])
        if last_space and last_space.start() * 2 >= end:
            end = last_space.start()
    return text[:end].rstrip() + ellipsis


def clip_topics(topics: Iterable[str], limit: int = 200) -> tuple[str, ...]:
    """Return the topics in lower case without duplicates, as many as fit when comma-joined.

    A topic that does not fit is left out; a shorter one after it can still fit.

    Args:
        topics: any texts.
        limit: in UTF-16 units.
    """
    clipped: dict[str, None] = {}
    used = 0
    for topic in topics:
        name = one_line(clean(topic).lower().replace(",", " "))
        size = utf16_length(name) + (1 if clipped else 0)
        if name and name not in clipped and used + size <= limit:
            clipped[name] = None
            used += size
    return tuple(clipped)


# --- estimating ------------------------------------------------------------------------------


_LEAD_BYTE_WEIGHTS = [  # tokens for the first byte of a UTF-8 character, which shows its script
    (b"L", 2.0),  # Latin with accents
    (b"C", 0.47),  # Cyrillic
    (b"K", 0.96),  # kana, Hangul, Greek, Arabic, Indic, Thai, …
    (b"H", 1.58),  # Han
    (b"S", 1.3),  # symbols, punctuation, full-width forms
    (b"E", 2.58),  # emoji
]
_CONTINUATION = bytes(range(0x80, 0xC0))


def _kind(byte: int) -> str:
    """Return the letter of a byte's weight; a space has no weight."""
    char = chr(byte)
    if byte < 0x80:
        if char.isalpha():
            return "A" if char.isupper() else "a"
        return "0" if char.isdigit() else "!" if 32 < byte < 127 else " "
    leads = "L" * 12 + "KKCCCC" + "K" * 14 + "SK" + "H" * 6 + "KKKKSSEEEEE"  # 0xC2 to 0xF4
    return leads[byte - 0xC2] if 0xC2 <= byte <= 0xF4 else " "


_KINDS = "".join(map(_kind, range(256))).encode()


def estimate_tokens(text: str) -> int:
    """Return an estimate of a model's token count; no limit may depend on its being exact.

    The estimate is a weighted count of letters, words, lead bytes and a few pairs, and something
    for each text. The weights are fitted by least squares, where a low estimate costs three times a
    high one, on 6,000 texts and 1,400 blocks like those of recall, against the larger count of
    cl100k_base and o200k_base (npm gpt-tokenizer 4.0.0). Estimate divided by count for other texts,
    summed; for blocks made of them; and how many of these blocks are low:

    - English 1.07 to 1.15, blocks 1.00 to 1.06, 9 % low (without IRC 3 %)
    - German 1.06 to 1.12, blocks 1.03 to 1.05, 5 % low; Japanese 1.10 to 1.12, 1.04 to 1.06, 2 %

    cl100k nearly always has the larger count: compared with o200k alone, German and Japanese are a
    quarter to a half too high. Other languages can be low (Italian and Polish by 9 %) or high
    (Portuguese by 13 %). It takes about 11 µs for 500 characters.
    """
    data = text.encode("utf-8", "surrogatepass")
    ascii_only = len(data) == len(text)
    kinds = data.translate(_KINDS, b"" if ascii_only else _CONTINUATION)
    small, capital = kinds.count(b"a"), kinds.count(b"A")
    spaces, breaks = text.count(" "), text.count("\n")
    tokens = 1.4 + 0.19 * small + 0.16 * capital + 0.49 * kinds.count(b"0")
    if not ascii_only:
        tokens += sum(weight * kinds.count(kind) for kind, weight in _LEAD_BYTE_WEIGHTS)
    per_word = (small + capital) / (1 + spaces + breaks)
    if per_word > 7:
        tokens += (small + capital) * (0.19 * (1 - 7 / per_word) + 0.3 * max(0, 1 - 20 / per_word))
    tokens += 0.46 * spaces + 0.9 * breaks - 0.5 * text.count("  ") + 0.8 * text.count("ei")
    tokens += 0.9 * kinds.count(b"!")
    tokens -= 0.94 * kinds.count(b"!!")  # adjacent signs often are one token: "();"
    english = 0.9 * text.count("th") + 2.3 * text.count("ing")
    return math.ceil(tokens - min(english, 0.2 * tokens)) if text else 0


# --- wording ---------------------------------------------------------------------------------


def age_in_words(then: datetime, now: datetime, zone: tzinfo | None = None) -> str:
    """Return the time from ``now`` to ``then`` in words: "2 hours ago", "yesterday", "in 3 days".

    Less than six hours are given in hours even across midnight.

    Args:
        then: aware.
        now: aware.
        zone: days begin at its midnight; None means the zone of ``now``.
    """
    template, count = age_template(then, now, zone)
    return template.format(count=count)


def age_template(then: datetime, now: datetime, zone: tzinfo | None) -> tuple[str, int]:
    """Return an age as in :func:`age_in_words`, as a text to translate and its ``{count}``."""
    seconds = (now.astimezone(UTC) - then.astimezone(UTC)).total_seconds()
    zone = zone or now.tzinfo
    is_past = seconds >= 0
    early, late = sorted((then.astimezone(zone), now.astimezone(zone)))
    seconds = abs(seconds)
    days = (late.date() - early.date()).days
    months = (late.year - early.year) * 12 + late.month - early.month - (late.day < early.day)
    if seconds < 60:
        return ("just now" if is_past else "in a moment"), 0
    if seconds < 3600:
        count, unit = int(seconds // 60), "minute"
    elif days == 0 or seconds < 6 * 3600:
        count, unit = int(seconds // 3600), "hour"
    elif days == 1:
        return ("yesterday" if is_past else "tomorrow"), 1
    elif days < 14:
        count, unit = days, "day"
    elif months < 2:
        count, unit = days // 7, "week"
    elif months < 12:
        count, unit = months, "month"
    elif months < 24:
        return ("last year" if is_past else "next year"), 1
    else:
        count, unit = months // 12, "year"
    amount = f"{{count}} {unit}{'' if count == 1 else 's'}"
    return (f"{amount} ago" if is_past else f"in {amount}"), count


_MARKDOWN = re.compile(
    r"(https?://[^\s<>*|`~\\\[\]]+)"
    r"|^([ \t]*(?:\d+(?=\.\s)|(?=>{1,3}\s|#{1,3}\s|-#\s|[-+]\s)))"
    r"|(?=[\\*_~`|\[])",
    re.MULTILINE,
)


def escape_markdown(text: str) -> str:
    """Return the text with Discord's formatting characters escaped; links stay unchanged."""
    return _MARKDOWN.sub(lambda match: match[1] or (match[2] or "") + "\\", text)


_PING = re.compile(r"@(?=everyone|here)|(?<=<)@(?=[!&]?\d)", re.IGNORECASE)


def defuse_mentions(text: str) -> str:
    """Return the text for display, with a zero-width space in @everyone, @here and <@id>."""
    return _PING.sub("@\u200b", text)


_FULL_STOPS = ".!?…。！？؟।։"
_CLOSERS = "\"'”’»)]}*_」』）"


def join_sentences(parts: Iterable[str]) -> str:
    """Return fragments as one paragraph, each with exactly one full stop."""
    sentences = []
    for part in parts:
        sentence = one_line(part).lstrip(" .,;:").rstrip(" ,;:")
        sentence = re.sub(r"(?<!\.)\.\.$|(?<=[!?…。！？])\.+$", ".", sentence)
        sentence = re.sub(r"(?<=[!?…。！？])\.$", "", sentence)
        if not sentence:
            continue
        if sentence.rstrip(_CLOSERS)[-1:] not in _FULL_STOPS:
            sentence += "。" if UNSPACED.match(sentence[-1]) else "."
        sentences.append(sentence)
    return " ".join(sentences)
