"""Exports as DiscordChatExporter writes them, made up by tests."""

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from tests.fakes.builders import ADA, CHANNEL, GUILD

FIRST_ID = 1_400_000_000_000_000_000


def a_message(text: str, number: int = 0, **given: Any) -> dict[str, Any]:
    """A message of Ada's; ``number`` makes its id, ``at`` is when it was said."""
    said_at: datetime = given.pop("at")
    author = {"id": str(given.pop("by", ADA.user_id)), "name": "someone", "nickname": "Someone"}
    return {
        "id": str(FIRST_ID + number),
        "type": "Default",
        "timestamp": said_at.isoformat(),
        "timestampEdited": None,
        "content": text,
        "author": {**author, "isBot": False},
        "mentions": [],
    } | given


def told(*texts: str, at: datetime, apart: timedelta = timedelta(minutes=10), **given: Any) -> list:
    """Messages one after the other, each a burst of its own."""
    return [
        a_message(text, number, at=at + number * apart, **given)
        for number, text in enumerate(texts)
    ]


def write_export(file: Path, messages: list, guild_id: int = GUILD, channel_id: int = CHANNEL):
    """Write an export of a channel to a file, and return the file."""
    whole = {
        "guild": {"id": str(guild_id), "name": "Den"},
        "channel": {"id": str(channel_id), "type": "GuildTextChat", "name": "general"},
        "messages": messages,
        "messageCount": len(messages),
    }
    file.write_text(json.dumps(whole), encoding="utf-8")
    return file
