#!/bin/sh
# agentwarden-ai 0.1.4 with fastapi 0.165.0 and httpx 0.28.1 (PyPI, CPython 3.11), a proxy in front of OpenAI that makes
# prompts shorter, with its Context Dedup on, as its README tells. A message whose words came before in the same history reaches
# the model as "[duplicate of earlier content — see above]", however short it is and whoever said it: of two questions that
# were both answered "no" the second has a mark for an answer, and a second "yes" has the same mark, so the model cannot
# know which it was. The mark is longer than the answer. An answer of the model's own that it gave before, to somebody
# else in a group, is a mark too, and so is each result of a tool that says "Done." again. Only the last message is spared.
# Source: context_dedup.py in proxy/optimizers; its README: "cleans redundant old context deterministically", "Important: turn
# the optimizers on". Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "agentwarden-ai==0.1.4" "fastapi==0.165.0" "starlette==1.10.0" "uvicorn==0.54.0" "httpx==0.28.1"
cd "$folder"
"$folder/venv/bin/python" - <<'PY'
import json
import os
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

seen = []


class Model(BaseHTTPRequestHandler):
    """An endpoint of OpenAI's kind that notes what reaches it."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        seen.append(body)
        message = {"role": "assistant", "content": "Noted."}
        answer = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "usage": {}}
        answer["choices"] = [{"index": 0, "message": message, "finish_reason": "stop"}]
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *words):
        pass


model = ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=model.serve_forever, daemon=True).start()
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
settings = {
    "AGENTWARDEN_UPSTREAM_BASE_URL": f"http://127.0.0.1:{model.server_port}",
    "AGENTWARDEN_ENABLE_CONTEXT_DEDUP": "true",
}
server = subprocess.Popen(
    [str(Path(sys.executable).with_name("agentwarden")), "serve", "--port", str(port)],
    env={**os.environ, **settings},
    stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL,
)
def ask(*messages):
    """Return the request as it reaches the model."""
    turns = [{"role": role, "content": words} for role, words in messages]
    body = {"model": "m", "messages": turns}
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/v1/chat/completions", json.dumps(body).encode(), {"content-type": "application/json"}
    )
    urllib.request.urlopen(request, timeout=120).read()
    return seen[-1]


try:
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            break
        except OSError:
            time.sleep(0.2)
    told = {}
    for answer in ("no", "yes"):
        told[answer] = ask(
            ("assistant", "Are you allergic to nuts?"),
            ("user", answer),
            ("assistant", "Do you eat meat?"),
            ("user", answer),
            ("user", "What may I eat, then?"),
        )["messages"]
    group = ask(
        ("user", "Ann: am I on the list?"),
        ("assistant", "You are."),
        ("user", "Ben: and I?"),
        ("assistant", "You are."),
        ("user", "Ben: thanks. Who is on it now?"),
    )["messages"]
finally:
    server.terminate()
    server.wait()
for turn in [*told["no"], *group]:
    print(f"{turn['role']}: {turn['content']}")
mark = "[duplicate of earlier content — see above]"
assert [[turn["content"] for turn in told[answer][1::2]] for answer in told] == [["no", mark], ["yes", mark]]
assert told["no"][-1]["content"] == "What may I eat, then?"
assert [turn["content"] for turn in group[1::2]] == ["You are.", mark]
print("the second no is not told")
PY
