#!/bin/sh
# @portkey-ai/gateway 1.15.2 (npm, Node 20 or 22), a gateway in front of endpoints of OpenAI's kind, installed as its
# README says. An answer in one piece passes; each streamed one is 500 "Something went wrong", after the model has been
# asked and paid. A chat program that streams has no answer at all, and one that tries again pays each time.
# The gateway adds its headers to fetch's response, which is immutable; "TypeError: immutable" stands in its own log only.
# Source: Portkey-AI/gateway issues 1389 and 1550 (both open), which blame @hono/node-server after 1.14.2; with
# 1.14.2 the streams fail as well. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "@portkey-ai/gateway@1.15.2" "@hono/node-server@1.19.19"
python3 - <<'PY'
import json
import subprocess
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

asked = []


class Model(BaseHTTPRequestHandler):
    """Answers "Hello" to each question, streamed where it is asked to."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked.append(body)
        part = "delta" if body.get("stream") else "message"
        said = {"role": "assistant", "content": "Hello"}
        choice = {"index": 0, part: said, "finish_reason": "stop"}
        kind = "chat.completion.chunk" if body.get("stream") else "chat.completion"
        answer = json.dumps({"id": "1", "object": kind, "created": 0, "model": body["model"], "choices": [choice]})
        self.send_response(200)
        streamed = f"data: {answer}\n\ndata: [DONE]\n\n"
        self.send_header("Content-Type", "text/event-stream" if body.get("stream") else "application/json")
        self.end_headers()
        self.wfile.write((streamed if body.get("stream") else answer).encode())

    def log_message(self, *_):
        pass


model = ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=model.serve_forever, daemon=True).start()
with ThreadingHTTPServer(("127.0.0.1", 0), Model) as free:
    port = free.server_address[1]


def ask(stream):
    """Return the status and the body of the gateway's answer."""
    body = {"model": "small", "messages": [{"role": "user", "content": "Hi"}], "stream": stream}
    headers = {
        "Content-Type": "application/json",
        "Authorization": "Bearer key",
        "x-portkey-provider": "openai",
        "x-portkey-custom-host": f"http://127.0.0.1:{model.server_address[1]}/v1",
    }
    url = f"http://127.0.0.1:{port}/v1/chat/completions"
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


command = ["node", "node_modules/@portkey-ai/gateway/build/start-server.js", "--headless", f"--port={port}"]
gateway = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
try:
    for _ in range(120):
        try:
            whole = ask(stream=False)
            break
        except urllib.error.URLError:
            time.sleep(0.5)
    streamed = ask(stream=True)
finally:
    gateway.terminate()
print("in one piece:", whole[0], whole[1])
print("streamed:    ", streamed[0], streamed[1])
print("the model was asked", len(asked), "times")
if (whole[0], streamed[0], len(asked)) != (200, 500, 2) or "Something went wrong" not in streamed[1]:
    raise SystemExit("the behaviour has changed")
PY
