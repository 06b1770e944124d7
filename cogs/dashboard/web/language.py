"""The language of a page: the one the visitor chose, else the one the browser asks for.

English is in the code and the templates; ``languages/de.json`` maps it to German. What Kith also
says on Discord (errors, kinds of memories) is translated there, in utils/common/languages. Names,
stored texts and what ``doctor`` finds are never translated.
"""

import json
import re
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path

from markupsafe import Markup, escape

from utils.common import translation
from utils.common.errors import KithError
from utils.common.prices import money
from utils.common.text import age_template
from utils.models.memory import Kind

FOLDER = Path(__file__).parents[1] / "languages"
COOKIE = "kith_language"
COOKIE_S = 400 * 86_400  # browsers allow no more
CODE = re.compile(r"`([^`]+)`")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(frozen=True, slots=True)
class PageLanguage:
    """A language of the pages: its code, its own name, and its texts by the English ones."""

    code: str
    name: str
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)


ENGLISH = PageLanguage("en", "English", {"server_fact": "server fact"})
_current: ContextVar[PageLanguage] = ContextVar("language", default=ENGLISH)


@cache
def languages() -> Mapping[str, PageLanguage]:
    """Return every language of the pages by its code; read once."""
    texts = json.loads((FOLDER / "de.json").read_text(encoding="utf-8"))
    on_discord = translation.languages()["de"]
    german = {**on_discord["choices"], **on_discord["texts"], **texts}
    return {"en": ENGLISH, "de": PageLanguage("de", "Deutsch", german)}


def choose(cookie: str | None, accepted: str) -> PageLanguage:
    """Return the language of a cookie, else the first that an Accept-Language header names."""
    page_languages = languages()
    if chosen := page_languages.get(cookie or ""):
        return chosen
    for part in accepted.split(","):
        code = part.partition(";")[0].strip().partition("-")[0].casefold()
        if code in page_languages:
            return page_languages[code]
    return ENGLISH


def use(language: PageLanguage) -> None:
    """Answer the current request in this language."""
    _current.set(language)


def current() -> PageLanguage:
    """Return the language of the current request."""
    return _current.get()


def tr(text: str, **values: object) -> str:
    """Return the translation of an English text, with its placeholders filled in."""
    text = current().texts.get(text, text)
    return text.format(**values) if values else text


def plural(number: float, one: str, many: str, **values: object) -> str:
    """Return the translation of the text for one, or for many; ``{count}`` is the number."""
    return tr(one if number == 1 else many, count=count(number), **values)


def sentence_of(error: KithError) -> str:
    """Return an error's sentence in the language of the page, with a kind of memory in it, too."""
    return tr(
        error.template,
        **{name: tr(v) if isinstance(v, Kind) else v for name, v in error.values.items()},
    )


def t(text: str, **values: object) -> Markup:
    """Return ``tr(text)`` for a template: ``code`` in backticks, and values that may be markup."""
    html = with_code(current().texts.get(text, text))
    return html.format(**values) if values else html


def tn(number: float, one: str, many: str, **values: object) -> Markup:
    """Return ``plural(...)`` for a template."""
    return t(one if number == 1 else many, count=count(number), **values)


def with_code(text: str) -> Markup:
    """Return a text for a template, with its backticks as code."""
    return Markup(CODE.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704 - escaped


def written(value: float, form: str) -> str:
    """Return a number as a format spec has it, with the language's separators."""
    return translation.number(current().code, value, form)


def plain(number: float | str) -> str:
    """Return a number, or the number in a form's field, as people write it; "" stays."""
    return written(float(number), ",.10g") if number != "" else ""


def count(value: float) -> str:
    """Return a whole number with thousands separators."""
    return written(value, ",.0f")


def amount(value: float, currency: str) -> str:
    """Return an amount of money."""
    text = money(value, currency)
    return text.translate(translation.COMMA) if current().code == "de" else text


def ago(at: datetime, now: datetime) -> str:
    """Return the distance of a time from now in one unit."""
    template, number = age_template(at, now, UTC)
    return tr(template, count=count(number))


def day(at: date) -> str:
    """Return a date: 5 Mar 2026."""
    return tr("{day} {month} {year}", day=at.day, month=tr(MONTHS[at.month - 1]), year=at.year)


def short_day(at: date) -> str:
    """Return a date without its year, for an axis: 5 Mar."""
    return tr("{day} {month}", day=at.day, month=tr(MONTHS[at.month - 1]))


def clock(at: datetime) -> str:
    """Return a date and a time: 5 Mar 2026, 14:05 UTC."""
    return f"{day(at)}, {at:%H:%M} UTC"
