#!/bin/sh
# discord-reader 1.0.0 with httpx 0.28.1 (PyPI, CPython 3.11), an SDK that reads channels of Discord for exports, against a
# server on the loopback that answers as Discord does: with "after", the hundred messages that follow it, the newest of them
# first. The next page begins after the last of these, which is the oldest, so each page is the one before but for one
# message: of 300 new ones get_messages_since(limit=500) returns 500, of which 104 differ, and says that there are
# more; the other 196 are never read. discord.py goes on from the first of a page. With "before" all are read, once.
# An export for a model begins with the newest message and ends with the oldest.
# Source: get_messages in discord_reader/client.py of the wheel ("after = batch[-1].id"); Discord's reference, Get Channel
# Messages; _after_strategy in discord/abc.py ("data[0]"). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "discord-reader==1.0.0" "discord.py==2.7.1" "httpx==0.28.1"
cd "$folder"
venv/bin/python - <<'PY' >seen
import asyncio
import json
import threading
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import discord
import discord_reader.client
from discord_reader.exporters import messages_to_markdown
from discord.utils import time_snowflake

START = datetime(2026, 11, 28, 12, tzinfo=UTC)
AUTHOR = {"id": "5", "username": "ada", "discriminator": "0", "avatar": None, "global_name": "Ada"}


def message(number):
    """Return a message as Discord sends it."""
    at = START + timedelta(minutes=number)
    return {
        **{"id": str(time_snowflake(at)), "type": 0, "content": f"line {number}", "channel_id": "2", "author": AUTHOR},
        **dict.fromkeys(("attachments", "embeds", "mentions", "mention_roles", "components"), []),
        **dict.fromkeys(("pinned", "mention_everyone", "tts"), False),
        **{"timestamp": at.isoformat(), "edited_timestamp": None, "flags": 0},
    }


MESSAGES = [message(number) for number in range(300)]


class Discord(BaseHTTPRequestHandler):
    """Discord's list of messages, and what discord.py asks before it."""

    def do_GET(self):
        url = urlsplit(self.path)
        query = {name: int(values[0]) for name, values in parse_qs(url.query).items()}
        if url.path.endswith("/messages"):
            limit = query["limit"]
            if "after" in query:
                page = [m for m in MESSAGES if int(m["id"]) > query["after"]][:limit]
            else:
                page = [m for m in MESSAGES if int(m["id"]) < query.get("before", 1 << 63)][-limit:]
            answer = page[::-1]
        elif url.path.endswith("/channels/2"):
            answer = {"id": "2", "type": 1, "recipients": [AUTHOR]}
        else:
            answer = AUTHOR
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        """Log nothing."""


server = ThreadingHTTPServer(("127.0.0.1", 0), Discord)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}/api/v10"
discord_reader.client.BASE_URL = discord.http.Route.BASE = address


async def main():
    async with discord_reader.client.DiscordClient("token") as client:
        before = START - timedelta(minutes=1)
        after = await client.get_messages_since("2", before, limit=500)
        page = await client.get_message_page("2", limit=500, after=str(time_snowflake(before)))
        back = await client.get_messages("2", limit=500)
    print("after:", len(after), "messages,", len({m.id for m in after}), "different, more:", page.has_more)
    print("before:", len(back), "messages,", len({m.id for m in back}), "different")
    print("an export begins with:", messages_to_markdown(back).splitlines()[0].rpartition(": ")[2])
    library = discord.Client(intents=discord.Intents.none())
    async with library:
        await library.http.static_login("token")
        channel = discord.PartialMessageable(state=library._connection, id=2)
        read = [m.id async for m in channel.history(limit=500, after=before, oldest_first=True)]
    print("discord.py after:", len(read), "messages,", len(set(read)), "different")


asyncio.run(main())
PY
cat seen
cat >expected <<'TEXT'
after: 500 messages, 104 different, more: True
before: 300 messages, 300 different
an export begins with: line 299
discord.py after: 300 messages, 300 different
TEXT
cmp seen expected
