#!/bin/sh
# DiscordTranscript 1.6.1 with discord.py 2.7.1 (PyPI, CPython 3.11), HTML transcripts of a channel. A forward is written as
# a reply. Out of another channel it is "Original message was deleted." with no words below, though the message was not
# deleted, and what was forwarded came with it. Out of the same channel it looks as if its author had answered the
# message without a word; once that one is deleted, its words are gone here too, where Discord still shows them. A poll is
# a message without words, and times in Discord's two newer styles, s and S, stay their source text.
# Source: build_reference in DiscordTranscript/construct/message.py of the wheel asks for the reference's message_id and
# not for its type; "snapshot" and "poll" stand nowhere in the package. Discord's reference: "Message Reference
# Types" (1 is FORWARD, whose words are in message_snapshots), "Timestamp Styles". Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "DiscordTranscript==1.6.1" "discord.py==2.7.1"
"$folder/venv/bin/python" -W ignore - <<'PY' 2>"$folder/log"
import asyncio
import re
from datetime import UTC, datetime
from html import unescape
from unittest.mock import AsyncMock, MagicMock

import discord
import DiscordTranscript

ADA = {"id": "5", "username": "ada", "discriminator": "0", "avatar": None, "global_name": "Ada"}
LISTS = ("attachments", "embeds", "mentions", "mention_roles", "components")
POLL = {"question": {"text": "Which bread?"}, "answers": [{"answer_id": 1, "poll_media": {"text": "Rye"}}]}
POLL |= {"expiry": "2026-12-01T00:00:00+00:00", "allow_multiselect": False, "layout_type": 1}
state = MagicMock()
state.store_user = lambda data, **_: discord.User(state=state, data=data)
guild = MagicMock(spec=discord.Guild, id=1, icon=None, emojis=[], roles=[], timezone="UTC")
guild.name = "Bakers"
guild.get_member.return_value = guild.get_role.return_value = None
guild.fetch_member = AsyncMock(return_value=None)
channel = MagicMock(spec=discord.TextChannel, id=2, topic="", type=discord.ChannelType.text, guild=guild)
channel.name, channel.created_at = "kitchen", datetime(2026, 1, 1, tzinfo=UTC)
gone = discord.NotFound(MagicMock(status=404, reason="Not Found"), {"code": 10008, "message": "Unknown Message"})
channel.fetch_message = AsyncMock(side_effect=gone)  # as Discord answers for an id of another channel


def shown(message_id, words):
    """Return a message's parts that a forward takes along."""
    dates = {"timestamp": "2026-11-28T12:00:00+00:00", "edited_timestamp": None}
    return {"id": message_id, "type": 0, "content": words, "flags": 0} | dates | {name: [] for name in LISTS}


def message(number, words="", **more):
    """Return a message as discord.py makes it of what Discord sends."""
    data = shown(str(1000 + number), words) | {"channel_id": "2", "author": ADA, "tts": False, "pinned": False}
    return discord.Message(state=state, channel=channel, data=data | {"mention_everyone": False} | more)


def forward(number, words, message_id, channel_id):
    """Return a message that forwards another."""
    reference = {"type": 1, "message_id": message_id, "channel_id": channel_id, "guild_id": "1"}
    snapshots = [{"message": shown(message_id, words)}]
    return message(number, message_reference=reference, message_snapshots=snapshots, flags=1 << 14)


def transcript(*messages):
    """Return what a reader sees below the head of a transcript."""
    making = DiscordTranscript.raw_export(channel, list(messages), tz_info="UTC", guild=guild, bot=MagicMock())
    page = re.sub(r"(?s)<(style|script|svg).*?</\1>", "", asyncio.run(making))
    text = " ".join(unescape(re.sub(r'<(?:"[^"]*"|[^>"])*>', " ", page)).split())
    return text.partition("This is the start of the #kitchen channel. ")[2].partition(" This transcript")[0]


elsewhere = forward(3, "The oven is at Mia's", "900", "3")
here = forward(4, "Bread is out", "1001", "2")
cases = {
    "a forward from elsewhere": transcript(elsewhere),
    "one from this channel": transcript(message(1, "Bread is out"), here),
    "the same, deleted since": transcript(forward(4, "Bread is out", "1001", "2")),
    "a poll": transcript(message(5, poll=POLL)),
    "times": transcript(message(6, "<t:1796148000:f> <t:1796148000:s> <t:1796148000:S>")),
}
for name, text in cases.items():
    print(f"{name}: {text}")
kept = elsewhere.message_snapshots[0].content
print("discord.py had the words:", kept)
words = {name: re.sub(r"( \d\d-\d\d-\d{4})? \d\d:\d\d [AP]M", "", text) for name, text in cases.items()}
expected = {
    "a forward from elsewhere": "Original message was deleted. Ada",
    "one from this channel": "Ada Bread is out Ada Bread is out",
    "the same, deleted since": "Original message was deleted. Ada",
    "a poll": "Ada",
    "times": "Ada 1 December 2026 17:59 <t:1796148000:s> <t:1796148000:S>",
}
if kept != "The oven is at Mia's" or words != expected:
    raise SystemExit(f"the behaviour has changed: {words}")
PY
