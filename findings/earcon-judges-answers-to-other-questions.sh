#!/bin/sh
# earcon 0.2.0 with fastapi 0.165.0 (PyPI, CPython 3.11), a memory proxy in front of endpoints of OpenAI's kind: it shows a judge
# each conversation, question by question, and puts the lessons into later prompts. An answer that needed a tool is filed
# under the first question of the conversation, and the question it answers has none: "What is the weather?" is left
# empty, and "Name a colour" is answered once more, with "It rains". So is each answer of a second conversation that
# begins like one of the last half hour ("Hi"): the two are one, and the second's other questions are not kept. A refusal of
# the endpoint, such as 429, arrives with status 200 and {"error": ...}, and for a stream as JSON, so that OpenAI's client
# raises nothing.
# Source: _sync_turns_from_history in earcon/gateway/__init__.py of the wheel, which gives up if the history has no more
# pairs than are known, and record_turn, which gets _first_user_text(messages) then; _conversation_fingerprint; the
# README: "record: every turn flows through the gateway transparently". Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "earcon==0.2.0" "fastapi==0.165.0" "uvicorn==0.54.0" "openai==2.54.0"
cd "$folder"
HOME="$folder" "$folder/venv/bin/python" - <<'PY'
import json
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from openai import OpenAI

CALL = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}
ANSWERS = {
    "Name a colour": "Blue.",
    "rain": "It rains.",
    "Hi": "Hello!",
    "What is two and two?": "Four.",
    "And three and three?": "Six.",
    "Where is Rome?": "In Italy.",
}


class Model(BaseHTTPRequestHandler):
    """Answers the last message; the weather takes a tool, and "busy" is refused."""

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        last = request["messages"][-1]["content"]
        if last == "busy":
            self.answer(429, {"error": {"message": "Rate limit reached"}})
            return
        message = {"role": "assistant", "content": ANSWERS.get(last)}
        reason = "stop"
        if last == "What is the weather?":
            message, reason = message | {"tool_calls": [CALL]}, "tool_calls"
        choice = {"index": 0, "message": message, "finish_reason": reason}
        body = {"id": "a", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
        self.answer(200, body)

    def answer(self, status, body):
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


upstream = ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=upstream.serve_forever, daemon=True).start()
model = f"http://127.0.0.1:{upstream.server_port}/v1"
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
arguments = ["serve", "--port", str(port), "--route", f"m={model}", "--judge-model", "m"]
server = subprocess.Popen(
    [str(Path(sys.executable).with_name("earcon")), *arguments, "--judge-upstream", model],
    stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL,
)
client = OpenAI(base_url=f"http://127.0.0.1:{port}/v1", api_key="none", max_retries=0)


def talk(*questions):
    """Ask one question after the other, with the whole history each time, as chat programs do."""
    history = []
    for question in questions:
        history.append({"role": "user", "content": question})
        while True:
            message = client.chat.completions.create(model="m", messages=history).choices[0].message
            history.append(message.model_dump(exclude_none=True))
            if not message.tool_calls:
                break
            history.append({"role": "tool", "tool_call_id": "c1", "content": "rain"})


def filed(title):
    """Return what is filed of the conversation that begins with a question."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/earcon/ui/sessions", timeout=30) as answer:
        sessions = json.loads(answer.read())["live"]
    turns = next(s["preview"] for s in sessions if s["preview"][0]["user"] == title)
    return [(turn["user"], turn["assistant"]) for turn in turns]


try:
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            break
        except OSError:
            time.sleep(0.2)
    talk("Name a colour", "What is the weather?")
    talk("Hi", "What is two and two?", "And three and three?")
    talk("Hi", "Where is Rome?")
    with_tool, alike = filed("Name a colour"), filed("Hi")
    refused = client.chat.completions.create(model="m", messages=[{"role": "user", "content": "busy"}])
    chunks = list(
        client.chat.completions.create(
            model="m", messages=[{"role": "user", "content": "busy"}], stream=True
        )
    )
finally:
    server.terminate()
    server.wait()
print("with a tool:", *with_tool, sep="\n  ")
print("two that begin alike:", *alike, sep="\n  ")
print(f"429: choices {refused.choices}, chunks of a stream {chunks}")
assert with_tool == [
    ("Name a colour", "Blue."),
    ("What is the weather?", ""),
    ("Name a colour", "It rains."),
]
assert alike == [
    ("Hi", "Hello!"),
    ("What is two and two?", "Four."),
    ("And three and three?", "Six."),
    ("Hi", "Hello!"),
    ("Hi", "In Italy."),
]
assert refused.choices is None and chunks == []
print("answers stand under questions that they do not answer")
PY
