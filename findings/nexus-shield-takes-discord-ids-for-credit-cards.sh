#!/bin/sh
# nexus-shield-cli 0.1.0 with fastapi 0.165.0 and httpx 0.28.1 (PyPI, CPython 3.11), a proxy that keeps personal data from the
# model behind it, as installed. Any 14 to 20 digits are a credit card, without its check digit, also with spaces and hyphens
# between them. So each id of Discord's, of a member, a channel or a message, reaches the model as [CREDIT_CARD_REDACTED]: two
# members who are mentioned are one, and what a model says to one of them names nobody. Two dates in a row are a card as well
# ("2026-11-28 - 2026-11-29"), and so are twenty throws of a die. "The upstream response is streamed back" means that it is
# read to its end first: of a streamed answer nothing comes before the last word.
# Source: PII_PATTERNS in sanitize.py, proxy() in proxy.py (client.request, then Response); its README, "How it works"; Discord's
# reference, "Snowflakes". Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "nexus-shield-cli==0.1.0" "fastapi==0.165.0" "starlette==1.10.0" "uvicorn==0.54.0" "httpx==0.28.1"
cd "$folder"
"$folder/venv/bin/python" - <<'PY'
import json
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
    """An endpoint of OpenAI's kind: notes what reaches it, and streams two words, two seconds apart."""

    def do_POST(self):
        seen.append(json.loads(self.rfile.read(int(self.headers["content-length"])))["messages"][0]["content"])
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for word in ("Hello ", "Kim."):
            chunk = {"choices": [{"index": 0, "delta": {"content": word}, "finish_reason": None}]}
            self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
            self.wfile.flush()
            time.sleep(2)
        self.wfile.write(b"data: [DONE]\n\n")

    def log_message(self, *words):
        pass


model = ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=model.serve_forever, daemon=True).start()
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
command = [str(Path(sys.executable).with_name("nexus-shield")), "proxy", "--port", str(port)]
command += ["--target", f"http://127.0.0.1:{model.server_port}/v1"]
server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def say(words):
    """Return what the model read, and how many seconds the first word of its answer took."""
    body = {"model": "m", "stream": True, "messages": [{"role": "user", "content": words}]}
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/v1/chat/completions", json.dumps(body).encode(), {"content-type": "application/json"}
    )
    start = time.monotonic()
    with urllib.request.urlopen(request, timeout=60) as answer:
        answer.readline()
        return seen[-1], time.monotonic() - start


try:
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            break
        except OSError:
            time.sleep(0.2)
    results = {}
    for words in (
        "Seat <@80351110224678912> beside <@175928847299117063>, not beside <@80351110224678912>.",
        "Ask in <#41771983423143937> about the trip (2026-11-28 - 2026-11-29).",
        "We rolled 3 6 1 4 2 2 5 6 1 1 3 5 2 4 6 6 1 3 2 5 at the table.",
    ):
        results[words], first = say(words)
        print(f"{words}\n  -> {results[words]}")
finally:
    server.terminate()
    server.wait()
print(f"the first of two words, sent at once, came after {first:.0f} s")
card = "[CREDIT_CARD_REDACTED]"
assert list(results.values()) == [
    f"Seat <@{card}> beside <@{card}>, not beside <@{card}>.",
    f"Ask in <#{card}> about the trip ({card}).",
    f"We rolled {card} at the table.",
]
assert first > 3
print("an id is a credit card")
PY
