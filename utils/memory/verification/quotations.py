"""What is in a message but not its author's: quotations, pasted lines, code, songs, memes. Pure."""

import re
from collections.abc import Iterable

from utils.memory.verification.note_words import WORD
from utils.memory.verification.person_words import FIRST_PERSON

_QUOTED_LINE = re.compile(r"^\s*>+.*$", re.MULTILINE)
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_ATTACHED = re.compile(
    r"\[(?:(?:attachment|embed|sticker|image|file|gif|video|forwarded)\b|(?:document|audio|link) "
    r"attached)[^\]\n]*\]?",
    re.IGNORECASE,
)
_MEME = re.compile(r"^\W*(?:literally |absolutely )?(?:nobody|no one|noone):", re.IGNORECASE)
_SUNG = re.compile("[🎵🎶♪♫][^\n]*")
_QUOTATION = re.compile(
    r"[\"“„«]([^\"”“»\n]{1,400})[\"”“»]|[「『]([^」』\n]{1,400})[」』]"
    r"|(?<![^\W_])['‘]([^'’\n]{1,400}(?:['’](?=\w)[^'’\n]{1,400})*)['’](?![^\W_])"
)
_LABELLED = re.compile(
    r"^(?:\s*[\[(<]?\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?[\])>]?)?\s*"
    r"<?([^\s:<>@][^:\n<>]{0,40}?)[:>]\s+(?=\S)",
    re.MULTILINE | re.IGNORECASE,
)
_OWN_LABELS = re.compile(
    r"^(?:me|ich|moi|yo|eu|я|fun fact|fact|update|ok update|small update|edit|ps|p\.s\.|note|btw|"
    r"reminder|confession|hot take|unpopular opinion|question|answer|tl;?dr|news|today|hobbies|"
    r"pets?|job|name|age|location|about me|context|also|so|well|remember|kith|\w+ (?:is|are)|"
    r".*\b(?:i|my|ich|mein\w*|je|mon|yo|mi|eu|meu|minha|я)\b.*)$",
    re.IGNORECASE,
)
LONG_QUOTATION_WORDS = 4


def own_words(text: str, others: Iterable[str] = ()) -> str:
    """Return a message without what it only cites: quotations, code, pasted lines, songs.

    ``others`` are the names of other people in sight, whose lines may have been pasted.
    """
    if _MEME.search(text):
        return ""
    text = _CODE.sub(" ", _QUOTED_LINE.sub(" ", text))
    text = _SUNG.sub(" ", _ATTACHED.sub(" ", text))
    text = _QUOTATION.sub(_keep_titles, text)
    names = {name.casefold() for name in others}
    several = len(_LABELLED.findall(text)) > 1 or "\n" in text.strip()
    return "\n".join(_unlabelled(line, names, several) for line in text.split("\n"))


def _unlabelled(line: str, names: set[str], several: bool) -> str:
    """Return a line, or nothing if another person wrote it: "Sam: I hate cats"."""
    labelled = _LABELLED.match(line)
    if labelled is None:
        inner = re.search(r":\s+(?=I\b)", line)
        label = line[: inner.start()] if inner else ""
        is_label = 1 < len(label.split()) < 6 and not label.startswith("@")
        cited = inner is not None and is_label and not _OWN_LABELS.match(label)
        return label if cited else line
    label = labelled[1].strip()
    if _OWN_LABELS.match(label):
        return line
    is_time = labelled[0].lstrip()[:1] in "[(<0123456789" and any(c.isdigit() for c in labelled[0])
    if is_time or several or label.casefold() in names or len(label.split()) > 1:
        return ""
    return line


def _keep_titles(quotation: re.Match[str]) -> str:
    """Keep what is too short to be a quoted sentence, such as a title."""
    quoted = next(group for group in quotation.groups() if group is not None)
    words = [word.casefold() for word in WORD.findall(quoted)]
    is_speech = len(words) >= LONG_QUOTATION_WORDS or bool(FIRST_PERSON & set(words))
    is_speech = is_speech or (_is_unspaced(quoted) and len(quoted) > 5)
    return " " if is_speech else f" {quoted} "


def _is_unspaced(text: str) -> bool:
    return any("\u0e00" <= character <= "\u9fff" for character in text if character.isalpha())
