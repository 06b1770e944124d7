#!/bin/sh
# cloakwall 0.3.1 (PyPI, CPython 3.10 or newer), a proxy that keeps personal data from the model behind it, as installed.
# Each date as programs write it, "2026-11-29", reaches the model as <PHONE>, or before a full stop as <DOB>, whatever day
# it is: a model that is told today's date cannot say what the day after tomorrow is, and a meeting that moves from one
# date to another moves from <PHONE> to <PHONE>. Three numbers of a game are <PHONE> too. Of the ids in Discord's
# mentions one in ten passes the check sum of card numbers: three of the twenty members here are <@<CARD>>, all the same.
# Source: DETECTORS in cloakwall/redact.py of the wheel, where PHONE stands before DOB, the pattern for such dates. The
# README names "dates of birth" and says that the validators keep order numbers from being flagged. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "cloakwall==0.3.1"
cd "$folder"
python3 - <<'PY'
import json
import socket
import subprocess
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MEMBERS = [f"<@{1001000000000000000 + step * 12345678901234}>" for step in range(20)]
SAID = (
    "Today is 2026-11-29.",
    "The party is on 2026-11-29 at Anna's.",
    "The meeting moves from 2026-12-01 to 2026-12-03 now.",
    "The meeting moves to 3 December 2026.",
    "My character has 18 16 14 as scores.",
    " ".join(MEMBERS),
)


class Model(BaseHTTPRequestHandler):
    """Answers with the last message that it was sent; a _ stands between its letters."""

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        words = "_".join(request["messages"][-1]["content"])
        message = {"role": "assistant", "content": words}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        body = {"id": "a", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
        text = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


def read(said):
    """Return what the model reads of a message."""
    body = {"model": "m", "messages": [{"role": "user", "content": said}]}
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/v1/chat/completions",
        json.dumps(body).encode(),
        {"Content-Type": "application/json", "Authorization": "Bearer none"},
    )
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)["choices"][0]["message"]["content"][::2]


model = ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=model.serve_forever, daemon=True).start()
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
upstream = f"http://127.0.0.1:{model.server_port}/v1"
with open("log", "w") as log:
    command = ["venv/bin/cloakwall", "serve", "--upstream", upstream, "--port", str(port)]
    proxy = subprocess.Popen(command, stdout=log, stderr=log)
try:
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    *seen, members = [read(said) for said in SAID]
finally:
    proxy.terminate()
    proxy.wait()
for said, what in zip(SAID, seen):
    print(said, "->", what)
cards = [member for member, what in zip(MEMBERS, members.split()) if what == "<@<CARD>>"]
print(len(cards), "of", len(MEMBERS), "members are <@<CARD>>:", *cards)
expected = [
    "Today is <DOB>.",
    "The party is on <PHONE> at Anna's.",
    "The meeting moves from <PHONE> to <PHONE> now.",
    SAID[3],
    "My character has <PHONE> as scores.",
]
if seen != expected or len(cards) != 3:
    raise SystemExit("the behaviour has changed")
PY
