"""A file's bytes -> what it holds, by what it is and not by what it is called."""

from utils.files.images import read_image
from utils.files.pdfs import read_pdf
from utils.files.sniffing import HEAD, UNKNOWN, Format, sniff
from utils.files.texts import read_text
from utils.files.unreadable import UnreadableFile
from utils.files.word_documents import read_word_document
from utils.model.artifact import Contents


def read(data: bytes, name: str) -> Contents:
    """Read a file. Raises UnreadableFile with the reason; damaged files may raise anything else."""
    match sniff(data[:HEAD]):
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
