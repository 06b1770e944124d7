#!/bin/sh
# memobase 0.0.27 with openai 3.57.0 (PyPI, CPython 3.11). openai_memory(client, memobase) adds the profile of the
# person whose user_id a call names to the caller's own list of messages. A bot that keeps one list a channel therefore
# sends what is known of each earlier speaker with the question of the next one, and the same profile once more with
# each turn. A call that names nobody raises KeyError, though the code has a branch for it.
# Source: user_context_insert and sync_chat in memobase/patch/openai.py of the wheel. Seen on 2026-11-28.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "memobase==0.0.27" "openai==3.57.0"
"$folder/venv/bin/python" - <<'PY'
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from memobase import MemoBaseClient
from memobase.patch.openai import openai_memory
from memobase.utils import string_to_uuid
from openai import OpenAI

PROFILES = {string_to_uuid("anna"): "Anna is ill.", string_to_uuid("ben"): "Ben likes tea."}
prompts = []


class Both(BaseHTTPRequestHandler):
    """Answers as memobase's server and as a model."""

    def reply(self, data):
        body = json.dumps(data).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        person = next((text for id, text in PROFILES.items() if id in self.path), "")
        self.reply({"data": {"context": person, "id": "1"}, "errno": 0, "errmsg": ""})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if not self.path.endswith("/chat/completions"):
            return self.reply({"data": {"id": "1"}, "errno": 0, "errmsg": ""})
        prompts.append(json.dumps(body["messages"]))
        message = {"role": "assistant", "content": "Hello."}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        head = {"id": "1", "object": "chat.completion", "created": 1, "model": "m"}
        return self.reply(head | {"choices": [choice]})

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Both)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}"
client = openai_memory(
    OpenAI(api_key="none", base_url=f"{address}/v1"), MemoBaseClient("none", project_url=address)
)
channel = [{"role": "system", "content": "You are a bot."}]
for speaker in ("anna", "ben", "ben"):
    channel.append({"role": "user", "content": f"Hi, I am {speaker}."})
    client.chat.completions.create(model="m", messages=channel, user_id=speaker)
    seen = {text: prompts[-1].count(text) for text in PROFILES.values()}
    print(f"the prompt of {speaker}'s turn holds", seen)
assert seen == {"Anna is ill.": 1, "Ben likes tea.": 2}, "the behaviour has changed"
try:
    client.chat.completions.create(model="m", messages=channel)
    raise SystemExit("the behaviour has changed")
except KeyError as error:
    print("a call without user_id: KeyError", error)
PY
