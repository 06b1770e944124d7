"""Reports of jobs and lines of ``doctor`` in the language of the page.

They arrive as finished English text: ``doctor`` writes for a terminal too, and another process may
have stored the report. Each part is found again by the text that it was made from, which stands in
``languages/de.reports.json``.
"""

import re
import string
from functools import cache

from markupsafe import Markup

from cogs.dashboard.web.language import COMMA, ENGLISH, current, tr

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
    for template in current().reports:
        if match := _pattern(template).fullmatch(text):
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
