"""Read Word documents with python-docx: headings, paragraphs and tables in their order."""

import zipfile
from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING

from utils.files.chunks import limited, markdown
from utils.files.sniffing import ARCHIVE
from utils.files.unreadable import UnreadableFile
from utils.models.attachment import AttachmentKind, FileContents

if TYPE_CHECKING:
    from docx.document import Document

MAX_FILES = 2_000
MAX_UNPACKED_SIZE = 64 * 1024**2
MAX_XML_SIZE = 16 * 1024**2
BODY_FILE = "word/document.xml"
MAX_BLOCKS = 5_000

BROKEN = "it is damaged"
BOMB = "it is far larger when unpacked than a document can be"


def read_word_document(data: bytes) -> FileContents:
    """Return the content of a document.

    Raises UnreadableFile for other archives, damaged files and zip bombs.
    """
    _check_archive(data)
    from docx import Document as load
    from docx.opc.exceptions import OpcError

    try:
        document = load(BytesIO(data))
        blocks = [block for block in islice(_blocks(document), MAX_BLOCKS) if block.strip()]
        title = document.core_properties.title or ""
    except (OpcError, SyntaxError, zipfile.BadZipFile, ValueError, KeyError, AttributeError):
        raise UnreadableFile(BROKEN) from None
    parts, note = limited(markdown("\n\n".join(blocks)))
    first_line = next((block.lstrip("# ").split("\n")[0] for block in blocks), "")
    return FileContents(AttachmentKind.DOCUMENT, (title or first_line)[:200], parts, note)


def _check_archive(data: bytes) -> None:
    """Check the sizes in the archive's directory before anything is unpacked."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            files = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        raise UnreadableFile(BROKEN) from None
    sizes = {file.filename: file.file_size for file in files}
    if BODY_FILE not in sizes:
        raise UnreadableFile(ARCHIVE, is_refused=True)
    is_large = sum(file.file_size for file in files) > MAX_UNPACKED_SIZE or len(files) > MAX_FILES
    if (
        is_large
        or sum(size for name, size in sizes.items() if name.endswith(".xml")) > MAX_XML_SIZE
    ):
        raise UnreadableFile(BOMB, is_refused=True)


def _blocks(document: "Document") -> Iterator[str]:
    """Yield headings in Markdown, paragraphs, and tables row by row."""
    from docx.table import Table

    for block in document.iter_inner_content():
        if isinstance(block, Table):
            for row in block.rows:
                yield " | ".join(cell.text.strip() for cell in row.cells)
            continue
        style = (block.style.name or "") if block.style is not None else ""
        yield f"# {block.text}" if style.startswith(("Heading", "Title")) else block.text
