"""PDFs, by pypdf: the text of the first pages."""

from collections.abc import Iterator
from io import BytesIO

from utils.files.chunks import limited, packed
from utils.files.unreadable import UnreadableFile
from utils.model.artifact import ArtifactKind, Contents

MOST_PAGES = 30
MOST_OF_A_PAGE = 20_000  # characters

LOCKED = "it is locked with a password"
BROKEN = "it is damaged"


def read_pdf(data: bytes) -> Contents:
    """Read the first MOST_PAGES pages. Raises UnreadableFile for a damaged or a locked file."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise UnreadableFile(LOCKED)
        pages = len(reader.pages)
        title = ((reader.metadata and reader.metadata.title) or "").strip()
        shown = range(min(pages, MOST_PAGES))
        texts = [reader.pages[i].extract_text()[:MOST_OF_A_PAGE].strip() for i in shown]
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError):
        raise UnreadableFile(BROKEN) from None
    except (NotImplementedError, ImportError):  # a cipher that pypdf needs another package for
        raise UnreadableFile(LOCKED) from None
    parts, note = limited(_parts(texts))
    notes = [f"{pages} page{'s' if pages != 1 else ''}"]
    if pages > MOST_PAGES:
        notes.append(f"cut after page {MOST_PAGES}")
    elif note:
        notes.append(note)
    if not parts:
        notes.append("without a text layer")
    return Contents(ArtifactKind.DOCUMENT, title[:200], parts, ", ".join(notes))


def _parts(texts: list[str]) -> Iterator[str]:
    """Yield each page's text, its number before it."""
    for number, text in enumerate(texts, 1):
        for part in packed(text.split("\n\n"), room=1_480):
            yield f"(page {number}) {part}"
