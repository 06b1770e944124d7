"""Read Word documents: headings, paragraphs, tables, text boxes, notes and comments in their order.

A document is a ZIP archive of XML files. A DTD, and so an entity of the file's own, is refused.
"""

import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from itertools import islice
from string import ascii_lowercase, ascii_uppercase
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from utils.files.sniffing import UNKNOWN
from utils.files.text_files import limited, markdown, number_in, raised
from utils.files.unreadable import UnreadableFile
from utils.models.attachment import AttachmentKind, FileContents

MAX_FILES = 2_000
MAX_UNPACKED_SIZE = 64 * 1024**2
MAX_XML_SIZE = 16 * 1024**2
BODY_FILE, STYLES_FILE = "word/document.xml", "word/styles.xml"
LISTS_FILE = "word/numbering.xml"
PROPERTIES_FILE = "docProps/core.xml"
NOTES = {
    "footnote": "word/footnotes.xml",
    "endnote": "word/endnotes.xml",
    "comment": "word/comments.xml",
}
MAX_BLOCKS = 5_000
HEADINGS = ("heading", "title")
# What may stand around the runs of a paragraph, or around paragraphs: links, fields, content
# controls, insertions, formulas, words with a reading above them. Deleted text is not read.
WRAPPERS = frozenset(
    (
        *("hyperlink", "ins", "moveTo", "smartTag", "fldSimple", "sdt", "sdtContent"),
        *("customXml", "oMathPara", "ruby", "rubyBase"),
    )
)
BOXES = ("\u2610", "\u2611", "\u2612")  # open, ticked, crossed
NUMERALS: dict[str, Callable[[int], str]] = {
    "decimal": str,
    "lowerLetter": lambda number: ascii_lowercase[number - 1 : number],
    "upperLetter": lambda number: ascii_uppercase[number - 1 : number],
}
MAX_MARK_SIZE = 20
DEPTHS = tuple("012345678")
_STRUCK = "\0"  # around what is struck out, for now: a document has tildes of its own, but no NUL
RAISED = {"superscript": "^", "subscript": "_"}
CHARACTERS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}

# A RuntimeError means a password, an unknown compression, or elements nested too deeply.
DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, ElementTree.ParseError),
    *(EOFError, LookupError, OSError, RuntimeError, ValueError),
)

BROKEN = "it is damaged"
NO_TEXT = "without text that I can read"  # but pictures, or a page of another format


class _NoDoctype(ElementTree.TreeBuilder):
    """Builds the tree of a file without a DTD."""

    def doctype(self, *_: object) -> None:
        """Refuse the file, before any entity is read."""
        raise UnreadableFile(BROKEN, is_refused=True)


def read_word_document(data: bytes) -> FileContents:
    """Return the content of a document.

    Raises UnreadableFile for other archives, damaged files and zip bombs.
    """
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            # The archive's directory says the sizes before anything is unpacked.
            files = archive.infolist()
            sizes = {file.filename: file.file_size for file in files}
            if BODY_FILE not in sizes:
                raise UnreadableFile(UNKNOWN, is_refused=True)
            xml_size = sum(size for name, size in sizes.items() if name.endswith(".xml"))
            unpacked_size = sum(file.file_size for file in files)
            if (
                len(files) > MAX_FILES
                or unpacked_size > MAX_UNPACKED_SIZE
                or xml_size > MAX_XML_SIZE
            ):
                raise UnreadableFile(
                    "it is far larger when unpacked than a document can be", is_refused=True
                )
            body = _parse(archive, BODY_FILE).find("{*}body")
            if body is None:
                raise UnreadableFile(BROKEN)
            styles = _parse(archive, STYLES_FILE) if STYLES_FILE in sizes else Element("styles")
            headings = {  # ids are in the author's language, names are not
                _attribute(style, "styleId")
                for style in styles.iterfind("{*}style")
                if _attribute(style.find("{*}name"), "val").lower().startswith(HEADINGS)
            }
            if LISTS_FILE in sizes:
                by_style = {
                    _attribute(style, "styleId"): item
                    for style in styles.iterfind("{*}style")
                    if (item := style.find("{*}pPr/{*}numPr")) is not None
                }
                _insert_marks(body, _Numbering(_parse(archive, LISTS_FILE)), by_style)
            for kind, file in NOTES.items():
                if file in sizes:
                    _insert_notes(body, kind, _parse(archive, file))
            texts = _text_blocks(body, headings)
            blocks = [block for block in islice(texts, MAX_BLOCKS) if block.strip()]
            has_title = PROPERTIES_FILE in archive.namelist()
            title = _parse(archive, PROPERTIES_FILE).findtext("{*}title") if has_title else None
    except DAMAGE:
        raise UnreadableFile(BROKEN) from None
    parts, note = limited(markdown("\n\n".join(blocks)))
    note = note if parts else NO_TEXT
    first_line = next((block.lstrip("# ").split("\n")[0] for block in blocks), "")
    return FileContents(AttachmentKind.DOCUMENT, (title or first_line)[:200], parts, note)


