#!/bin/sh
# chat-exporter 3.1.0 with discord.py 2.7.1 (PyPI, CPython 3.11). raw_export(channel, messages) makes a transcript of
# messages that the bot has, and writes into them: the list is turned round, "reference" becomes a piece of HTML or "",
# and a picture without words that somebody replied to has the words "Click to see attachment" from then on, as if its
# author had said so. Whatever reads these messages later, such as the bot's cache, has them too; a second transcript
# of them is the sentence "Whoops! Something went wrong...". A poll is a message without words, with no sign of the poll.
# Source: build_reference in chat_exporter/construct/message.py of the wheel; "poll" stands nowhere in the package. The
# README offers raw_export for messages of one's own choice. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "chat-exporter==3.1.0" "discord.py==2.7.1"
"$folder/venv/bin/python" - <<'PY' 2>"$folder/log"
import asyncio
from datetime import UTC, datetime
from unittest.mock import AsyncMock, MagicMock

import chat_exporter
import discord

AUTHOR = {"id": "5", "username": "ada", "discriminator": "0", "avatar": None, "global_name": "Ada"}
PICTURE = {"id": "9", "filename": "cake.png", "size": 10, "url": "https://a.example/cake.png"}
PICTURE |= {"proxy_url": "https://a.example/cake.png", "content_type": "image/png"}
POLL = {
    "question": {"text": "Which bread?"},
    "answers": [{"answer_id": 1, "poll_media": {"text": "Sourdough"}}],
    "expiry": "2026-12-01T00:00:00+00:00",
    "allow_multiselect": False,
    "layout_type": 1,
}
state = MagicMock()
state.store_user = lambda data, **_: discord.User(state=state, data=data)
guild = MagicMock(spec=discord.Guild, id=1, icon=None, emojis=[], roles=[], timezone="UTC")
guild.name = "Bakers"
guild.get_member.return_value = guild.get_role.return_value = None
guild.fetch_member = AsyncMock(return_value=None)
channel = MagicMock(spec=discord.TextChannel, id=2, topic="", type=discord.ChannelType.text, guild=guild)
channel.name, channel.created_at = "kitchen", datetime(2026, 1, 1, tzinfo=UTC)


def message(number, **more):
    """Return a message as discord.py makes it of what Discord sends."""
    data = {
        **{"id": str(1000 + number), "type": 0, "content": "", "channel_id": "2", "author": AUTHOR, "flags": 0},
        **dict.fromkeys(("attachments", "embeds", "mentions", "mention_roles", "components"), []),
        **dict.fromkeys(("pinned", "mention_everyone", "tts"), False),
        **{"timestamp": f"2026-11-28T12:0{number}:00+00:00", "edited_timestamp": None},
    }
    return discord.Message(state=state, channel=channel, data=data | more)


def transcript():
    """Return a transcript of the messages."""
    making = chat_exporter.raw_export(channel, messages, tz_info="UTC", guild=guild, bot=MagicMock())
    return asyncio.run(making)


answered = {"type": 0, "message_id": "1001", "channel_id": "2", "guild_id": "1"}
picture = message(1, attachments=[PICTURE])
reply = message(2, content="Lovely!", type=19, message_reference=answered)
poll = message(3, poll=POLL)
messages = [picture, reply, poll]
first = transcript()
order = [m.id for m in messages]
second = transcript()
print("what the author of the picture said:", repr(picture.content))
print("what the reply answers:", reply.reference[:40].strip() + "…", "and the order:", order)
print("the first transcript has the reply, the poll's question, an answer:", end=" ")
print(*(words in first for words in ("Lovely!", "Which bread?", "Sourdough")))
print("the second transcript:", second)
seen = (picture.content, poll.poll.question, "Lovely!" in first, "Which bread?" in first, "Whoops!" in second)
if (
    seen != ("Click to see attachment", "Which bread?", True, False, True)
    or order != [1003, 1002, 1001]
    or not reply.reference.lstrip().startswith("<div")
):
    raise SystemExit("the behaviour has changed")
PY
