#!/bin/sh
# chatpack 0.1.0 (PyPI, a Rust wheel, CPython 3.9 or newer) on a JSON export of DiscordChatExporter. The lines that
# Discord writes itself ("Joined the server.", "Pinned a message.") come back as what the member said, although the
# export marks them by "type". Members have no ids: the nickname is the sender, so two members who share one are one
# person, and merging their messages puts both's words into one. Nothing tells a bot's words from a member's.
# Source: the package describes itself as making exports fit for language models; the export's types are listed in
# dcx-pd 0.0.4 (models.MessageType), a reader of the same format. Seen on 2026-11-28.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "chatpack==0.1.0"
cd "$folder"
venv/bin/python - <<'PY'
import json

import chatpack


def author(key, name, nickname, is_bot=False):
    """Return an author as an export has it."""
    return {
        "id": str(key),
        "name": name,
        "discriminator": "0000",
        "nickname": nickname,
        "color": None,
        "isBot": is_bot,
        "roles": [],
        "avatarUrl": "https://cdn.example/a.png",
    }


ADA, OTHER, BOT = author(11, "ada", "Alex"), author(12, "alexander", "Alex"), author(13, "helper", "Helper", True)


def message(key, writer, content, kind="Default"):
    """Return a message as an export has it."""
    return {
        "id": str(key),
        "type": kind,
        "timestamp": f"2026-11-20T10:{key:02}:00+00:00",
        "timestampEdited": None,
        "callEndedTimestamp": None,
        "isPinned": False,
        "content": content,
        "author": writer,
        "attachments": [],
        "embeds": [],
        "stickers": [],
        "reactions": [],
        "mentions": [],
    }


messages = [
    message(1, OTHER, "Joined the server.", "GuildMemberJoin"),
    message(2, ADA, "I have a cat"),
    message(3, OTHER, "I can't stand cats"),
    message(4, BOT, "Noted."),
    message(5, ADA, "Pinned a message.", "ChannelPinnedMessage"),
]
export = {
    "guild": {"id": "1", "name": "Club", "iconUrl": "https://cdn.example/g.png"},
    "channel": {"id": "2", "type": "GuildTextChat", "categoryId": "3", "category": "c", "name": "general", "topic": None},
    "dateRange": {"after": None, "before": None},
    "exportedAt": "2026-11-21T00:00:00+00:00",
    "messages": messages,
    "messageCount": len(messages),
}
with open("export.json", "w", encoding="utf-8") as file:
    json.dump(export, file)
read = [(line.sender, line.content) for line in chatpack.parse_discord("export.json")]
merged = [(line.sender, line.content) for line in chatpack.DiscordParser().parse("export.json", merge=True)]
parts = sorted(name for name in dir(chatpack.PyMessage) if not name.startswith("_"))
print(*read, sep="\n")
print("merged:", merged[0])
print("a message has:", parts)
assert read[0] == ("Alex", "Joined the server.") and read[4] == ("Alex", "Pinned a message."), "such lines are told apart"
assert merged[0] == ("Alex", "Joined the server.\nI have a cat\nI can't stand cats"), "members are told apart"
assert parts == ["content", "platform", "sender", "timestamp", "to_dict"], "there are ids"
PY
