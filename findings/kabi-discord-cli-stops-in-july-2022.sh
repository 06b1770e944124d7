#!/bin/sh
# kabi-discord-cli 0.2.8 with httpx 0.28.1 (PyPI, CPython 3.11), which keeps Discord's messages in SQLite "for AI agents". Ids
# of Discord are texts in JSON and are compared as texts here. Since 22 July 2022 they have 19 digits, before that 18, and
# "98..." is the larger text. So in a channel that has both, the newest message is for good one of before that day: each
# "sync" asks for what came after it, downloads all the years since once more, and stops at its limit (-n). If more messages
# than that were written since, nothing new is ever stored: "fetched 100, stored 0" each time, without an error. What it
# returns is said to be "sorted by timestamp" and ends with the old ones, so "tail" begins its watch there as well.
# Source: get_last_msg_id (MAX of a TEXT) in discord_cli/db.py, fetch_messages (the sort by msg_id) in client.py, dc_sync in
# cli/discord_cmds.py of the wheel; Discord's page "Reference" ("Snowflakes"; ids are strings since they are 64-bit numbers):
# 10**18 >> 22 milliseconds after the start of 2015. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "kabi-discord-cli==0.2.8" "httpx==0.28.1"
cd "$folder"
venv/bin/python - >"$folder/seen" <<'PY'
import asyncio
from datetime import UTC, datetime, timedelta

import httpx
from discord_cli import client as discord
from discord_cli.db import MessageDB

START = datetime(2015, 1, 1, tzinfo=UTC)


def message(day):
    snowflake = int((day - START).total_seconds() * 1000) << 22
    author = {"id": "9", "username": "kim"}
    return {"id": str(snowflake), "timestamp": day.isoformat(), "author": author, "content": f"{day:%d.%m.%Y}"}


channel = [message(datetime(2022, 6, 1, tzinfo=UTC) + timedelta(days=number)) for number in range(400)]


def page(request):
    """Return messages as Discord does: the newest first; with "after" the next ones, with "before" the last."""
    query, ids = request.url.params, [int(message["id"]) for message in channel]
    limit = int(query["limit"])
    if "after" in query:
        chosen = [number for number, known in enumerate(ids) if known > int(query["after"])][:limit]
    else:
        end = int(query.get("before", 2**63))
        chosen = [number for number, known in enumerate(ids) if known < end][-limit:]
    return httpx.Response(200, json=[channel[number] for number in reversed(chosen)])


async def without_pause(_seconds):
    pass


async def main():
    discord.asyncio.sleep = without_pause
    transport = httpx.MockTransport(page)
    async with httpx.AsyncClient(transport=transport, base_url="http://discord.test") as client:
        with MessageDB("messages.db") as database:
            for limit in (5_000, 100, 100, 5_000):
                after = database.get_last_msg_id("1")
                messages = await discord.fetch_messages(client, "1", limit=limit, after=after)
                for row in messages:
                    row["channel_name"] = "club"
                print(f"sync -n {limit} after {after}: fetched {len(messages)}, stored", database.insert_batch(messages))
                print("  ends with", messages[-1]["content"])
                channel.append(message(datetime(2026, 11, 1, tzinfo=UTC) + timedelta(days=len(channel) - 400)))


asyncio.run(main())
PY
cat "$folder/seen"
cat >"$folder/expected" <<'TEXT'
sync -n 5000 after None: fetched 400, stored 400
  ends with 22.07.2022
sync -n 100 after 999828121190400000: fetched 100, stored 0
  ends with 30.10.2022
sync -n 100 after 999828121190400000: fetched 100, stored 0
  ends with 30.10.2022
sync -n 5000 after 999828121190400000: fetched 351, stored 3
  ends with 03.11.2026
TEXT
cmp "$folder/seen" "$folder/expected"
