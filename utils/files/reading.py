"""Read a file by its real format, not by its name."""

from utils.files.images import read_image
from utils.files.pdfs import read_pdf
from utils.files.sniffing import HEAD_SIZE, UNKNOWN, Format, sniff
from utils.files.texts import read_text
from utils.files.unreadable import UnreadableFile
from utils.files.word_documents import read_word_document
from utils.models.attachment import FileContents


def read(data: bytes, name: str) -> FileContents:
    """Return the content of a file.

    Raises UnreadableFile with the reason; a damaged file can raise any error.
    """
    match sniff(data[:HEAD_SIZE]):
        case Format.PDF:
            return read_pdf(data)
        case Format.ZIP:
            return read_word_document(data)
        case Format.IMAGE:
            return read_image(data)
        case Format.TEXT:
            return read_text(data, name)
        case _:
            raise UnreadableFile(UNKNOWN, is_refused=True)
