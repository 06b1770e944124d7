"""What the documentation shows is what the program says today, word for word.

`python -m docs.sessions` and `python -m docs.pictures` write it again.
"""

import re
from pathlib import Path

from discord import AppCommandType
from PIL import Image

from docs import sessions
from docs.pictures import conversation
from docs.pictures.posts import page
from docs.pictures.shots import DESCRIPTION, FOLDER
from tests.e2e.den import Den
from tests.e2e.test_every_command_e2e import leaves
from tests.rows import each_row

ROOT = Path(__file__).resolve().parents[2]
STALE = "the program says something else by now: run `python -m docs.sessions` and docs.pictures"
GUIDE = (ROOT / "docs" / "getting-started.md").read_text(encoding="utf-8")


def explained() -> set[str]:
    """Return the slash commands of docs/commands.md: `/mod watch add`, `remove` are two."""
    table = (
        (ROOT / "docs" / "commands.md").read_text(encoding="utf-8").partition("## What the op")[0]
    )
    names = set()
    for cell in re.findall(r"^\| (.+?) \|", table, re.MULTILINE):
        path = ""
        for name in re.findall(r"`(/?[a-z ]+)`", cell):
            path = name if name.startswith("/") else f"{path.rpartition(' ')[0]} {name}"
            names.add(path)
    return names


async def test_every_slash_command_is_explained(own_kith: Den) -> None:
    commands = own_kith.client.tree.get_commands(type=AppCommandType.chat_input)
    names = {f"/{leaf.qualified_name}" for command in commands for leaf in leaves(command)}
    assert explained() == names


def described(name: str) -> str:
    """Return the markup from which a picture was made, as it stands in the file."""
    with Image.open(FOLDER / f"{name}.png") as picture:
        picture.load()
        return str(picture.info[DESCRIPTION])


@each_row("number", [0, 1])
def test_the_sessions_of_the_guide_are_what_the_console_shows(number: int) -> None:
    block = sessions.blocks(GUIDE)[number]
    assert sessions.transcript(block) == block, STALE


async def test_the_pictures_of_discord_show_what_the_bot_answers() -> None:
    async with conversation.open_scene() as scene:
        posts = {
            "conversation": await scene.converse(),
            "memory-show": await scene.show_memory(),
            "look-closer": await scene.look_closer(),
            "memory-why": await scene.forget(),
        }
    prompt = next(text for text in scene.played.prompts if conversation.LEO_ASKS in text)
    assert "Miso" in prompt
    assert "Miso" not in scene.played.prompts[-1], "the picture says that she is forgotten"
    assert "party" not in prompt, "the picture says that Leo's question gets nothing of #party"
    for name, shown in posts.items():
        for theme in ("light", "dark"):
            today = page(shown, is_dark=theme == "dark")
            assert described(f"{name}-{theme}") == today, STALE
