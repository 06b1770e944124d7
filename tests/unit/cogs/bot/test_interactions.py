"""What a lost line to Discord looks like, and which answer is our own."""

import ast
from pathlib import Path

import aiohttp
import pytest

from cogs.bot.interactions import CONNECTION_ERRORS, log_errors
from cogs.chat import chat

COGS = Path(chat.__file__).parent


def test_a_server_that_hangs_up_is_a_lost_line_and_no_bug(caplog):
    assert not issubclass(aiohttp.ServerDisconnectedError, OSError)  # or this would be easy
    with log_errors("an alert could not be shown"):
        raise aiohttp.ServerDisconnectedError
    assert "an alert could not be shown: ServerDisconnectedError" in caplog.text
    assert "Traceback" not in caplog.text


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
