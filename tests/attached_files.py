"""Real files of every kind that people attach, made by the tests, and hostile ones."""

import io
import struct
import wave
import zipfile
import zlib

from PIL import Image
from pypdf import PdfWriter


def png(
    size: tuple[int, int] = (120, 80), colour: str = "navy", mode: str = "RGB", **how: object
) -> bytes:
    return _saved(Image.new(mode, size, colour), "PNG", **how)


def jpeg_with_place(size: tuple[int, int] = (2400, 1200)) -> bytes:
    """A photo that says where it was taken."""
    image = Image.new("RGB", size, "olive")
    exif = image.getexif()
    exif[0x010E] = "at Grandma's house"
    exif[0x0112] = 6  # turned by a quarter
    return _saved(image, "JPEG", exif=exif, icc_profile=b"Grandma's camera")


def png_bomb(side: int = 60_000) -> bytes:
    """A few bytes that claim to be an image of 3.6 billion pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 9)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def pdf(*pages: str, title: str = "", annotations: str = "") -> bytes:
    """A PDF written by hand, with a line of text and these annotations on each page."""
    texts = [f"BT /F1 12 Tf 72 720 Td ({page}) Tj ET".encode("latin-1") for page in pages]
    kids = " ".join(f"{4 + 2 * i} 0 R" for i in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for i, text in enumerate(texts):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * i} 0 R "
            f"/Resources << /Font << /F1 3 0 R >> >> /Annots [{annotations}] >>".encode()
        )
        objects.append(b"<< /Length %d >>\nstream\n%b\nendstream" % (len(text), text))
    if title:
        objects.append(f"<< /Title ({title}) >>".encode())
    out = io.BytesIO(b"%PDF-1.4\n")
    out.seek(0, io.SEEK_END)
    places = []
    for number, one in enumerate(objects, 1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%b\nendobj\n" % (number, one))
    start = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    out.write(b"".join(b"%010d 00000 n \n" % place for place in places))
    info = f"/Info {len(objects)} 0 R " if title else ""
    out.write(f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R {info}>>\n".encode())
    out.write(b"startxref\n%d\n%%%%EOF\n" % start)
    return out.getvalue()


def locked_pdf() -> bytes:
    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    writer.encrypt("secret", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
# As Word writes them in German: the id of a style is translated, its name is not.
STYLES = (
    f'<w:styles xmlns:w="{WORD}"><w:style w:type="paragraph" w:styleId="berschrift1">'
    '<w:name w:val="heading 1"/></w:style><w:style w:styleId="numbered">'
    '<w:name w:val="List Number"/><w:pPr><w:numPr><w:numId w:val="7"/></w:numPr></w:pPr>'
    "</w:style></w:styles>"
)


def docx(*blocks: str) -> bytes:
    """A Word document; blocks that begin with # are headings, those with | are rows of a table."""
    return docx_of("".join(map(_block, blocks)))


def docx_of(
    body: str,
    *,
    prolog: str = "",
    title: str = "",
    footnote: str = "",
    comment: str = "",
    bullets: str = "",
    lists: str = "",
) -> bytes:
    """A Word document with this XML in its body, and the texts of footnote 1 and comment 1.

    List 1 has the first of ``bullets``, list 2 the second; ``lists`` has others, in XML.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        document = f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'
        archive.writestr("word/document.xml", prolog + document)
        archive.writestr("word/styles.xml", STYLES)
        if bullets or lists:
            lists += "".join(
                f'<w:abstractNum w:abstractNumId="9{number}"><w:lvl w:ilvl="0"><w:lvlText '
                f'w:val="{bullet}"/></w:lvl></w:abstractNum><w:num w:numId="{number}">'
                f'<w:abstractNumId w:val="9{number}"/></w:num>'
                for number, bullet in enumerate(bullets, 1)
            )
            lists = f'<w:numbering xmlns:w="{WORD}">{lists}</w:numbering>'
            archive.writestr("word/numbering.xml", lists)
        for kind, text in (("footnote", footnote), ("comment", comment)):
            if text:
                note = f'<w:{kind} w:id="1" w:author="Ann">{_block(text)}</w:{kind}>'
                notes = f'<w:{kind}s xmlns:w="{WORD}">{note}</w:{kind}s>'
                archive.writestr(f"word/{kind}s.xml", notes)
        archive.writestr(
            "docProps/core.xml",
            f'<p xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{title}</dc:title></p>',
        )
    return out.getvalue()


def _block(text: str) -> str:
    if text.startswith("|"):
        cells = "".join(f"<w:tc>{_block(cell)}</w:tc>" for cell in text.strip("|").split("|"))
        return f"<w:tbl><w:tr>{cells}</w:tr></w:tbl>"
    style = '<w:pPr><w:pStyle w:val="berschrift1"/></w:pPr>' if text.startswith("#") else ""
    return f"<w:p>{style}<w:r><w:t>{text.lstrip('# ')}</w:t></w:r></w:p>"


def archive(
    name: str = "readme.txt", text: str = "hello", method: int = zipfile.ZIP_STORED
) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as made:
        made.writestr(name, text)
    return out.getvalue()


def wav(seconds: float = 0.2) -> bytes:
    out = io.BytesIO()
    with wave.open(out, "wb") as made:
        made.setnchannels(1)
        made.setsampwidth(2)
        made.setframerate(8000)
        made.writeframes(b"\x00\x10" * int(8000 * seconds))
    return out.getvalue()


def _saved(image: Image.Image, kind: str, **how: object) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **how)
    return out.getvalue()
