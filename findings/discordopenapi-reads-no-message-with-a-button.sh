#!/bin/sh
# discordopenapi 1.0.0 (PyPI, CPython 3.11, module openapi_client), the client that OpenAPI Generator 7.14.0 makes of Discord's own
# specification of its API, preview. It reads a message without components. One with a button, a menu or a text of the newer
# kind is refused, and with it the whole answer: a channel's history that holds a single button cannot be listed. Sending is
# refused too: a message with a button, a slash command with an option. Discord says with "type" which of several forms
# (oneOf) a part has, but the generated classes take any number for it: a text option also fits as a yes-or-no option. So
# the check that exactly one form fits finds several, or, one level up, none.
# Source: docs.discord.com, "Component Reference" and "Application Command Option Structure", whose examples these are; OpenAPI
# 3.1, "oneOf". The API is played on this machine. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "discordopenapi==1.0.0" "pydantic==2.14.4" "urllib3==2.8.0" "python-dateutil"
cd "$folder"
cat >read.py <<'PY'
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from openapi_client import ApiClient, Configuration, DefaultApi, models

USER = {"id": "22", "username": "mia", "avatar": None, "discriminator": "0", "public_flags": 0, "flags": 0}
USER |= {"global_name": "Mia", "primary_guild": None}
MESSAGE = {"type": 0, "content": "Tea?", "mentions": [], "mention_roles": [], "attachments": [], "embeds": [], "flags": 0}
MESSAGE |= {"timestamp": "2026-11-30T10:00:00+00:00", "edited_timestamp": None, "components": [], "id": "31", "author": USER}
MESSAGE |= {"channel_id": "11", "pinned": False, "mention_everyone": False, "tts": False}
BUTTON = {"type": 2, "label": "Yes", "style": 1, "custom_id": "yes"}
ROW = {"type": 1, "components": [BUTTON]}
SHOWN_ROW = {"type": 1, "id": 1, "components": [BUTTON | {"id": 2}]}
history = []


class Discord(BaseHTTPRequestHandler):
    def do_GET(self):
        data = json.dumps(history).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *words):
        pass


def tried(name, call):
    """Print what comes of a call, in a few words."""
    try:
        outcome = call()
    except ValueError as error:
        outcome = " ".join(str(error).split()[:3])
    print(f"{name}: {outcome}")


def made(kind, given):
    tried(f"{kind} {json.dumps(given)[:60]}", lambda: "read" if getattr(models, kind).from_dict(given) else None)


discord = ThreadingHTTPServer(("127.0.0.1", 0), Discord)
threading.Thread(target=discord.serve_forever, daemon=True).start()
api = DefaultApi(ApiClient(Configuration(host=f"http://127.0.0.1:{discord.server_port}")))
history += [MESSAGE | {"id": "32"}, MESSAGE]
tried("a history of two messages", lambda: f"{len(api.list_messages('11'))} read")
history.append(MESSAGE | {"id": "30", "components": [SHOWN_ROW]})
tried("the same and a button", lambda: f"{len(api.list_messages('11'))} read")
made("MessageResponse", MESSAGE | {"components": [{"type": 10, "id": 1, "content": "Tea at five."}]})
made("MessageCreateRequest", {"content": "Tea?"})
made("MessageCreateRequest", {"components": [ROW]})
made("ButtonComponentForMessageRequest", BUTTON)
made("ApplicationCommandCreateRequest", {"name": "ask", "description": "Ask."})
option = {"type": 3, "name": "what", "description": "What", "required": True}
made("ApplicationCommandCreateRequest", {"options": [option], "name": "ask", "description": "Ask."})
made("ApplicationCommandStringOption", option)
PY
venv/bin/python read.py >seen
cat seen
sed 's/.*: //' seen >outcomes
cat >expected <<'TEXT'
2 read
No match found
Multiple matches found
read
Multiple matches found
read
read
Multiple matches found
read
TEXT
cmp expected outcomes
