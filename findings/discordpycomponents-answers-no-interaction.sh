#!/bin/sh
# DiscordPYComponents 1.3.2 with discord.py 2.7.1 and aiohttp 3.13.2 (PyPI, CPython 3.11), "Discord Components V2 for
# discord.py", with a stand-in for Discord's API. It "tries discord.py first", with two arguments that discord.py's methods
# never had, so each answer goes by itself over HTTP, to /interactions/{id of the application}/..., where Discord has the
# interaction's id. That is refused, as is the follow-up to what was never answered, and Discord's refusal is returned as if
# it were the message: the member reads "The application did not respond", the bot sees no error. edit() of an interaction or
# a message always raises. What is sent to a channel arrives, but without the allowed_mentions that a bot gives its client for
# all that it sends, and not with a discord.File.
# Source: UI._send_interaction and UI.edit in py_components/ui.py, respond_interaction in http.py of the wheel (its open_modal
# has the right address); Discord's page "Receiving and Responding", "Create Interaction Response". Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "DiscordPYComponents==1.3.2" "discord.py==2.7.1" "aiohttp==3.13.2"
"$folder/venv/bin/python" -W ignore - >"$folder/seen" <<'PY'
import asyncio
import io
from unittest.mock import MagicMock, create_autospec

import discord
from aiohttp import web
from py_components import UI, TextDisplay
from py_components import http as sender

APPLICATION, INTERACTION, CHANNEL = 11, 22, 33
PRESENT = {f"/interactions/{INTERACTION}/token/callback", f"/channels/{CHANNEL}/messages"}


async def answer(request):
    sent = await request.json()
    known = request.path in PRESENT
    print(f"  asked {request.path}: {200 if known else 404}, allowed_mentions: {'allowed_mentions' in sent}")
    return web.json_response({"id": "44"} if known else {"message": "Unknown"}, status=200 if known else 404)


def interaction():
    pressed = MagicMock(spec=discord.Interaction, id=INTERACTION, application_id=APPLICATION, token="token")
    pressed.response = create_autospec(discord.InteractionResponse, instance=True)
    pressed.response.is_done.return_value = False
    pressed.followup = create_autospec(discord.Webhook, instance=True)
    pressed.edit_original_response = create_autospec(discord.Interaction.edit_original_response)
    pressed.client.http.token = "bot"
    return pressed


async def main():
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    sender.API = f"http://127.0.0.1:{runner.addresses[0][1]}"
    channel = create_autospec(discord.TextChannel, instance=True, id=CHANNEL)
    channel._state = MagicMock()
    channel._state.http.token = "bot"
    message = create_autospec(discord.Message, instance=True)
    files = [discord.File(io.BytesIO(b"tea"), "tea.txt")]
    ui = UI(TextDisplay("Hello @everyone"))
    for what, call in (
        ("send(interaction)", lambda: ui.send(interaction())),
        ("edit(interaction)", lambda: ui.edit(interaction())),
        ("edit(message)", lambda: ui.edit(message)),
        ("send(channel)", lambda: ui.send(channel)),
        ("send(channel, files)", lambda: ui.send(channel, files=files)),
    ):
        print(what)
        try:
            print("  returned", await call())
        except Exception as error:
            print("  raised", type(error).__name__)
    await runner.cleanup()


asyncio.run(main())
PY
cat "$folder/seen"
cat >"$folder/expected" <<'TEXT'
send(interaction)
  asked /interactions/11/token/callback: 404, allowed_mentions: False
  asked /webhooks/11/token: 404, allowed_mentions: False
  returned {"message": "Unknown"}
edit(interaction)
  raised TypeError
edit(message)
  raised TypeError
send(channel)
  asked /channels/33/messages: 200, allowed_mentions: False
  returned {"id": "44"}
send(channel, files)
  raised TypeError
TEXT
cmp "$folder/seen" "$folder/expected"
