"""Make the pictures again: ``python -m docs.pictures [NAME ...]``, from the top of a clone."""

import asyncio
import io
import re
import sys
from collections.abc import Awaitable, Callable, Sequence

from playwright.async_api import Browser
from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console

from docs import sessions
from docs.pictures import conversation, dashboard, moderators
from docs.pictures.posts import ShownMessage, page
from docs.pictures.shots import FOLDER, open_browser, shoot_markup

# Rich's own format, without the fonts that it loads from elsewhere.
SVG_FORMAT = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)


async def discord(browser: Browser) -> None:
    """Two weeks in a channel, where an answer comes from, and what a memory rests on."""
    async with conversation.open_scene() as scene:
        await _both_themes(browser, "conversation", await scene.converse())
        await _both_themes(browser, "memory-show", await scene.show_memory())
        await _both_themes(browser, "look-closer", await scene.look_closer())
        await _both_themes(browser, "memory-why", await scene.forget())


async def _both_themes(browser: Browser, name: str, posts: Sequence[ShownMessage]) -> None:
    for theme in ("light", "dark"):
        markup = page(posts, is_dark=theme == "dark")
        await shoot_markup(browser, f"{name}-{theme}", markup)


async def console(_browser: Browser) -> None:
    """Two sessions of docs/getting-started.md, as a terminal shows them."""
    (FOLDER / "console.svg").write_text(await console_picture(), encoding="utf-8")


async def console_picture() -> str:
    """Return the picture of the guide's first sessions, as SVG."""
    block = sessions.blocks(sessions.GUIDE.read_text(encoding="utf-8"))[0]
    screen = Console(
        file=io.StringIO(),
        record=True,
        width=sessions.WIDTH,
        force_terminal=True,
        color_system="truecolor",
        no_color=False,
        highlight=False,
    )
    await sessions.play(block, screen)
    return screen.export_svg(title="Kith", code_format=SVG_FORMAT, unique_id="console")


PICTURES: dict[str, Callable[[Browser], Awaitable[None]]] = {
    "discord": discord,
    "console": console,
    "dashboard": dashboard.take,
    "moderators": moderators.take,
}


async def main(names: Sequence[str]) -> None:
    """Make these pictures, or all."""
    async with open_browser() as browser:
        for name in names or PICTURES:
            await PICTURES[name](browser)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
