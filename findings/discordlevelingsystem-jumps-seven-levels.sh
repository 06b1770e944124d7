#!/bin/sh
# discordLevelingSystem 1.2.1 with discord.py 2.7.1 and aiosqlite 0.22.1 (PyPI, CPython 3.11), levels for members of a Discord
# server with "the same levels and XP needed values as MEE6". Its table has what a level takes in all, 4,675 points for level
# 10, and so do get_xp_for_level() and add_xp(), but award_xp() asks for the whole sum again from one level to the next and
# drops what was over: a member who writes gets there with 17,940. Each path leads to another level for the same points: of
# two members with 17,940, one is given them by a moderator and has level 17, the other wrote for them and has 10, until a
# moderator gives 1 point, which lifts them by seven levels. An answer to a message (Discord's "reply") is worth nothing.
# Source: _next_level_details and _find_level in levels_xp_needed.py, award_xp in leveling_system.py of the wheel, which
# returns for each type but "default"; a reply has type 19 (Discord's page "Message", "Message Types"). Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "discordLevelingSystem==1.2.1" "discord.py==2.7.1" "aiosqlite==0.22.1"
cd "$folder"
venv/bin/python -W ignore - >seen <<'PY'
import asyncio
from unittest.mock import MagicMock

import discord
from discordLevelingSystem import DiscordLevelingSystem

GUILD = MagicMock(spec=discord.Guild, id=7)


def member(number):
    return MagicMock(spec=discord.Member, id=number, guild=GUILD, bot=False, roles=[])


def message(author, kind=discord.MessageType.default):
    sent = MagicMock(spec=discord.Message, author=author, guild=GUILD, type=kind, edited_at=None)
    sent.created_at = discord.utils.utcnow()
    return sent


loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)
DiscordLevelingSystem.create_database_file(".")
levels = DiscordLevelingSystem(rate=1_000_000, per=1.0, announce_level_up=False)
levels.connect_to_database_file("DiscordLevelingSystem.db")


async def main():
    writes, given = member(1), member(2)
    await levels.award_xp(amount=20, message=message(writes, discord.MessageType.reply))
    print("after a reply:", await levels.get_total_xp_for(writes))
    level = 0
    while level < 10:
        await levels.award_xp(amount=20, message=message(writes))
        data = await levels.get_data_for(writes)
        if data.level > level and data.level in (1, 2, 5, 10):
            table = DiscordLevelingSystem.get_xp_for_level(data.level)
            print(f"level {data.level} with {data.total_xp} points, of which the table asks {table}")
        level = data.level
    await levels.award_xp(amount=20, message=message(given))
    await levels.add_xp(given, data.total_xp - 20)
    print("as many, given by a moderator: level", await levels.get_level_for(given))
    await levels.add_xp(writes, 1)
    print("who wrote, with 1 point more: level", await levels.get_level_for(writes))
    await levels._connection.close()


loop.run_until_complete(main())
PY
cat seen
cat >expected <<'TEXT'
after a reply: None
level 1 with 100 points, of which the table asks 100
level 2 with 360 points, of which the table asks 255
level 5 with 2780 points, of which the table asks 1150
level 10 with 17940 points, of which the table asks 4675
as many, given by a moderator: level 17
who wrote, with 1 point more: level 17
TEXT
cmp seen expected
