#!/bin/sh
# lm-proxy 3.3.2 (PyPI, CPython 3.11), a gateway in front of endpoints of OpenAI's kind, with an endpoint of that kind
# behind it. Of a stream it hands on the text alone: a tool call is gone, and the answer ends empty with finish_reason
# "stop", as if the model had nothing to say. An answer that was cut off at max_tokens ends with "stop" too, and
# stream_options brings no usage; unstreamed answers keep calls and reason, but have no usage either. tool_choice "auto",
# "none" and "required" are 422 "Input should be a valid dictionary", though OpenAI's own form for these is a string.
# Source: process_stream in lm_proxy/core.py and ChatCompletionRequest in lm_proxy/base_types.py of the wheel;
# Nayjest/lm-proxy issue 90 (open) about the calls. The README names "full streaming support" and a drop-in replacement.
# Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "lm-proxy==3.3.2" "ai-microcore==6.9.0" "openai==2.54.0" "fastapi==0.165.0"
cd "$folder"
python3 - <<'PY'
import json
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CALL = {"index": 0, "id": "c1", "type": "function", "function": {"name": "clock", "arguments": "{}"}}
USAGE = {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}
TOOL = {"type": "function", "function": {"name": "clock", "parameters": {"type": "object", "properties": {}}}}


class Model(BaseHTTPRequestHandler):
    """Calls the tool if one is offered; else its answer is cut off at the limit."""

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        message = {"role": "assistant", "content": None, "tool_calls": [CALL]}
        reason = "tool_calls"
        if not request.get("tools"):
            message, reason = {"role": "assistant", "content": "Once upon"}, "length"
        body = {"id": "a", "created": 0, "model": "m"}
        if request.get("stream"):
            parts = [
                {"choices": [{"index": 0, "delta": message, "finish_reason": None}]},
                {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]},
                {"choices": [], "usage": USAGE},
            ]
            chunks = [json.dumps(body | {"object": "chat.completion.chunk"} | part) for part in parts]
            kind, text = "text/event-stream", "".join(f"data: {chunk}\n\n" for chunk in [*chunks, "[DONE]"])
        else:
            choice = {"index": 0, "message": message, "finish_reason": reason}
            whole = body | {"object": "chat.completion", "choices": [choice], "usage": USAGE}
            kind, text = "application/json", json.dumps(whole)
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


def answer(**more):
    """Return what the gateway answers: text, names of calls, reason and usage; or the status."""
    body = {"model": "m", "messages": [{"role": "user", "content": "Hi"}]} | more
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/v1/chat/completions",
        json.dumps(body).encode(),
        {"Content-Type": "application/json", "Authorization": "Bearer member"},
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            text = response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())["detail"][0]["msg"]
    if not more.get("stream"):
        pieces = [json.loads(text)]
    else:
        lines = [line[6:] for line in text.splitlines() if line.startswith("data: ")]
        pieces = [json.loads(line) for line in lines if line != "[DONE]"]
    words, calls, reason, usage = "", [], None, None
    for piece in pieces:
        usage = piece.get("usage") or usage
        for choice in piece["choices"]:
            part = choice.get("delta") or choice.get("message") or {}
            words += part.get("content") or ""
            calls += [call["function"]["name"] for call in part.get("tool_calls") or ()]
            reason = choice.get("finish_reason") or reason
    return words, calls, reason, usage


model = ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=model.serve_forever, daemon=True).start()
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
with open("config.toml", "w") as file:
    file.write(f"""
host = "127.0.0.1"
port = {port}
[connections.here]
api_type = "open_ai"
api_base = "http://127.0.0.1:{model.server_port}/v1/"
api_key = "none"
[routing]
"*" = "here.*"
[groups.default]
api_keys = ["member"]
""")
with open("log", "w") as log:
    gateway = subprocess.Popen(["venv/bin/lm-proxy", "--config", "config.toml"], stdout=log, stderr=log)
try:
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    stream = {"stream": True, "stream_options": {"include_usage": True}}
    seen = {
        "a call": answer(tools=[TOOL]),
        "a call, streamed": answer(tools=[TOOL], **stream),
        "cut off": answer(),
        "cut off, streamed": answer(**stream),
        'tool_choice "auto"': answer(tools=[TOOL], tool_choice="auto"),
    }
finally:
    gateway.terminate()
    gateway.wait()
for name, what in seen.items():
    print(f"{name}:", *map(repr, what))
expected = {
    "a call": ("", ["clock"], "tool_calls", None),
    "a call, streamed": ("", [], "stop", None),
    "cut off": ("Once upon", [], "length", None),
    "cut off, streamed": ("Once upon", [], "stop", None),
    'tool_choice "auto"': (422, "Input should be a valid dictionary"),
}
if seen != expected:
    raise SystemExit("the behaviour has changed")
PY
