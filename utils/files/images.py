"""Images, by Pillow: checked before a pixel is decoded, made small, and stripped to pixels."""

from io import BytesIO
from typing import TYPE_CHECKING

from utils.files.unreadable import UnreadableFile
from utils.model.artifact import ArtifactKind, Contents

if TYPE_CHECKING:
    from PIL.Image import Image

FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "AVIF")
MOST_PIXELS = 40_000_000  # a camera's; 160 MB as they are decoded
LONGEST_SIDE = 20_000
SHOWN_SIDE = 1_568  # what vision models see at most; more costs tokens and shows nothing
QUALITIES = (85, 60, 30)  # the first with which it is small
MOST_SHOWN = 1_000_000  # bytes

BROKEN = "it is damaged"
HUGE = "it has more pixels than I open"


def read_image(data: bytes) -> Contents:
    """Return an image's dimensions, and itself, small: a JPEG, on white where it is transparent.

    Raises UnreadableFile for a damaged one, and for one with too many pixels.
    """
    from PIL import Image, UnidentifiedImageError

    Image.MAX_IMAGE_PIXELS = None  # the limits here are stricter, and say so
    try:
        with Image.open(BytesIO(data), formats=FORMATS) as image:
            width, height = image.size
            if width * height > MOST_PIXELS or max(width, height) > LONGEST_SIDE:
                raise UnreadableFile(HUGE, is_refused=True)
            name = (image.format or "image").lower()
            picture = _shown(image)
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError, IndexError):
        raise UnreadableFile(BROKEN) from None
    note = f"{name}, {width} × {height} pixels"
    return Contents(ArtifactKind.IMAGE, note=note, picture=picture, picture_type="image/jpeg")


def _shown(image: "Image") -> bytes:
    """Make an image small and write it anew: the right way up, and without what it was told."""
    from PIL import Image, ImageOps

    image.draft("RGB", (SHOWN_SIDE, SHOWN_SIDE))  # a large JPEG is decoded at a fraction at once
    has_alpha = "transparency" in image.info or image.mode in ("RGBA", "LA", "PA")
    mode = "RGBA" if has_alpha else "RGB"
    if image.mode == "P":
        image = image.convert(mode)  # a palette has no colours in between
    image.thumbnail((SHOWN_SIDE, SHOWN_SIDE))
    upright = ImageOps.exif_transpose(image).convert(mode)
    bare = Image.new("RGB", upright.size, "white")
    bare.paste(upright, mask=upright.getchannel("A") if has_alpha else None)
    for quality in QUALITIES:
        written = BytesIO()
        bare.save(written, "JPEG", quality=quality)
        if written.tell() <= MOST_SHOWN:
            break
    return written.getvalue()
