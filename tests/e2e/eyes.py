"""A real browser, Debian's Chromium, and somebody who looks at the dashboard with it."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page, async_playwright

from cogs.dashboard.web.access import COOKIE
from tests.e2e.den import PATIENCE_S, Den

TOKEN = "a-token-for-the-dashboard"
NO_CHROMIUM = "These tests drive Chromium, and there is none: `apt-get install chromium`."
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}
PATIENCE_MS = PATIENCE_S * 1000
AXE = Path(__file__).parents[1] / "fixtures" / "axe" / "axe.min.js"
SERIOUS = ("serious", "critical")
OPTIONS = (
    # CI runs as root and has no screen; software rendering for WebGL costs a quarter of the CPU
    "--no-sandbox",
    "--disable-gpu",
    "--disable-software-rasterizer",
    # One process for all pages: starting another for each dashboard costs a tenth of the CPU
    "--in-process-gpu",
    "--process-per-site",
    "--renderer-process-limit=1",
    "--disable-site-isolation-trials",
)
# A preview that a newer one replaced, or a page that was left: meant so (hx-sync).
ABORTED = ("htmx:afterRequest", "htmx:sendAbort")

_free_pages: dict[Browser, Page] = {}  # those that nobody sits before


@asynccontextmanager
async def open_browser() -> AsyncIterator[Browser]:
    """Start Debian's Chromium without a window."""
    program = shutil.which("chromium")
    assert program is not None, NO_CHROMIUM
    async with async_playwright() as playwright:
        opened = await playwright.chromium.launch(executable_path=program, args=OPTIONS)
        yield opened
        _free_pages.pop(opened, None)
        await opened.close()


class Operator:
    """Somebody at the dashboard; ``complaints`` are the browser's own."""

    def __init__(self, den: Den, page: Page) -> None:
        self._den = den
        self.page = page
        self.complaints: list[str] = []
        self._complained = asyncio.Event()
        self._listeners = {
            "console": lambda said: said.type == "error" and self._complain(said.text),
            "pageerror": lambda error: self._complain(str(error)),
            "request": self._stays_at_home,
        }
        for event, listener in self._listeners.items():
            page.on(event, listener)

    async def leave(self) -> None:
        """Take everything out of the page and its profile that this visit has left there."""
        for event, listener in self._listeners.items():
            self.page.remove_listener(event, listener)
        await self.page.unroute_all()
        await self.page.goto("about:blank")
        storage = await self.page.context.new_cdp_session(self.page)
        everything = {"origin": self._den.dashboard, "storageTypes": "all"}
        await storage.send("Storage.clearDataForOrigin", everything)
        await storage.detach()
        await self.page.context.clear_cookies()

    def _complain(self, words: str) -> None:
        if not words.startswith(ABORTED):
            self.complaints.append(words)
            self._complained.set()

    def _stays_at_home(self, request: Any) -> None:
        if not request.url.startswith((self._den.dashboard, "data:")):
            self._complain(f"asked another host: {request.url}")

    async def hears(self, words: str) -> None:
        """Wait until the browser complains of what it had to; it does so when it likes."""
        async with asyncio.timeout(PATIENCE_S):
            while not (found := [one for one in self.complaints if words in one]):
                self._complained.clear()
                await self._complained.wait()
        self.complaints.remove(found[0])

    async def open(self, path: str) -> None:
        answer = await self.page.goto(self._den.dashboard + path)
        assert answer is not None
        assert answer.ok, f"{path} answered {answer.status}: {await self.text()}"

    async def log_in(self, token: str = TOKEN) -> None:
        await self.page.goto(self._den.dashboard + "/login")
        await self.page.get_by_label("Token").fill(token)
        await self.page.get_by_role("button", name="Log in").click()

    async def text(self) -> str:
        """What the page says, without its frame."""
        return await self.page.inner_text("main")

    async def sees(self, words: str) -> None:
        """Wait until the page says something."""
        await self.page.locator("main").get_by_text(words).first.wait_for(state="visible")

    async def press(self, name: str) -> None:
        await self.page.locator("main").get_by_role("button", name=name, exact=True).click()

    async def unfold(self, words: str) -> None:
        await self.page.locator("summary", has_text=words).click()

    async def overflow(self) -> int:
        """By how many pixels the page is wider than its window."""
        return await self.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )

    async def violations(self) -> list[str]:
        """What axe-core finds serious or critical on the page."""
        # Evaluated, not added as a tag: the page's own policy lets no foreign script in.
        if not await self.page.evaluate("Boolean(window.axe)"):
            await self.page.evaluate(AXE.read_text(encoding="utf-8"))
        found = await self.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        return [
            f"{one['id']} ({one['impact']}): {node['html'][:200]} {node['failureSummary'][:200]}"
            for one in found["violations"]
            if one["impact"] in SERIOUS
            for node in one["nodes"]
        ]


@asynccontextmanager
async def operator(
    browser: Browser, den: Den, *, size: Any = DESKTOP, dark: bool = False, logged_in: bool = True
) -> AsyncIterator[Operator]:
    """Sit down before the dashboard; at the end, the browser must have had nothing to complain.

    A browser's tests take turns at one page, which nothing of an earlier test is left in: a profile
    and a page for each would start two processes, and take twice the CPU of what the tests do.
    """
    page = _free_pages.pop(browser, None) or await _new_page(browser)
    try:
        await page.set_viewport_size(size)
        await page.emulate_media(color_scheme="dark" if dark else "light")
        if logged_in:
            session = den.dashboard_app.state.access.log_in(TOKEN, "here")
            cookie = {"name": COOKIE, "value": session.id, "url": den.dashboard}
            await page.context.add_cookies([cookie])
        person = Operator(den, page)
        yield person
        await person.leave()
    except BaseException:
        await page.context.close()
        raise
    _free_pages[browser] = page
    assert not person.complaints, person.complaints


async def _new_page(browser: Browser) -> Page:
    context = await browser.new_context()
    context.set_default_timeout(PATIENCE_MS)
    return await context.new_page()