def _parse(archive: zipfile.ZipFile, name: str) -> Element:
    """Return a file's tree; no more is unpacked than the archive's directory declares."""
    parser = ElementTree.XMLParser(target=_NoDoctype())  # noqa: S314
    return ElementTree.fromstring(archive.read(name), parser)  # noqa: S314


def _insert_notes(body: Element, kind: str, notes: Element) -> None:
    """Put the text of notes or comments into the body, in brackets where it refers to them."""
    texts = {}
    for note in notes.iterfind(f"{{*}}{kind}"):
        text = " ".join(map(_text, note.iterfind("{*}p"))).strip()
        author = f"comment by {_attribute(note, 'author')}: " if kind == "comment" and text else ""
        texts[_attribute(note, "id")] = f"{author}{text}"
    for reference in body.iterfind(f".//{{*}}{kind}Reference"):
        text = texts.pop(_attribute(reference, "id"), "")  # once, or it could fill the memory
        reference.tag, reference.text = "t", f" ({text})" if text else ""


def _insert_marks(body: Element, numbering: "_Numbering", by_style: Mapping[str, Element]) -> None:
    """Put the marks of lists into their paragraphs; ``by_style`` has the lists of styles."""
    for paragraph in body.iterfind(".//{*}p"):
        item = paragraph.find("{*}pPr/{*}numPr")
        if item is None:
            item = by_style.get(_attribute(paragraph.find("{*}pPr/{*}pStyle"), "val"))
        if item is not None:
            depth = _attribute(item.find("{*}ilvl"), "val") or "0"
            mark = numbering.next_mark(_attribute(item.find("{*}numId"), "val"), depth)
            if mark:
                paragraph.insert(1, Element("t"))
                paragraph[1].text = f"{mark} "


class _Numbering:
    """Counts the items of numbered lists as Word does."""

    def __init__(self, lists: Element) -> None:
        self._levels = {
            (_attribute(kind, "abstractNumId"), _attribute(level, "ilvl")): level
            for kind in lists.iterfind("{*}abstractNum")
            for level in kind.iterfind("{*}lvl")
        }
        self._lists = {_attribute(item, "numId"): item for item in lists.iterfind("{*}num")}
        self._overrides = {  # of lists and depths that have had no item yet
            (number_id, _attribute(override, "ilvl")): override
            for number_id, item in self._lists.items()
            for override in item.iterfind("{*}lvlOverride")
        }
        self._counts: dict[str, dict[str, int]] = {}  # of the last items, by depth

    def next_mark(self, number_id: str, depth: str) -> str:
        """Return the number of a list's next item, or its box; empty for other marks."""
        item = self._lists.get(number_id)
        kind = "" if item is None else _attribute(item.find("{*}abstractNumId"), "val")
        level = self._levels.get((kind, depth))
        if item is None or level is None or depth not in DEPTHS:
            return ""
        text = _attribute(level.find("{*}lvlText"), "val")[:MAX_MARK_SIZE]
        if text in BOXES or "%" not in text:
            return text if text in BOXES else ""
        counts = {key: number for key, number in self._counts.get(kind, {}).items() if key <= depth}
        counts[depth] = counts.get(depth, _start(level, "start", 1) - 1) + 1
        if (override := self._overrides.pop((number_id, depth), None)) is not None:
            counts[depth] = _start(override, "startOverride", counts[depth])
        self._counts[kind] = counts
        for key, number in counts.items():
            style = _attribute(self._levels[kind, key].find("{*}numFmt"), "val")
            numeral = NUMERALS[style](number) if style in NUMERALS else ""
            text = text.replace(f"%{int(key) + 1}", numeral or "%")
        return "" if "%" in text else text


