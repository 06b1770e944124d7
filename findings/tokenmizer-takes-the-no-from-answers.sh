#!/bin/sh
# tokenmizer 0.6.1 with openai 3.57.0 (PyPI, CPython 3.11), an "OpenAI-compatible proxy that remembers decisions", as
# installed. What opens an answer is cut off as filler: "Absolutely not. The cellar is wet." arrives as "not. The cellar is
# wet.", "Certainly not in May." as "not in May.". Whole sentences go: "I understand that you're allergic to nuts." and "I'd
# be happy to help Anna move on Saturday.", after which nobody has promised anything. The same answer as a stream is left as
# it is. Before the system prompt of every bot stands "Respond like a senior engineer: ...", a picture is dropped without a
# word, and a stream that reached its limit, or broke off above the proxy, ends with "stop".
# Source: _OPENING_FILLERS in tokenmizer/compression/output_trimmer.py of the wheel, whose docstring says "removes ONLY
# structural filler - never content", and its test for content, which counts digits, paths and code. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "tokenmizer==0.6.1" "openai==3.57.0"
cd "$folder"
HOME="$folder" "$folder/venv/bin/python" - <<'PY'
import json
import os
import socket
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from openai import OpenAI

requests = []


class Model(BaseHTTPRequestHandler):
    """Answers with what it is asked for after the colon; "cut" reaches the limit, "break" breaks off."""

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        requests.append(request)
        asked = request["messages"][-1]["content"]
        words = asked.split(": ", 1)[-1]
        shared = {"id": "1", "created": 0, "model": "m"}
        reason = "length" if "cut" in asked else "stop"
        if request.get("stream"):
            chunk = {**shared, "object": "chat.completion.chunk"}
            parts = [{"index": 0, "delta": {"role": "assistant", "content": words}, "finish_reason": None}]
            parts += [{"index": 0, "delta": {}, "finish_reason": reason}]
            lines = [json.dumps({**chunk, "choices": [part]}) for part in parts]
            lines = lines[:1] if "break" in asked else [*lines, "[DONE]"]
            self.send("".join(f"data: {line}\n\n" for line in lines), "text/event-stream")
            return
        choice = {"index": 0, "message": {"role": "assistant", "content": words}, "finish_reason": reason}
        usage = {"prompt_tokens": 5, "completion_tokens": 5, "total_tokens": 10}
        self.send(json.dumps({**shared, "object": "chat.completion", "choices": [choice], "usage": usage}))

    def send(self, text, kind="application/json"):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


model = ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=model.serve_forever, daemon=True).start()
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
variables = {
    "OPENAI_BASE_URL": f"http://127.0.0.1:{model.server_port}/v1",
    "TOKENMIZER_OPENAI_API_KEY": "none",
    "TOKENMIZER_PROVIDER": "openai",
    "TOKENMIZER_DEFAULT_MODEL": "m",
}
proxy = subprocess.Popen(
    [str(Path(sys.executable).with_name("tokenmizer")), "serve", "--port", str(port)],
    stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL,
    env={**os.environ, **variables},
)
client = OpenAI(base_url=f"http://127.0.0.1:{port}/v1", api_key="none", max_retries=0, timeout=60)


def ask(content, **more):
    messages = [{"role": "system", "content": "You are Kim, a pirate."}, {"role": "user", "content": content}]
    return client.chat.completions.create(model="m", messages=messages, max_tokens=50, **more)


said = {
    "Absolutely not. The cellar is wet.": "not. The cellar is wet.",
    "Certainly not in May.": "not in May.",
    "Of course Anna said no.": "Anna said no.",
    "I understand that you're allergic to nuts. The cake has some.": "The cake has some.",
    "I'd be happy to help Anna move on Saturday. Bert brings the van.": "Bert brings the van.",
}
try:
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            break
        except OSError:
            time.sleep(0.2)
    heard = {words: ask(f"Say: {words}").choices[0].message.content for words in said}
    for words, arrived in heard.items():
        print(f"{words!r} arrives as {arrived!r}")
    streams = {}
    for command in ("Say", "cut", "break"):
        choices = [chunk.choices[0] for chunk in ask(f"{command}: Certainly not in May.", stream=True) if chunk.choices]
        words = "".join(choice.delta.content or "" for choice in choices)
        streams[command] = (words, [choice.finish_reason for choice in choices if choice.finish_reason])
    print("the second as a stream, as one that reaches the limit, and one that breaks off:", *streams.values())
    system = requests[-1]["messages"][0]["content"]
    print("the system prompt:", repr(f"{system[:33]}...{system[-25:]}"))
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
    ask([{"type": "text", "text": "Say: a boat"}, picture])
    shown = requests[-1]["messages"][-1]["content"]
    print("of words and a picture the model gets:", repr(shown))
finally:
    proxy.terminate()
    proxy.wait()
assert heard == said
assert all(stream == ("Certainly not in May.", ["stop"]) for stream in streams.values())
assert system.startswith("Respond like a senior engineer") and system.endswith("You are Kim, a pirate.")
assert shown == "Say: a boat"
print("the no of an answer is filler")
PY
