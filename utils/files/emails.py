"""Read e-mails, and web pages stored as e-mails (MHTML): who wrote what to whom, and the words."""

from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage, Message

from utils.files.sniffing import EMPTY
from utils.files.text_files import limited, paragraphs
from utils.files.unreadable import UnreadableFile
from utils.files.web_pages import can_read_pages, decoded_page, read_html_file
from utils.models.attachment import AttachmentKind, FileContents

HEADERS = ("From", "To", "Cc", "Date", "Subject")


def read_email(data: bytes) -> FileContents:
    """Return the headers and words of an e-mail, and the names of what came with it.

    Raises UnreadableFile if it is empty.
    """
    email = message_from_bytes(data, policy=policy.default)
    parts, note = limited(paragraphs("\n\n".join(filter(None, _blocks(email)))))
    if not parts:
        raise UnreadableFile(EMPTY)
    subject = str(email["Subject"] or "")
    return FileContents(AttachmentKind.DOCUMENT, subject[:200], parts, note)


def _blocks(part: Message) -> Iterator[str]:
    """Yield the headers, the words and the files of an e-mail and of those in it, in their order.

    Of one text in several formats, the plain one is read, and the calendar of an invitation.
    """
    yield "\n".join(f"{name}: {part[name]}" for name in HEADERS if part[name])
    kind, inner = part.get_content_type(), part.get_payload()
    if kind == "multipart/alternative" and isinstance(part, EmailMessage):
        dates = [one for one in part.iter_parts() if one.get_content_type() == "text/calendar"]
        inner = [part.get_body(("plain", "html")), *dates]
    if isinstance(inner, list):
        for one in inner:
            if isinstance(one, Message):
                yield from _blocks(one)
    elif part.get_filename() or part.get_content_maintype() != "text":
        yield f"[file: {part.get_filename() or kind}]"
    else:
        yield _words(part)


def _words(part: Message) -> str:
    """Return the words of a text; those of a page, if pages can be read."""
    data, charset = part.get_payload(decode=True), part.get_content_charset("")
    if not isinstance(data, bytes):
        return ""
    if part.get_content_type() != "text/html" or not can_read_pages():
        return decoded_page(data, charset)
    try:
        return "\n\n".join(read_html_file(data, charset).parts)
    except UnreadableFile:  # a page of pictures
        return ""
