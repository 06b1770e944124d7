"""Read the text of the first pages of a PDF, with pypdf."""

from collections.abc import Iterator
from io import BytesIO

from utils.files.text_files import limited, packed
from utils.files.unreadable import UnreadableFile
from utils.models.attachment import AttachmentKind, FileContents

MAX_PAGES = 30
MAX_PAGE_LENGTH = 20_000  # characters

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
        texts = [
            reader.pages[index].extract_text()[:MAX_PAGE_LENGTH].strip()
            for index in range(min(pages, MAX_PAGES))
        ]
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError):
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


def _parts(texts: list[str]) -> Iterator[str]:
    """Yield the text of each page after its number."""
    for number, text in enumerate(texts, 1):
        for part in packed(text.split("\n\n"), max_length=1_480):
            yield f"(page {number}) {part}"
