"""Word documents, by python-docx: headings, paragraphs and tables in their order."""

import zipfile
from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING

from utils.files.chunks import limited, markdown
from utils.files.sniffing import ARCHIVE
from utils.files.unreadable import UnreadableFile
from utils.model.artifact import ArtifactKind, Contents

if TYPE_CHECKING:
    from docx.document import Document

MOST_FILES = 2_000
MOST_UNPACKED = 64 * 1024**2
MOST_OF_TEXT = 16 * 1024**2
BODY = "word/document.xml"
MOST_BLOCKS = 5_000

BROKEN = "it is damaged"
BOMB = "it is far larger inside than a document can be"


def read_word_document(data: bytes) -> Contents:
    """Read a document. Raises UnreadableFile for other archives, damaged files and zip bombs."""
    _check(data)
    from docx import Document as load
    from docx.opc.exceptions import OpcError

    try:
        document = load(BytesIO(data))
        blocks = [one for one in islice(_blocks(document), MOST_BLOCKS) if one.strip()]
        title = document.core_properties.title or ""
    except (OpcError, SyntaxError, zipfile.BadZipFile, ValueError, KeyError, AttributeError):
        raise UnreadableFile(BROKEN) from None
    parts, note = limited(markdown("\n\n".join(blocks)))
    first = next((one.lstrip("# ").split("\n")[0] for one in blocks), "")
    return Contents(ArtifactKind.DOCUMENT, (title or first)[:200], parts, note)


def _check(data: bytes) -> None:
    """Look at the archive's table of contents before anything is unpacked."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            files = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        raise UnreadableFile(BROKEN) from None
    sizes = {one.filename: one.file_size for one in files}
    if BODY not in sizes:
        raise UnreadableFile(ARCHIVE, is_refused=True)
    is_large = sum(one.file_size for one in files) > MOST_UNPACKED or len(files) > MOST_FILES
    if is_large or sum(s for name, s in sizes.items() if name.endswith(".xml")) > MOST_OF_TEXT:
        raise UnreadableFile(BOMB, is_refused=True)


def _blocks(document: "Document") -> Iterator[str]:
    """Yield headings as Markdown writes them, paragraphs, and tables row by row."""
    from docx.table import Table

    for block in document.iter_inner_content():
        if isinstance(block, Table):
            for row in block.rows:
                yield " | ".join(cell.text.strip() for cell in row.cells)
            continue
        style = (block.style.name or "") if block.style is not None else ""
        yield f"# {block.text}" if style.startswith(("Heading", "Title")) else block.text
