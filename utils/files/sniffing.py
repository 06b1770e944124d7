"""Detect a file's format by its bytes, and before its download by its declared type. Pure."""

from enum import StrEnum
from pathlib import PurePosixPath

from utils.common.text import clean, clip, one_line
from utils.files.unreadable import UnreadableFile
from utils.models.attachment import NAME_LIMIT, Attachment, AttachmentKind

HEAD_SIZE = 4096  # bytes that are enough to detect a format
MEDIA_TYPE_LIMIT = 100

EMPTY = "it is empty"
UNKNOWN = "files of this type are not read"

IMAGE_SUFFIXES = "png jpg jpeg jfif gif webp bmp avif"
AUDIO_SUFFIXES = "mp3 wav ogg oga opus flac m4a aac weba"
VIDEO_SUFFIXES = "mp4 mov mkv avi webm m4v wmv mpg mpeg 3gp"
ARCHIVE_SUFFIXES = "zip rar 7z gz tgz tar xz bz2 zst jar apk iso cab lz4 br"
PROGRAM_SUFFIXES = "exe dll msi com scr so dylib dmg deb rpm appimage class pyc wasm sys lnk"
# of control characters: white space, and the signs of terminals and IRC for colours, bold, …
WRITTEN = b"\t\n\r\f\x1b\x02\x03\x04\x0f\x11\x16\x1d\x1e\x1f"


class Format(StrEnum):
    """A file format."""

    TEXT = "text"
    PDF = "pdf"
    ZIP = "zip"
    IMAGE = "image"
    AUDIO = "audio"
    VIDEO = "video"


_AUDIO_BRANDS = (b"M4A ", b"M4B ")
_IMAGE_BRANDS = (b"avif", b"avis")
_HEIF_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")
_MAGIC: tuple[tuple[bytes, Format], ...] = (
    (b"%PDF-", Format.PDF),
    (b"PK\x03\x04", Format.ZIP),
    (b"\x89PNG\r\n\x1a\n", Format.IMAGE),
    (b"\xff\xd8\xff", Format.IMAGE),
    (b"GIF87a", Format.IMAGE),
    (b"GIF89a", Format.IMAGE),
    (b"ID3", Format.AUDIO),
    (b"fLaC", Format.AUDIO),
    (b"OggS", Format.AUDIO),
    (b"\x00\x00\x01\xba", Format.VIDEO),
    (b"\x00\x00\x01\xb3", Format.VIDEO),
)
_RIFF = {b"WEBP": Format.IMAGE, b"WAVE": Format.AUDIO, b"AVI ": Format.VIDEO}


def sniff(head: bytes) -> Format:
    """Return the format of a file by its first HEAD_SIZE bytes.

    Raises UnreadableFile, with the reason, for files that are never opened or have no known format.
    """
    if not head:
        raise UnreadableFile(EMPTY)
    for magic, file_format in _MAGIC:
        if head.startswith(magic):
            return file_format
    container_format = _container_format(head)
    if container_format is not None:
        return container_format
    if head.startswith(b"{\\rtf"):  # text, but in its source its words are hard to find
        raise UnreadableFile("RTF is not read; PDF and Word documents (.docx) are", is_refused=True)
    if b"<?xml" in head[:8] and b"<office:document" in head:  # styles before any word
        raise UnreadableFile(
            "OpenDocument is not read; PDF and Word documents (.docx) are", is_refused=True
        )
    if b"%PDF-" in head[:1024]:  # the format allows leading bytes
        return Format.PDF
    if head[:2] == b"BM" and head[6:10] == b"\x00\x00\x00\x00":
        return Format.IMAGE
    if head[0] == 0xFF and len(head) > 1 and head[1] & 0xE0 == 0xE0 and not _is_utf16(head):
        return Format.AUDIO  # an MP3 without tags, or AAC
    if looks_like_text(head):
        return Format.TEXT
    raise UnreadableFile(UNKNOWN, is_refused=True)


def looks_like_text(head: bytes) -> bool:
    """Whether bytes are text: no NUL, hardly a control character."""
    if _is_utf16(head):
        return True
    control = sum((byte < 32 and byte not in WRITTEN) or byte == 127 for byte in head)
    return b"\x00" not in head and control * 100 <= len(head)


def declared_attachment(name: str, media_type: str, size: int, url: str) -> Attachment:
    """Return an attachment with its declared type and its cleaned name.

    An archive or program, by its name, is OTHER and never downloaded.
    """
    media_type = one_line(clean(media_type).partition(";")[0]).lower()[:MEDIA_TYPE_LIMIT]
    name = clip(one_line(clean(name)), NAME_LIMIT) or "file"
    suffix = suffix_of(name)
    major, _, minor = media_type.partition("/")
    is_bitmap = major == "image" and minor != "svg+xml"
    if suffix in f"{ARCHIVE_SUFFIXES} {PROGRAM_SUFFIXES}".split():
        kind = AttachmentKind.OTHER
    elif major == "video" or (not major and suffix in VIDEO_SUFFIXES.split()):
        kind = AttachmentKind.VIDEO
    elif major == "audio" or suffix in AUDIO_SUFFIXES.split():
        kind = AttachmentKind.AUDIO
    elif is_bitmap or (not major and suffix in IMAGE_SUFFIXES.split()):
        kind = AttachmentKind.IMAGE
    else:
        kind = AttachmentKind.DOCUMENT
    return Attachment(kind, name, media_type.strip(), max(size, 0), url)


def suffix_of(name: str) -> str:
    """Return the ending of a file's name without its dot, or a name that has none."""
    path = PurePosixPath(name.strip().lower())
    return path.suffix.removeprefix(".") or path.name


def _is_utf16(head: bytes) -> bool:
    return head.startswith((b"\xff\xfe", b"\xfe\xff")) and len(head) > 3


def _container_format(head: bytes) -> Format | None:
    """Return the format inside RIFF, ISO media and Matroska containers.

    Raises UnreadableFile for a picture in HEIC, as telephones take them.
    """
    if head[:4] == b"RIFF":
        return _RIFF.get(head[8:12])
    if head[4:8] == b"ftyp":
        brand = head[8:12]
        if brand in _IMAGE_BRANDS or (brand in _HEIF_BRANDS and b"avi" in head[16:64]):
            return Format.IMAGE
        if brand in _HEIF_BRANDS:
            raise UnreadableFile("HEIC is not read; JPEG, PNG and WebP are", is_refused=True)
        return Format.AUDIO if brand in _AUDIO_BRANDS else Format.VIDEO
    if head[:4] == b"\x1a\x45\xdf\xa3":
        return Format.VIDEO
    return None
