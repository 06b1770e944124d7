#!/bin/sh
# discord-cooldown 0.1.4 with discord.py 2.7.1 and freezegun 1.5.5 (PyPI, CPython 3.11), cooldowns of commands that a bot
# keeps in a database. They are kept by a command's last word: "tag add", once a day, and "quote add", five times a minute,
# are one, with the limit of whichever a member used first. Who has added a quote may add four tags, and who has added a tag
# waits a day for the first quote, while the error says "5 per 60 s". A bucket of another kind than the member, which the
# signature takes from discord.py, is counted by member nevertheless: an announcement that the server may make every ten
# minutes each member makes at once, and who made one in a server waits in all others; the error names the guild.
# Source: its docstring, "cooldowns can be based either on a per-guild, per-channel, per-user, per-role or global basis",
# "must be of enum type BucketTypes or commands.BucketType"; predicate in discord_cooldown/cooldown.py (context.command.name,
# context.author). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --no-deps "discord-cooldown==0.1.4"  # whose psycopg2 is built from source
venv/bin/pip install -q "discord.py==2.7.1" "freezegun==1.5.5" "mysql-connector-python==26.10.0" "psycopg2-binary==2.9.13"
cat >cooldowns.py <<'PY'
import asyncio
from types import SimpleNamespace

import discord
from discord.ext import commands
from discord_cooldown import Cooldown
from discord_cooldown.modules import SQlite
from freezegun import freeze_time

bot = commands.Bot("!", intents=discord.Intents.none())


def kept():
    """Return a cooldown of the database, as the README has one for each command."""
    return Cooldown(SQlite("cooldowns.db"))


@bot.group()
async def tag(ctx): ...


@bot.group()
async def quote(ctx): ...


@kept().cooldown(1, 86400)
@tag.command(name="add")
async def tag_add(ctx): ...


@kept().cooldown(5, 60)
@quote.command(name="add")
async def quote_add(ctx): ...


@kept().cooldown(1, 600, commands.BucketType.guild)
@bot.command()
async def announce(ctx): ...


async def use(member, command, guild=1):
    """Print what comes of a member's command."""
    context = SimpleNamespace(author=SimpleNamespace(id=member), guild=SimpleNamespace(id=guild), command=command)
    try:
        await command.checks[0](context)
        outcome = "runs"
    except commands.CommandOnCooldown as error:
        limit = f"{error.cooldown.rate} per {error.cooldown.per:.0f} s of {error.type.name}"
        outcome = f"wait {error.retry_after} s ({limit})"
    print(f"member {member} in server {guild}, {command.qualified_name}: {outcome}")


async def main():
    await use(1, quote_add)
    for _ in range(5):
        await use(1, tag_add)
    await use(2, tag_add)
    await use(2, quote_add)
    for member, guild in ((1, 1), (2, 1), (1, 2)):
        await use(member, announce, guild)


with freeze_time("2026-11-30 10:00:00"):
    asyncio.run(main())
PY
venv/bin/python cooldowns.py >seen 2>log
cat seen
cat >expected <<'TEXT'
member 1 in server 1, quote add: runs
member 1 in server 1, tag add: runs
member 1 in server 1, tag add: runs
member 1 in server 1, tag add: runs
member 1 in server 1, tag add: runs
member 1 in server 1, tag add: wait 86400 s (1 per 86400 s of user)
member 2 in server 1, tag add: runs
member 2 in server 1, quote add: wait 86400 s (5 per 60 s of user)
member 1 in server 1, announce: runs
member 2 in server 1, announce: runs
member 1 in server 2, announce: wait 600 s (1 per 600 s of guild)
TEXT
cmp expected seen
