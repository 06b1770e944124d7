"""Read web pages: the main text of a link's page, and all text of an attached one."""

import re
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING

from utils.common.text import clip, one_line
from utils.files.sniffing import HEAD_SIZE, Format, sniff
from utils.files.text_files import (
    BEGINNING_ONLY,
    BYTE_ORDER_MARKS,
    decoded,
    limited,
    number_in,
    paragraphs,
    raised,
)
from utils.files.unreadable import UnreadableFile
from utils.models.attachment import AttachmentKind, FileContents

if TYPE_CHECKING:
    from lxml.html import HtmlElement

MAX_PAGE_PARTS = 20  # about 30,000 characters
TITLE_LIMIT = 200
MAX_QUOTES = 5  # one within another that are told apart
NO_TITLE = "[no-title]"  # readability's word for it
NO_TEXT = "no text was found on it; pages that need JavaScript cannot be read"
NO_PAGES = "READ_LINKS is on, but pages cannot be read: run `pip install -r requirements-links.txt`"
NOT_TEXT = "it is not a page of text"
NOT_DRAWN = "names and more may be missing that its scripts would add"

_META_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.I)
INLINE_TAGS = (
    "a abbr b bdi bdo cite code data del dfn em font i img input ins kbd label mark q s samp small "
    "span strike strong sub sup td th time tt u var wbr"
)
_INLINE = frozenset(INLINE_TAGS.split())
_BEFORE = {f"h{level}": "#" * level + " " for level in range(1, 7)} | {"li": "- "}
_CELLS = ("td", "th")
_PARAGRAPHS = ("p", "div")
RAISED = {"sup": "^", "sub": "_"}
STRUCK = ("del", "s", "strike")
DRAWN_BY_SCRIPTS = "//*[contains(name(), '-')] | //script[@type='application/json']"
WITHOUT_WORDS = ("head", "script", "style", "template", "svg")
HTML_SUFFIXES = ("html", "htm", "xhtml")


def can_read_pages() -> bool:
    """Whether the package is installed that finds a page's main text."""
    return find_spec("readability") is not None


def read_page(data: bytes, charset: str, *, is_html: bool) -> FileContents:
    """Return a page's title and main text; ``charset`` is what its site says.

    Raises UnreadableFile with the reason; a damaged page can raise any error.
    """
    if not data.strip():
        raise UnreadableFile(NO_TEXT)
    if sniff(data[:HEAD_SIZE]) is not Format.TEXT:
        raise UnreadableFile(NOT_TEXT, is_refused=True)
    title, text = "", decoded_page(data, charset)
    if is_html:
        from lxml.html import document_fromstring
        from readability import Document

        document = Document(text)
        if document.title() != NO_TITLE:
            title = clip(one_line(document.title()), TITLE_LIMIT, at_word=True)
        text = _joined(_blocks(document_fromstring(document.summary())))
    parts, note = limited(paragraphs(text), if_none=NO_TEXT)
    if len(parts) > MAX_PAGE_PARTS:
        parts, note = parts[:MAX_PAGE_PARTS], BEGINNING_ONLY
    return FileContents(AttachmentKind.LINK, title, parts, note)


def read_html_file(data: bytes, charset: str = "") -> FileContents:
    """Return all words of an attached page, menus too; ``charset`` is what its e-mail says.

    Raises UnreadableFile if it has none.
    """
    from lxml.etree import strip_elements
    from lxml.html import HTMLParser, document_fromstring

    # Without huge_tree it ends where tags are 256 deep; a comment is no cell of a row.
    parser = HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True)
    root = document_fromstring(
        decoded_page(data, charset)  # Notion draws its boxes
        .replace('<div class="checkbox checkbox-on"></div>', '<input type="checkbox" checked>')
        .replace('<div class="checkbox checkbox-off"></div>', '<input type="checkbox">')
        .encode(),
        parser=parser,
    )
    title = clip(one_line(root.findtext(".//title") or ""), TITLE_LIMIT, at_word=True)
    script_note = NOT_DRAWN if root.xpath(DRAWN_BY_SCRIPTS) else ""
    strip_elements(root, *WITHOUT_WORDS, with_tail=False)
    parts, note = limited(paragraphs(_joined(_blocks(root))), if_none=NO_TEXT)
    return FileContents(AttachmentKind.DOCUMENT, title, parts, note or script_note)


def decoded_page(data: bytes, charset: str) -> str:
    """Return a page's text: by its byte order mark, its sender's charset, its own, or a guess."""
    declared = _META_CHARSET.search(data[:HEAD_SIZE])
    names = (charset, declared[1].decode("ascii", "ignore") if declared else "")
    for name in () if data.startswith(tuple(dict(BYTE_ORDER_MARKS))) else filter(None, names):
        try:
            return data.decode(name)
        except (LookupError, ValueError):  # there is no such charset, or it is another
            continue
    return decoded(data)


def _joined(blocks: Iterator[str]) -> str:
    """Return the blocks that have words as one text."""
    return "\n\n".join(block for block in blocks if block.strip(" -#|>"))


def _blocks(root: "HtmlElement") -> Iterator[str]:
    """Yield the text of headings, paragraphs, quotes, items, rows and code, in their order."""
    from lxml.etree import iterwalk

    block, mark, depths = "", "", Counter[str]()
    numbers: dict[HtmlElement, int] = {}  # of each numbered list's last item
    for event, element in iterwalk(root, events=("start", "end", "comment", "pi")):
        is_start, tag, parent = event == "start", element.tag, element.getparent()
        is_cell = (parent is not None and parent.tag in _CELLS) and (
            (tag in _PARAGRAPHS and element.getnext() is None and element.getprevious() is None)
            # a row of one cell is a letter's layout, whose lines stay apart
            or (tag == "br" and (parent.getnext() is not None or parent.getprevious() is not None))
        )
        if event in ("start", "end") and tag not in _INLINE and not is_cell:
            is_code, quote = depths["pre"] > 0, "> " * min(depths["blockquote"], MAX_QUOTES)
            depths[tag] += 1 if is_start else -1
            if not (is_code and depths["pre"] and tag != "blockquote"):
                is_mark = block.strip() == mark.strip()  # of an item whose words are to come
                if not is_mark:
                    lines = block.strip("\n").split("\n") if is_code else [one_line(block)]
                    yield "\n".join(f"{quote}{line}" for line in lines)
                block = block if is_mark and is_start and tag in _PARAGRAPHS else ""
        block += " " * is_cell
        if is_start:
            if tag in _BEFORE:
                mark = _BEFORE[tag]
                if (
                    tag == "li"
                    and parent is not None
                    and (parent.tag, parent.get("type", "1")) == ("ol", "1")  # in Arabic numerals
                    and "reversed" not in parent.attrib
                ):
                    value, start = element.get("value", ""), parent.get("start", "")
                    before = numbers.get(parent, number_in(start, 1) - 1)
                    numbers[parent] = number_in(value, before + 1)
                    mark = f"{numbers[parent]}. "
                block += mark
            block += " | " if tag in _CELLS and block and not block.isspace() else ""
            if element.get("type") == "checkbox":
                block += "[x] " if "checked" in element.attrib else "[ ] "
            if tag == "img":  # in transcripts also emoji
                block += f" {element.get('alt', '[image]' * bool(element.get('src')))} "
        if tag in STRUCK or (tag in _INLINE and "line-through" in element.get("style", "")):
            block += "~~"
        text = (element.text if is_start else element.tail) or ""
        block += raised(text, RAISED.get(tag, ""), block) if is_start else text
    yield one_line(block)
