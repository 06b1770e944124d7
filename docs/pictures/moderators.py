"""The pages for moderators, with what a preset would change."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from playwright.async_api import Browser, FloatRect

from docs.pictures.shots import open_page, save
from tests.e2e.den import Den, open_den
from tests.e2e.test_alerts_e2e import BAD, scored
from tests.e2e.test_commands_e2e import use
from tests.e2e.test_member_pages_e2e import CHOSEN

WIDTH, HEIGHT, MARGIN = 900, 1180, 24
PICTURES = {
    "moderators": "/mod?preset=support",
    "moderators-channels": "/mod/channels",
    "moderators-voice": "/mod/voice",
    "moderators-memory": "/mod/memory",
    "moderators-review": "/mod/review",
    "moderators-alerts": "/mod/alerts",
    "moderators-alert": "/mod/alerts/1?lines=1",
    "moderators-log": "/mod/log",
}


async def take(browser: Browser) -> None:
    """Take a picture of the beginning of each page, as a moderator sees it."""
    async with _server() as den, open_page(browser, width=WIDTH, height=HEIGHT) as page:
        given = await use(den, den.moderator, "mod page")
        link = urlsplit(given.components[0]["components"][0]["url"]).path
        await page.goto(f"{den.dashboard}{link}")
        await page.get_by_role("button", name="Open").click()
        for name, path in PICTURES.items():
            await page.goto(f"{den.dashboard}{path}")
            for summary in await page.locator(".review summary").all():
                await summary.click()
            end = await page.locator("main > :last-child").evaluate(
                "e => e.getBoundingClientRect().bottom"
            )
            height = min(HEIGHT, end + MARGIN)
            clip = FloatRect(x=0, y=0, width=WIDTH, height=height)
            save(name, await page.screenshot(clip=clip))


@asynccontextmanager
async def _server() -> AsyncIterator[Den]:
    """Run Kith in a server in which something waits, was said in anger, and was set."""
    with TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'kith.db'}"
        async with open_den(url) as den, den.awake(**CHOSEN):
            mia, general = den.moderator, den.general
            reports = den.guild.add_text_channel("reports")
            den.guild.add_text_channel("games")
            await use(den, mia, "config channel chat", action="add", channel=general)
            await use(den, mia, "config channel log", action="add", channel=reports)
            await use(den, mia, "mod policy set", approve_kinds="fact")
            await den.teach(den.alice, "I have a dog named Miso. I own a small boat.")
            await use(den, mia, "mod watch add", channel=general)
            await use(den, mia, "speak on", channel=general, after_minutes=120)
            await use(den, mia, "mode set", mode="dry-wit", channel=general)
            said = [
                await den.fake.say(den.bob, general, text)
                for text in ("You are a fool, all of you.", "Say that again. I dare you.")
            ]
            await den.calm()
            await scored(den, *((message, BAD) for message in said))
            yield den
