#!/bin/sh
# petsitter 0.9.0 (PyPI, CPython 3.10 or newer), a proxy in front of endpoints of OpenAI's kind, with no trick loaded.
# It takes its own orders, "(keyword)" and "(keyword: text)", out of the newest message, and any word in brackets
# counts as one: of "7 pm (Berlin)" the model reads "7 pm", of the code "f(x)" it reads "f", and a note in the system
# prompt says that the keyword was ignored. Each run of blanks of that message becomes one, so lists and Python lose
# their indentation. One message later the same words arrive as they were written.
# Source: find_prompt_keyword_patterns in petsitter/trick.py, _filter_prompt_keywords and _filter_tricks_by_keywords in
# petsitter/proxy.py of the wheel. Its README says that nothing is on until it is turned on. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "petsitter==0.9.0" "starlette==1.10.0" "uvicorn==0.54.0" "httpx==0.28.1" "click==8.5.1"
cd "$folder"
python3 - <<'PY'
import json
import os
import socket
import subprocess
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CODE = "def double(x):\n    return x * 2"
SAID = ("We meet at 7 pm (Berlin).", f"What does it do?\n{CODE}", "- tea\n  - green")


class Model(BaseHTTPRequestHandler):
    """Answers with the messages that it was sent, as JSON."""

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        message = {"role": "assistant", "content": json.dumps(request["messages"])}
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


def read(*said):
    """Return what the model reads of the messages of a person, and whether a note was added."""
    messages = [{"role": "system", "content": "Be brief."}]
    messages += [{"role": "user", "content": text} for text in said]
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/v1/chat/completions",
        json.dumps({"model": "m", "messages": messages}).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as response:
        answer = json.load(response)
    system, *rest = json.loads(answer["choices"][0]["message"]["content"])
    return [message["content"] for message in rest], system["content"] != "Be brief."


model = ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=model.serve_forever, daemon=True).start()
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
address = f"http://127.0.0.1:{model.server_port}"
with open("config.json", "w") as file:
    none = {"name": "_default", "filters": {"X-Title": "*", "Model": "*"}, "tricks": []}
    json.dump({"first_run": True, "modelset": {"default": {"url": address}}, "tricksets": [none]}, file)
command = ["venv/bin/petsitter", "-c", f"{os.getcwd()}/config.json", "-l", f"127.0.0.1:{port}", "--no-browser"]
with open("log", "w") as log:
    proxy = subprocess.Popen(command, env=os.environ | {"HOME": os.getcwd()}, stdout=log, stderr=log)
try:
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    seen = [read(said) for said in SAID] + [read(*SAID, "Well?")]
finally:
    proxy.terminate()
    proxy.wait()
for what in seen:
    print(*what)
expected = [
    (["We meet at 7 pm ."], True),
    (["What does it do?\ndef double:\n return x * 2"], True),
    (["- tea\n - green"], False),
    ([*SAID, "Well?"], False),
]
if seen != expected:
    raise SystemExit("the behaviour has changed")
PY
