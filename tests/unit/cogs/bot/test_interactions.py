"""What a lost line to Discord looks like, and which answer is our own."""

import ast
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from cogs.bot.interactions import CONNECTION_ERRORS, log_errors
from cogs.chat import chat, reply_sender
from cogs.chat.deletions import DeletionHandler
from tests.rows import each_row

COGS = Path(chat.__file__).parent


def test_a_server_that_hangs_up_is_a_lost_line_and_no_bug(caplog):
    assert not issubclass(aiohttp.ServerDisconnectedError, OSError)  # or this would be easy
    with log_errors("an alert could not be shown"):
        raise aiohttp.ServerDisconnectedError
    assert "an alert could not be shown: ServerDisconnectedError" in caplog.text
    assert "Traceback" not in caplog.text


async def test_looking_for_what_was_missed_goes_on_after_a_lost_line(caplog):
    async def hang_up() -> None:
        raise aiohttp.ServerDisconnectedError

    nobody: Any = None
    await DeletionHandler._attempt(nobody, hang_up(), "a channel could not be compared")
    assert "a channel could not be compared: ServerDisconnectedError" in caplog.text


# Who speaks with Discord; elsewhere, an OSError is a file's or a port's.
LINE_USERS = [
    file
    for file in COGS.rglob("*.py")
    if "import discord" in file.read_text(encoding="utf-8") and "console" not in file.parts
]


@pytest.mark.parametrize("file", LINE_USERS, ids=lambda file: file.stem)
def test_whoever_expects_the_line_to_break_expects_every_way_of_it(file):
    handlers = [
        ast.unparse(node.type)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ExceptHandler) and node.type is not None
    ]
    partial = [one for one in handlers if "OSError" in one and "aiohttp.ClientError" not in one]
    assert not partial, "write *CONNECTION_ERRORS"
    assert set(CONNECTION_ERRORS) == {OSError, aiohttp.ClientError}


@each_row(
    ("sent", "said", "is_ours"),
    [
        (":pog:", "<:pog:123456>", True),
        (":pog: :dance:", "<:pog:123456> <a:dance:7>", True),
        ("<:pog:123456>", "<:pog:123456>", True),
        ("Hi  there!", "Hi there!", True),
        (":pog:", "<:sad:123456>", False),
        ("Something else entirely.", "Hello from the model.", False),
    ],
)
def test_an_answer_is_our_own_though_discord_did_not_know_its_emoji(sent, said, is_ours):
    assert reply_sender.is_same(sent, said) is is_ours
