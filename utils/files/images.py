"""Read images with Pillow: check them before decoding, shrink them, strip their metadata."""

from io import BytesIO
from typing import TYPE_CHECKING

from utils.files.png_chunks import PNG, without_texts
from utils.files.unreadable import UnreadableFile
from utils.models.attachment import AttachmentKind, FileContents

if TYPE_CHECKING:
    from PIL.Image import Image

FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "AVIF")
MAX_PIXELS = 40_000_000  # as cameras have; 160 MB when decoded
MAX_SIDE = 20_000
MODEL_SIDE = 1_568  # the most that vision models see; more only costs tokens
JPEG_QUALITIES = (85, 60, 30)  # tried until the file is small enough
MAX_PICTURE_BYTES = 1_000_000

BROKEN = "it is damaged"
HUGE = "it has too many pixels"


def read_image(data: bytes) -> FileContents:
    """Return an image's dimensions and a small JPEG of it; transparent areas become white.

    Raises UnreadableFile for a damaged image, and for one with too many pixels.
    """
    from PIL import Image, UnidentifiedImageError

    Image.MAX_IMAGE_PIXELS = None  # the limits here are stricter, with better messages
    if data.startswith(PNG):
        data = without_texts(data)  # Pillow refuses a sound picture for a long text in it
    try:
        with Image.open(BytesIO(data), formats=FORMATS) as image:
            width, height = image.size
            if width * height > MAX_PIXELS or max(width, height) > MAX_SIDE:
                raise UnreadableFile(HUGE, is_refused=True)
            name = (image.format or "image").lower()
            picture = _small_jpeg(image)
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError, IndexError):
        raise UnreadableFile(BROKEN) from None
    note = f"{name}, {width} × {height} pixels"
    return FileContents(AttachmentKind.IMAGE, note=note, picture=picture, picture_type="image/jpeg")


def _small_jpeg(image: "Image") -> bytes:
    """Return an image as a small JPEG, upright and without metadata."""
    from PIL import Image, ImageOps

    image.draft("RGB", (MODEL_SIDE, MODEL_SIDE))  # decodes a large JPEG at a fraction of its size
    has_alpha = "transparency" in image.info or image.mode in ("RGBA", "LA", "PA")
    mode = "RGBA" if has_alpha else "RGB"
    if image.mode == "P":
        image = image.convert(mode)  # a palette cannot be interpolated
    image.thumbnail((MODEL_SIDE, MODEL_SIDE))
    upright = ImageOps.exif_transpose(image).convert(mode)
    flattened = Image.new("RGB", upright.size, "white")
    flattened.paste(upright, mask=upright.getchannel("A") if has_alpha else None)
    for quality in JPEG_QUALITIES:
        jpeg = BytesIO()
        flattened.save(jpeg, "JPEG", quality=quality)
        if jpeg.tell() <= MAX_PICTURE_BYTES:
            break
    return jpeg.getvalue()