def _start(parent: Element, name: str, default: int) -> int:
    """Return the number with which a list begins."""
    return number_in(_attribute(parent.find(f"{{*}}{name}"), "val"), default)


def _text_blocks(body: Element, headings: set[str]) -> Iterator[str]:
    """Yield headings in Markdown, paragraphs and the boxes in them, and tables row by row."""
    for block in _unwrapped(body):
        if _name(block) == "tbl":
            yield from _rows(block)
        elif _name(block) == "p":
            style = _attribute(block.find("{*}pPr/{*}pStyle"), "val")
            text = _text(block)
            yield f"# {text}" if style in headings else text
            for box in _text_boxes(block):
                yield from _text_blocks(box, headings)


def _rows(table: Element) -> Iterator[str]:
    """Yield the rows of a table."""
    for row in _unwrapped(table, "tr"):
        cells = (_text_blocks(cell, set()) for cell in _unwrapped(row, "tc"))
        yield " | ".join("\n".join(blocks).strip() for blocks in cells)


def _text_boxes(parent: Element) -> Iterator[Element]:
    """Yield the contents of visible text boxes, which Word stores twice, each once."""
    for child in parent:
        if _name(child) == "txbxContent":
            yield child
        elif not (
            _name(child) in ("Fallback", "del", "moveFrom") or _is_on(_properties(child), "vanish")
        ):
            yield from _text_boxes(child)


def _text(parent: Element) -> str:
    """Return the text of a paragraph, or of one of its runs."""
    texts = [""]
    for element in _unwrapped(parent):
        name, text = _name(element), ""
        if name == "t":
            text = element.text or ""
        elif name == "r":
            properties = _properties(element)
            sign = RAISED.get(properties.get("vertAlign", ""), "")
            text = raised(_text(element), sign, texts[-1])
            text = "" if _is_on(properties, "vanish") else text
            is_struck = _is_on(properties, "strike") or _is_on(properties, "dstrike")
            text = f"{_STRUCK}{text}{_STRUCK}" if is_struck and text.strip() else text
        elif name == "oMath":
            parts = (part.text or "" for part in element.iterfind(".//{*}t"))
            text = " ".join(parts)  # or a half, and a power, were a whole number
        elif name == "sym":
            symbol = chr(int(_attribute(element, "char") or "0", 16))
            text = symbol if symbol.isprintable() else ""  # others need their font
        elif _attribute(element, "type") not in ("page", "column"):  # breaks
            text = CHARACTERS.get(name, "")
        if text:
            texts.append(text)
    joined = "".join(texts).replace(2 * _STRUCK, "")  # runs that follow each other
    return joined.replace(_STRUCK, "~~")


def _properties(run: Element) -> dict[str, str]:
    """Return the values of a run's properties, empty for those without one."""
    properties = run.find("{*}rPr")
    return {
        _name(element): _attribute(element, "val")
        for element in (() if properties is None else properties)
    }


def _is_on(properties: Mapping[str, str], name: str) -> bool:
    """Whether a run has a property, such as that it is hidden."""
    return properties.get(name, "off") not in ("0", "false", "off")


def _unwrapped(parent: Element, name: str = "") -> Iterator[Element]:
    """Yield the children, with those of wrappers in their place; only those of a name, if given."""
    for child in parent:
        if _name(child) in WRAPPERS:
            yield from _unwrapped(child, name)
        elif name in ("", _name(child)):
            yield child


def _name(element: Element) -> str:
    """Return the name without its namespace, which differs between kinds of Word documents."""
    return element.tag.rpartition("}")[2]


def _attribute(element: Element | None, name: str) -> str:
    """Return an attribute without regard to its namespace; empty if it is missing."""
    values = () if element is None else element.attrib.items()
    return next((value for key, value in values if key.rpartition("}")[2] == name), "")
