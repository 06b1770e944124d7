"""Take a picture of every page of the dashboard, and check it: ``python -m docs.pictures.pages``.

The pages are those of ``bot.py demo``: wide and narrow, light and dark, in English and, where
``--language de`` asks for it, in German. Beside the pictures, it prints each page's size and time,
what axe-core finds, and by how many pixels a page is wider than its window.
"""

import argparse
import asyncio
from pathlib import Path
from typing import NamedTuple

from playwright.async_api import Page

from docs.pictures.dashboard import demo
from docs.pictures.shots import open_browser, open_page

AXE = Path(__file__).parents[2] / "tests" / "fixtures" / "axe" / "axe.min.js"
FOLDER = Path("pictures")
SIZES = {1280: 800, 390: 844}
LINKS = {  # a page without a fixed path: where the link to it is, and which it is
    "server": ("/servers", "main tbody a"),
    "member": ("server", "#members tbody a"),
    "memory": ("member", "#items tbody a"),
    "write-policy": ("/policy", "main li a[href^='/policy/servers/']"),
}
FIXED = {
    "overview": "/",
    "overview-90-days": "/?days=90",
    "servers": "/servers",
    "memories": "/memories",
    "review": "/review",
    "watching": "/watching",
    "recall": "/recall",
    "audit": "/audit",
    "policy": "/policy",
    "recall-policy": "/policy/recall/edit",
    "recall-policy-preview": "/policy/recall/edit?block_tokens=555",
    "policy-version": "/policy/recall/0",
    "settings": "/settings",
    "api": "/api/docs",
    "missing": "/nothing-here",
}
AXE_RUN = """async () => {
  const result = await axe.run(document, {resultTypes: ['violations']});
  return result.violations.map(rule => `${rule.id} ${rule.impact}: ${rule.nodes[0].html}`);
}"""
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


class Measured(NamedTuple):
    """A page's size in kB, the time until its first byte in ms, and what is wrong with it."""

    size_kb: float
    time_ms: float
    wider_by: int
    violations: list[str]


async def take_all(folder: Path, language: str, names: list[str]) -> None:
    """Write the pictures into a folder, and print a line for each."""

    async with demo() as link, open_browser() as browser:
        origin = link.rpartition("/enter/")[0]
        cookies = None
        paths: dict[str, str] = {}
        for width, height in SIZES.items():
            for is_dark in (False, True):
                async with open_page(browser, is_dark=is_dark, width=width, height=height) as page:
                    await page.context.add_cookies(
                        [{"name": "kith_language", "value": language, "url": origin}]
                    )
                    if cookies is None:  # the link works once
                        await page.goto(link)
                        cookies = await page.context.cookies()
                        paths = FIXED | await _find(page, origin)
                    await page.context.add_cookies(cookies)  # type: ignore[arg-type]
                    suffix = f"{width}-{'dark' if is_dark else 'light'}"
                    for name in names or paths:
                        measured = await _open(page, origin + paths[name])
                        file = folder / f"{name}-{suffix}.png"
                        await page.screenshot(path=file, full_page=True)
                        print(_line(file.name, measured))  # noqa: T201


async def _find(page: Page, origin: str) -> dict[str, str]:
    """Return the paths of the pages that only a link on another page names."""
    paths: dict[str, str] = {}
    for name, (source, selector) in LINKS.items():
        await page.goto(origin + paths.get(source, source))
        paths[name] = await page.locator(selector).first.get_attribute("href") or ""
    return paths


async def _open(page: Page, url: str) -> Measured:
    response = await page.goto(url, wait_until="networkidle")
    if response is None:
        raise RuntimeError(f"{url} did not answer")
    size = len(await response.body())
    timing = response.request.timing
    await page.evaluate(AXE.read_text(encoding="utf-8"))
    return Measured(
        size / 1000,
        timing["responseStart"] - timing["requestStart"],
        await page.evaluate(WIDER),
        await page.evaluate(AXE_RUN),
    )


def _line(name: str, measured: Measured) -> str:
    wrong = "; ".join(measured.violations) or "axe: nothing"
    wider = f", {measured.wider_by} px too wide" if measured.wider_by > 0 else ""
    return f"{name:42} {measured.size_kb:6.1f} kB {measured.time_ms:5.0f} ms{wider}  {wrong}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="pages (default: all)")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--language", default="en", choices=("en", "de"))
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    asyncio.run(take_all(options.folder, options.language, options.names))
