"""The first page for moderators, with what a preset would change."""

from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.async_api import Browser

from cogs.dashboard.web.visits import MODERATORS
from docs.pictures.shots import open_page, save
from tests.e2e.den import open_den
from tests.e2e.eyes import TOKEN
from utils.models.guild import Purpose
from utils.models.memory import Member

WIDTH, HEIGHT = 900, 1000
PRESET = "/mod?preset=support"


async def take(browser: Browser) -> None:
    """Take the picture of Start, as a moderator of a new server sees it."""
    with TemporaryDirectory() as folder:
        database_url = f"sqlite:///{Path(folder) / 'kith.db'}"
        public_url = "http://localhost"
        async with (
            open_den(database_url) as den,
            den.awake(dashboard_token=TOKEN, dashboard_port=0, dashboard_public_url=public_url),
            open_page(browser, width=WIDTH, height=HEIGHT) as page,
        ):
            guild_id = den.guild.id
            await den.app.guilds.settings.add_channel(guild_id, den.general.id, Purpose.CHAT)
            moderator = Member(guild_id, den.moderator.id)
            link = den.dashboard_app.state.visits[MODERATORS].create_link(moderator)
            await page.goto(f"{den.dashboard}{link}")
            await page.get_by_role("button", name="Open").click()
            await page.goto(f"{den.dashboard}{PRESET}")
            save("moderators", await page.screenshot())
