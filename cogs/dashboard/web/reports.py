"""Reports of jobs and lines of ``doctor`` in the language of the page.

They arrive as finished English text: ``doctor`` writes for a terminal too, and another process may
have stored the report. Each part is found again by the text that it was made from.
"""

import re
import string
from functools import cache

from markupsafe import Markup

from cogs.bot import login
from cogs.cli import doctor
from cogs.dashboard.web.language import COMMA, ENGLISH, current, tr
from utils.common import env_file
from utils.database.schema import fts_index
from utils.files.web_pages import NO_PAGES

REPORTS = (
    # jobs
    "done",
    "written",
    "connected",
    "not connected",
    "latency {count} ms",
    "shards {ids} of {count}",
    "{expired} expired and {surplus} surplus memories removed",
    "{count} old messages erased",
    "{count} memories without evidence removed",
    "{count} near-duplicates merged",
    "{count} departed members erased",
    "{count} servers that removed me erased",
    "{count} old counts of tokens removed",
    "{count} old scores of watched messages erased",
    "{count} old notes on conversations erased",
    "counted {rows} of {people} in {places}",
    "{count} memory",
    "{count} memories",
    "{count} member",
    "{count} members",
    "{count} server",
    "{count} servers",
    "no recent policy change",
    "version {version}: {what}: too few samples ({count} of {needed})",
    "version {version}: {what}: {distance} (drift from {limit})",
    "{what}: too few samples ({count} of {needed})",
    "{what}: {distance} (drift from {limit})",
    "rolled back (now {version})",
    # the names of checks and what drift compares
    "settings",
    "memory",
    "answers",
    "database",
    "model",
    "discord",
    "embedding",
    "attachments",
    "tools",
    "recall",
    "recall sizes",
    "refusal reasons",
    "kinds",
    "confidences",
    "topics",
    # doctor
    *doctor.LINKS.values(),
    *(doctor.READ_ONLY, doctor.WITHOUT_V1, doctor.MODEL_AWAY, doctor.NO_FILES, NO_PAGES),
    *(doctor.EMBEDDING_AWAY, doctor.EMBEDDING_MALFORMED, fts_index.THERE, fts_index.NOT_THERE),
    *(env_file.UNREADABLE, env_file.NO_VALUE, env_file.MISTYPED, env_file.UNKNOWN),
    *(login.NOT_CONFIGURED, login.LOGIN_REFUSED, login.AWAY),
    "valid",
    "schema {revision} (current)",
    "schema {revision} (needs {newest}: run `python bot.py migrate`)",
    "journal {mode}",
    "{models} at {host} answered.",
    "none is configured, so answers are plain; `python bot.py setup` adds one (OPENAI_API_KEY or "
    "OPENAI_BASE_URL)",
    "the token is {user}'s",
    "the Message Content intent is on. Invite it with {link}",
    "the Message Content intent is off: mentions, replies and direct messages work, chat channels "
    "don't",
    "turn it on under Bot in the developer portal. Invite it with {link}",
    "EMBEDDING_MODEL is not set, so recall compares words only",
    "{model} answered with {count} dimensions",
    "{memories} memories and {messages} messages wait to be read by it",
    "ATTACHMENTS is off, so files are noted but not read",
    "documents of up to {count} MB are read",
    "pictures are described by {model}",
    "the text in pictures is read by Tesseract (VISION_MODEL would describe them)",
    "pictures are not read (set VISION_MODEL, or install Tesseract)",
    "recordings are transcribed by {model}",
    "recordings are not read (set TRANSCRIPTION_MODEL)",
    "READ_LINKS is on, but pages are only read for a model, and there is none",
    "pages are read when members ask, and in the channels of `/config channel links`",
    "{count} an hour for each member",
)
CHECK = re.compile(r"([✓✗–]) (\w+): (.*)", re.DOTALL)
SEPARATORS = ("; ", ", ")
NUMBERS = frozenset({"count", "needed", "distance", "limit", "expired", "surplus"})
NOTE, RECALL = "–", "recall"


def report(text: str) -> Markup:
    """Return a report as a page shows it; what stays English says so to screen readers."""
    translated = _translated(text)
    is_english = translated == text and current() is not ENGLISH
    tag = Markup('<bdi lang="en">{}</bdi>') if is_english else Markup("<bdi>{}</bdi>")
    return tag.format(translated)


def finding(line: str) -> Markup:
    """Return a line of ``doctor`` as a page shows it."""
    match = CHECK.fullmatch(line)
    if match is None:
        return report(line)
    mark, name, text = match.groups()
    # Sentences about channels were written in the page's language.
    content = (
        Markup("<bdi>{}</bdi>").format(text) if (mark, name) == (NOTE, RECALL) else report(text)
    )
    return Markup("{} {}: {}").format(mark, _known(name), content)


def _translated(text: str, separators: tuple[str, ...] = SEPARATORS) -> str:
    """Return a text as a whole or in its parts; parts that no template makes stay."""
    texts = current().texts
    if text in texts:
        return texts[text]
    for template in REPORTS:
        match = _pattern(template).fullmatch(text) if template in texts else None
        if match is not None:
            values = match.groupdict()
            return tr(template, **{name: _value(name, values[name]) for name in values})
    if not separators:
        return text
    first, *remaining = separators
    return first.join(_translated(part, tuple(remaining)) for part in text.split(first))


def _value(name: str, value: str) -> str:
    if name in NUMBERS:
        return value.translate(COMMA) if current().has_decimal_comma else value
    return _translated(value, ())


def _known(name: str) -> str:
    return tr(name) if name in current().texts else name


@cache
def _pattern(template: str) -> re.Pattern[str]:
    """Return what matches the texts that a template makes; values have no separators in them."""
    pattern, names = "", set[str]()
    for literal, name, _, _ in string.Formatter().parse(template):
        pattern += re.escape(literal)
        if name:
            value = r"[\d.,]+" if name in NUMBERS else r"(?:[^;,]|,(?! ))+?"
            pattern += f"(?P={name})" if name in names else f"(?P<{name}>{value})"
            names.add(name)
    return re.compile(pattern)
