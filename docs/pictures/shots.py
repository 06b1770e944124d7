"""Takes pictures with Chromium, and keeps them small."""

import io
import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo
from playwright.async_api import Browser, Page, async_playwright

FOLDER = Path(__file__).resolve().parents[1] / "images"
MAX_BYTES = 200_000
COLOURS = 128
DESCRIPTION = "Description"
SCALE = 1.5
GAP = 16  # pixels


@asynccontextmanager
async def open_browser() -> AsyncIterator[Browser]:
    """Start the system's Chromium without a window. Raises FileNotFoundError without one."""
    program = shutil.which("chromium")
    if program is None:
        raise FileNotFoundError("The pictures need Chromium: apt-get install chromium")
    async with async_playwright() as playwright:
        options = ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"]
        browser = await playwright.chromium.launch(executable_path=program, args=options)
        yield browser
        await browser.close()


@asynccontextmanager
async def open_page(
    browser: Browser, *, width: int = 1280, height: int = 800
) -> AsyncIterator[Page]:
    """Open an empty page."""
    context = await browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=SCALE,
    )
    yield await context.new_page()
    await context.close()


def save(name: str, png: bytes, description: str = "") -> Path:
    """Write a picture with few colours, and in it the text that it was made from.

    Raises ValueError if it is still too large.
    """
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    small = picture.quantize(COLOURS, dither=Image.Dither.NONE)
    file = FOLDER / f"{name}.png"
    FOLDER.mkdir(exist_ok=True)
    text = PngInfo()
    text.add_itxt(DESCRIPTION, description, zip=True)
    small.save(file, optimize=True, pnginfo=text)
    if (size := file.stat().st_size) > MAX_BYTES:
        raise ValueError(f"{file.name} has {size} bytes; at most {MAX_BYTES} are allowed")
    return file


def stacked(pngs: Sequence[bytes]) -> bytes:
    """Return pictures of one width below each other; a gap says that something is left out."""
    parts = [Image.open(io.BytesIO(png)).convert("RGB") for png in pngs]
    height = sum(part.height for part in parts) + GAP * (len(parts) - 1)
    whole = Image.new("RGB", (parts[0].width, height), "white")
    top = 0
    for part in parts:
        whole.paste(part, (0, top))
        top += part.height + GAP
    file = io.BytesIO()
    whole.save(file, "PNG")
    return file.getvalue()


async def shoot_markup(browser: Browser, name: str, markup: str) -> Path:
    """Show markup, and write the picture of its main element."""
    async with open_page(browser) as page:
        await page.set_content(markup)
        return save(name, await page.locator("main").screenshot(), markup)
