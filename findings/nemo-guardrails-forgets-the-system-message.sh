#!/bin/sh
# nemoguardrails 0.24.1 (PyPI, CPython 3.11), NVIDIA's guardrails as a server of OpenAI's kind, with one model and no rails. The
# system message of a request never reaches the model: the server writes a prompt of its own into one user message ("Below
# is a conversation between a helpful AI assistant and a user ..."), with the turns of user and assistant as lines. So a bot's
# character, its rules and what it remembers of the person are gone; a fluent answer comes back with
# 200. A stream has no finish_reason; without one, an answer that was cut off at max_tokens ends with "stop". With
# "passthrough: true" in the configuration the messages go on as they are.
# Source: docs.nvidia.com/nemo/guardrails, "Create Chat Completion": "compatible with the OpenAI Chat Completions API"; the
# server's own schema takes the role "system" (server/schemas/openai.py). OpenAI's reference, "The chat completion chunk object".
# An endpoint on this machine stands for the model. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "nemoguardrails[server]==0.24.1" "openai==2.54.0"
cd "$folder"
"$folder/venv/bin/python" - <<'PY'
import json
import os
import socket
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from openai import OpenAI

SEEN = []


class Model(BaseHTTPRequestHandler):
    """A model whose answer is cut off at max_tokens; it keeps what it was sent."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        SEEN.append(body["messages"])
        answer = {"id": "1", "created": 1, "model": "m", "object": "chat.completion"}
        message = {"role": "assistant", "content": "Once upon"}
        if body.get("stream"):
            chunk = {**answer, "object": "chat.completion.chunk"}
            parts = [
                {**chunk, "choices": [{"index": 0, "delta": message, "finish_reason": None}]},
                {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": "length"}]},
            ]
            data = "".join(f"data: {json.dumps(part)}\n\n" for part in parts) + "data: [DONE]\n\n"
        else:
            usage = {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11}
            choice = {"index": 0, "message": message, "finish_reason": "length"}
            data = json.dumps({**answer, "choices": [choice], "usage": usage})
        self.send_response(200)
        self.send_header("content-type", "text/event-stream" if body.get("stream") else "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data.encode())

    def log_message(self, *words):
        pass


model = ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=model.serve_forever, daemon=True).start()
config = f"""
models:
  - type: main
    engine: openai
    model: m
    parameters:
      base_url: http://127.0.0.1:{model.server_port}/v1
      api_key: none
"""
for name, more in (("plain", ""), ("whole", "passthrough: true\n")):
    Path("configs", name).mkdir(parents=True)
    Path("configs", name, "config.yml").write_text(config + more)
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
with open("log", "w") as log:
    server = subprocess.Popen(
        ["venv/bin/nemoguardrails", "server", "--config", "configs", "--port", str(port), "--disable-chat-ui"],
        env={**os.environ, "OPENAI_API_KEY": "none", "HOME": os.getcwd()},
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
    )
client = OpenAI(base_url=f"http://127.0.0.1:{port}/v1", api_key="none", max_retries=0)
messages = [
    {"role": "system", "content": "You are Kith. Her cat is called Momo."},
    {"role": "user", "content": "What is my cat called?"},
]


def ask(config_id, **more):
    """Return what a configuration answers."""
    body = {"guardrails": {"config_id": config_id}}
    return client.chat.completions.create(model="m", messages=messages, extra_body=body, **more)


try:
    for _ in range(300):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.2)
    one = ask("plain")
    reasons = [choice.finish_reason for chunk in ask("plain", stream=True) for choice in chunk.choices]
    ask("whole")
finally:
    server.terminate()
    server.wait()
(sent,), _, passed = SEEN
print("asked with a system message and a question; the model is sent one message, of the role", sent["role"])
print("   ", sent["content"].replace("\n", " "))
print("with passthrough:", [(message["role"], message["content"]) for message in passed])
print("cut off, in one piece:", one.choices[0].finish_reason, "usage:", one.usage, "- streamed:", set(reasons))
assert sent["role"] == "user" and "Momo" not in sent["content"] and "Kith" not in sent["content"]
assert sent["content"].endswith("User: What is my cat called?\nAssistant:")
assert passed == messages
assert (one.choices[0].finish_reason, one.usage, set(reasons)) == ("stop", None, {None})
print("what the system message said is gone without a word")
PY
