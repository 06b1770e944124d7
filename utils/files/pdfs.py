"""Read the text of the first pages of a PDF, the values of its forms, and its notes, with pypdf."""

from collections.abc import Iterator, Mapping
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING, Any

from utils.common.text import clip
from utils.files.text_files import limited, packed
from utils.files.unreadable import UnreadableFile
from utils.models.attachment import AttachmentKind, FileContents

if TYPE_CHECKING:
    from pypdf import PageObject

MAX_PAGES = 30
MAX_PAGE_LENGTH = 20_000  # characters
MAX_ANNOTATIONS = 500  # of a page
HIDDEN, PASSWORD = 1 << 1, 1 << 13  # flags of an annotation and of a field (ISO 32000)
WITHOUT_WORDS = ("/Link", "/Popup")  # a popup shows the words of a note

FAULTS = (ValueError, KeyError, TypeError, AttributeError, IndexError)
"""What pypdf raises for damaged files, besides its own errors."""
UNREAD_REST = "… (the rest of this page is not read)"
UNREAD_NOTES = "(not all of its form and notes could be read)"
LOCKED = "it is protected with a password"
BROKEN = "it is damaged"


def read_pdf(data: bytes) -> FileContents:
    """Return the text of the first MAX_PAGES pages.

    Raises UnreadableFile for a damaged or password-protected file.
    """
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise UnreadableFile(LOCKED)
        pages = len(reader.pages)
        title = ((reader.metadata and reader.metadata.title) or "").strip()
        texts = [_text_of(reader.pages[index]) for index in range(min(pages, MAX_PAGES))]
    except (PyPdfError, *FAULTS):
        raise UnreadableFile(BROKEN) from None
    except (NotImplementedError, ImportError):  # a cipher that needs another package
        raise UnreadableFile(LOCKED) from None
    parts, note = limited(_parts(texts))
    notes = [f"{pages} page{'s' if pages != 1 else ''}"]
    if parts and (pages > MAX_PAGES or note):
        last_page = parts[-1].partition(")")[0].removeprefix("(page ") if note else MAX_PAGES
        notes.append(f"only pages 1 to {last_page} were read")
    if not parts:
        notes.append("without a text layer")
    return FileContents(AttachmentKind.DOCUMENT, title[:200], parts, ", ".join(notes))


def _text_of(page: "PageObject") -> str:
    """Return a page's text, and below it what fills its form and the notes on it."""
    from pypdf.errors import PyPdfError

    text = clip(page.extract_text().strip(), MAX_PAGE_LENGTH, ellipsis=UNREAD_REST)
    try:
        items = list(islice(page.annotations or (), MAX_ANNOTATIONS + 1))
    except (PyPdfError, *FAULTS):
        return f"{text}\n\n{UNREAD_NOTES}".strip()
    lines = [UNREAD_NOTES] if len(items) > MAX_ANNOTATIONS else []
    for item in items[:MAX_ANNOTATIONS]:
        try:
            lines.append(_line_of(item.get_object()))
        except (PyPdfError, *FAULTS):
            lines.append(UNREAD_NOTES)
    notes = "\n".join(dict.fromkeys(filter(None, lines)))
    notes = clip(notes, MAX_PAGE_LENGTH, ellipsis=UNREAD_REST)
    return "\n\n".join(filter(None, (text, notes)))


def _line_of(annotation: Mapping[str, Any]) -> str:
    """Return a field's name and value, or a note's words; empty if there is nothing to read."""
    kind = annotation["/Subtype"]
    if kind in WITHOUT_WORDS or annotation.get("/F", 0) & HIDDEN:
        return ""
    if kind != "/Widget":
        words = _words(annotation, "/Contents")
        return f"note: {words}" if words else ""
    field = annotation if "/T" in annotation else annotation["/Parent"]
    value = _words(field, "/V").removeprefix("/")
    name = _words(field, "/TU") or _words(field, "/T")  # the first is written for people
    return f"{name}: {value}" if value and not field.get("/Ff", 0) & PASSWORD else ""


def _words(item: Mapping[str, Any], key: str) -> str:
    """Return a text, or a list of texts in one line; empty for anything else."""
    value = item[key] if key in item else ""  # noqa: SIM401 (pypdf's get follows no reference)
    if isinstance(value, list):
        return ", ".join(str(text) for text in value)
    return value.strip() if isinstance(value, str) else ""


def _parts(texts: list[str]) -> Iterator[str]:
    """Yield the text of each page after its number."""
    for number, text in enumerate(texts, 1):
        for part in packed(text.split("\n\n"), max_length=1_480):
            yield f"(page {number}) {part}"
