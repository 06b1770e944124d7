#!/bin/sh
# SimCord 3.2.1 with discord.py 2.7.1 (CPython 3.11): in its simulated Discord, no command comes from an installation:
# authorizing_integration_owners is {} for a bot that is a member of the server, so is_guild_integration() and
# is_user_integration() are both false. A bot that tells its servers from those where people use it from their own
# account takes every server for the latter. Discord documents the field as "the installation contexts that the
# interaction was authorized for", with key "0" for a server. Its clock begins on 1 January 2026 for each test:
# messages are dated then, whatever the machine's date, and what ends 30 days after a message ended long ago.
# Source: simcord/interactions.py and simcord/_clock.py of the wheel. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "simcord==3.2.1" "discord.py==2.7.1"
"$folder/venv/bin/python" -W ignore - <<'PY'
import asyncio

import discord
import simcord
from discord.ext import commands

seen = {}
bot = commands.Bot(command_prefix="!", intents=discord.Intents.all())


@bot.tree.command(name="where", description="Tell where a command comes from")
async def where(interaction):
    seen["is a member"] = interaction.client.get_guild(interaction.guild_id) is not None
    seen["is_guild_integration"] = interaction.is_guild_integration()
    seen["is_user_integration"] = interaction.is_user_integration()
    await interaction.response.send_message("here")


@bot.event
async def setup_hook():
    await bot.tree.sync()


@bot.event
async def on_message(message):
    if not message.author.bot:
        seen["a message is dated"] = message.created_at.date().isoformat()


async def main():
    async with simcord.run(bot) as env:
        guild = env.create_guild("Club")
        channel = guild.create_text_channel("general")
        member = guild.add_member(env.create_user("ann"))
        await member.slash(channel, "where")
        await member.send(channel, "hello")


asyncio.run(main())
for what, value in seen.items():
    print(f"{what}: {value}")
assert seen == {
    "is a member": True,
    "is_guild_integration": False,
    "is_user_integration": False,
    "a message is dated": "2026-01-01",
}, "the behaviour has changed"
PY
