"""Find what a page of the dashboard shows in English whatever its language is."""

import re
from html.parser import HTMLParser

from cogs.dashboard.web.language import PageLanguage

START, END = "⟦", "⟧"
_MARKED = re.compile(f"{START}[^{START}{END}]*{END}")
_SHOWN = ("aria-label", "title", "placeholder", "data-label", "alt")
_VOID = {"meta", "link", "input", "br", "img", "path", "rect", "circle", "line", "polygon"}
_NAMES = {"bdi", "code", "kbd", "textarea", "pre", "script", "style", "title"}
"""Elements with names, settings and stored words; a page's title is its heading."""


class MarkedTexts(dict[str, str]):
    """Texts of a language in which every text is itself, between marks; keeps what was asked."""

    def get(self, text: str, default: object = None) -> str:
        self[text] = f"{START}{text}{END}"
        return self[text]


def marked_language() -> PageLanguage:
    """Return a language that shows which words of a page were translated."""
    return PageLanguage("de", "Marked", MarkedTexts())


def untranslated(html: str, data: set[str]) -> set[str]:
    """Return the words of a page that stand outside of marks; ``data`` are names that may."""
    page = _Page()
    page.feed(html)
    words = [*_unmarked("\n".join(page.texts)), *_unmarked("\n".join(page.attributes))]
    found = set()
    for text in words:
        for name in sorted(data, key=len, reverse=True):
            text = text.replace(name, " ")
        if re.search(r"[^\W\d_]{2}", text):
            found.add(" ".join(text.split()))
    return found


def _unmarked(text: str) -> list[str]:
    """Return the lines outside of marks, which may stand in each other."""
    while text != (shorter := _MARKED.sub(" ", text)):
        text = shorter
    return text.split("\n")


class _Page(HTMLParser):
    """The visible texts of a page, but not those in elements for names."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.attributes: list[str] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [value or "" for name, value in attrs if name in _SHOWN]
        if tag not in _VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [value or "" for name, value in attrs if name in _SHOWN]

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        is_svg_title = "svg" in self._open and "title" in self._open
        if is_svg_title or not _NAMES & set(self._open):
            self.texts.append(data)
