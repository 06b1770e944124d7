"""Read e-mails, and web pages stored as e-mails (MHTML): who wrote what to whom, and the words."""

from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage, Message

from utils.common.text import one_line
from utils.files.sniffing import EMPTY
from utils.files.text_files import entries, limited, paragraphs, with_line_feeds
from utils.files.unreadable import UnreadableFile
from utils.files.web_pages import can_read_pages, decoded_page, read_html_file
from utils.models.attachment import AttachmentKind, FileContents

HEADERS = ("From", "To", "Cc", "Date", "Subject")
WITHOUT_WORDS = ("text/css", "text/javascript")  # of a stored page


def read_email(data: bytes) -> FileContents:
    """Return the headers and words of an e-mail, and the names of what came with it.

    Raises UnreadableFile if it is empty.
    """
    email = message_from_bytes(data, policy=policy.default)
    text = "\n\n".join(filter(None, _blocks(email)))
    parts, note = limited(paragraphs(with_line_feeds(text)), if_none=EMPTY)
    return FileContents(AttachmentKind.DOCUMENT, _header(email, "Subject")[:200], parts, note)


def _blocks(part: Message) -> Iterator[str]:
    """Yield the headers, the words and the files of an e-mail and of those in it, in their order.

    Of one text in several formats, the plain one is read if it has words, with the calendar of an
    invitation and the names of files beside another format (Apple Mail), but not of its pictures.
    """
    yield "\n".join(f"{name}: {text}" for name in HEADERS if (text := _header(part, name)))
    kind, inner = part.get_content_type(), part.get_payload()
    if kind == "multipart/alternative" and isinstance(part, EmailMessage):
        for form in ("plain", "html"):
            body = part.get_body((form,))
            if body is not None and (words := _words(body)).strip():
                yield words
                others = [other for other in part.walk() if other is not body]
                inner = [
                    other
                    for other in others
                    if other.get_content_type() == "text/calendar"
                    or (other.get_filename() and other.get_content_maintype() != "image")
                ]
                break
    if isinstance(inner, list):
        for inner_part in inner:
            if isinstance(inner_part, Message):
                yield from _blocks(inner_part)
    elif name := part.get_filename():
        yield f"[file: {one_line(name)}]"
    elif kind not in WITHOUT_WORDS:  # a multipart that is a text has no parts
        is_text = part.get_content_maintype() in ("text", "multipart")
        yield _words(part) if is_text else f"[file: {kind}]"


def _header(part: Message, name: str) -> str:
    """Return a header in one line, "" if there is none; a marker if it is broken."""
    try:
        return one_line(str(part[name] or ""))
    except Exception:  # Python's parser raises any error
        return "[unreadable]"


def _words(part: Message) -> str:
    """Return the words of a text; those of a page, if pages can be read."""
    kind = part.get_content_type()
    data, charset = part.get_payload(decode=True), part.get_content_charset("")
    if not isinstance(data, bytes):
        return ""
    is_page = kind == "text/html" and can_read_pages()
    try:
        if is_page:
            return "\n\n".join(read_html_file(data, charset).parts)
        text = decoded_page(data, charset)
        is_listing = kind.endswith(("/calendar", "vcard"))
        return "\n".join(entries(with_line_feeds(text))) if is_listing else text
    except UnreadableFile:  # a page of pictures, or bytes that are no text
        return "" if is_page else f"[file: {kind}]"
