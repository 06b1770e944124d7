#!/bin/sh
# chat-exporter 3.1.0, py-discord-html-transcripts 2.3.1 and chatlog 1.0.7 with discord.py 2.7.1 (PyPI, CPython 3.11), HTML
# transcripts of channels of Discord. Discord shows "<t:1796410800:F>" as Friday, 4 December 2026, 19:00 in UTC. In all
# three it is Saturday, 4 December 2026, 18:59: a second is taken from each such time, so one on the hour, as of every
# meeting, is a minute early, New Year's is in the old year, and a day that begins is the day before. The weekday is that
# of the same day in 2010. The first and the third tell the right weekday of 29 February, which 2010 has not, and
# the second ends there with an error that takes the whole transcript. chatlog does not name emoji and grapheme, which it
# imports, and its module is "chat_exporter", the first's, not "chatlog" as in its README.
# Source: TimeMentionNode in chat_exporter/parse/ast.py, time_mention in parse/mention.py ("datetime.datetime(2010, ..."
# and "- 1"); Discord's reference, "Timestamp Styles": F is "Long date, short time". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/show.py" <<'PY'
import asyncio
import re
from datetime import UTC, datetime
from unittest.mock import AsyncMock, MagicMock

import chat_exporter
import discord

AUTHOR = {"id": "5", "username": "ada", "discriminator": "0", "avatar": None, "global_name": "Ada"}
state = MagicMock()
state.store_user = lambda data, **_: discord.User(state=state, data=data)
guild = MagicMock(spec=discord.Guild, id=1, icon=None, emojis=[], roles=[], timezone="UTC")
guild.name = "Bakers"
guild.get_member.return_value = guild.get_role.return_value = None
guild.fetch_member = AsyncMock(return_value=None)
channel = MagicMock(spec=discord.TextChannel, id=2, topic="", type=discord.ChannelType.text, guild=guild)
channel.name, channel.created_at = "kitchen", datetime(2026, 1, 1, tzinfo=UTC)


def shown(at):
    """Return what a transcript shows for a time that somebody mentions."""
    data = {
        **{"id": "1001", "type": 0, "content": f"Party <t:{at:%s}:F>!", "channel_id": "2", "author": AUTHOR, "flags": 0},
        **dict.fromkeys(("attachments", "embeds", "mentions", "mention_roles", "components"), []),
        **dict.fromkeys(("pinned", "mention_everyone", "tts"), False),
        **{"timestamp": "2026-11-28T12:00:00+00:00", "edited_timestamp": None},
    }
    message = discord.Message(state=state, channel=channel, data=data)
    making = chat_exporter.raw_export(channel, [message], tz_info="UTC", guild=guild, bot=MagicMock())
    time = re.search(r'class="unix-timestamp".*?">([^<>"]*)</span>', asyncio.run(making))
    return " ".join(time[1].split()) if time else "no transcript"


for at in (datetime(2026, 12, 4, 19), datetime(2027, 1, 1), datetime(2028, 2, 29, 19)):
    print(f"{at:%A, %-d %B %Y %H:%M} ->", shown(at))
PY
for package in "chat-exporter==3.1.0" "py-discord-html-transcripts==2.3.1" "chatlog==1.0.7 emoji==2.16.0 grapheme==0.6.0"; do
    name=${package%%=*}
    python3 -m venv "$folder/$name"
    # shellcheck disable=SC2086 # these are several words
    "$folder/$name/bin/pip" install -q $package "discord.py==2.7.1"
    echo "$name"
    TZ=UTC "$folder/$name/bin/python" "$folder/show.py" 2>"$folder/log" | grep -v screenshot
done >"$folder/seen"
cat "$folder/seen"
cat >"$folder/expected" <<'TEXT'
chat-exporter
Friday, 4 December 2026 19:00 -> Saturday, 4 December 2026 18:59
Friday, 1 January 2027 00:00 -> Friday, 31 December 2026 23:59
Tuesday, 29 February 2028 19:00 -> Tuesday, 29 February 2028 18:59
py-discord-html-transcripts
Friday, 4 December 2026 19:00 -> Saturday, 4 December 2026 18:59
Friday, 1 January 2027 00:00 -> Friday, 31 December 2026 23:59
Tuesday, 29 February 2028 19:00 -> no transcript
chatlog
Friday, 4 December 2026 19:00 -> Saturday, 4 December 2026 18:59
Friday, 1 January 2027 00:00 -> Friday, 31 December 2026 23:59
Tuesday, 29 February 2028 19:00 -> Tuesday, 29 February 2028 18:59
TEXT
cmp "$folder/seen" "$folder/expected"
