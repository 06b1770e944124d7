"""The dashboard over the made-up community of ``bot.py demo``."""

import asyncio
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Browser, FloatRect, Locator, Page

from docs.pictures.shots import open_page, save, stacked

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"http://127\.0\.0\.1:\d+/\S+")
PATIENCE_S = 120.0
WIDTH, HEIGHT = 1280, 800
ASKED = ("Maya", "#general", "any news about the room for our Thursday club?")


async def _link(process: asyncio.subprocess.Process) -> str:
    """Return the link that the demo prints. Raises RuntimeError if it ends before."""
    if process.stdout is not None:
        while line := await process.stdout.readline():
            if match := LINK.search(line.decode()):
                return match[0]
    raise RuntimeError("bot.py demo ended without a link")


@asynccontextmanager
async def demo() -> AsyncIterator[str]:
    """Run ``bot.py demo``; yields the link that logs in once. Raises TimeoutError."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(ROOT / "bot.py"), "demo", cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    try:
        async with asyncio.timeout(PATIENCE_S):
            link = await _link(process)
        yield link
    finally:
        process.send_signal(signal.SIGINT)
        await process.wait()


async def take(browser: Browser) -> None:
    """Take the pictures of the overview and of a recall."""
    async with demo() as link, open_page(browser, width=WIDTH, height=HEIGHT) as page:
        await page.goto(link)
        save("dashboard", await page.screenshot())
        save("recall", await _recall(page))


async def _recall(page: Page) -> bytes:
    """Ask what would be recalled; return the block, the first candidate and the last one."""
    member, channel, text = ASKED
    await page.get_by_role("link", name="Recall", exact=True).click()
    await page.get_by_label("Channel").select_option(label=channel)
    await page.get_by_label("Member").fill(member)
    await page.get_by_label("Message").fill(text)
    await page.get_by_role("button", name="What would be recalled?").click()
    explanation = page.locator("#explanation")
    await explanation.get_by_role("heading", name="Prompt block").wait_for()
    rows = explanation.locator("table.cards > tbody > tr")
    whole = await _box(explanation)
    first, last = await _box(rows.first), await _box(rows.last)
    top = _slice(whole, whole["y"], first["y"] + first["height"])
    bottom = _slice(whole, last["y"], last["y"] + last["height"])
    parts = [await page.screenshot(full_page=True, clip=clip) for clip in (top, bottom)]
    return stacked(parts)


def _slice(whole: FloatRect, top: float, end: float) -> FloatRect:
    return FloatRect(x=whole["x"], y=top, width=whole["width"], height=end - top)


async def _box(element: Locator) -> FloatRect:
    """Return where an element is on the whole page."""
    box: FloatRect = await element.evaluate(
        "e => { const b = e.getBoundingClientRect();"
        " return {x: b.x, y: b.y + scrollY, width: b.width, height: b.height} }"
    )
    return box
