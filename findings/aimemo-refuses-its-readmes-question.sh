#!/bin/sh
# aimemo 1.1.1 with openai 3.52.0 (PyPI, CPython 3.11), which patches the client so that "memory is automatic". The last
# message goes to FTS5 as it is, and a question mark, an apostrophe, a comma or a full stop is no query to it: the call
# of the client itself raises sqlite3.OperationalError, and the model is not asked. Both calls of the README's quick
# start end so, the first by its "I'm", the second by its question mark. Without these signs they reach the model, but
# nothing is remembered: FTS5 looks for all words of the question. What does find the project is "FastAPI project".
# Source: the README's quick start ("The model remembers your FastAPI project!"); search in aimemo/storage.py and
# OpenAIProvider in aimemo/providers.py of the wheel. The model is played on 127.0.0.1. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "aimemo==1.1.1" "openai==3.52.0"
cd "$folder"
venv/bin/python -W ignore - <<'PY' | tee seen
import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

from aimemo import AIMemo
from openai import OpenAI

asked = []


class Model(BaseHTTPRequestHandler):
    """A model that answers "Fine", and keeps what it is asked."""

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked.append(request["messages"])
        message = {"role": "assistant", "content": "Fine"}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        body = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
        data = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        """Log nothing."""


server = HTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=server.serve_forever, daemon=True).start()
memory = AIMemo()
memory.enable()
client = OpenAI(base_url=f"http://127.0.0.1:{server.server_port}/v1", api_key="none")
for text in (
    "I'm building a FastAPI project",
    "I am building a FastAPI project",
    "How do I add authentication?",
    "How do I add authentication",
    "Anna, are you there",
    "FastAPI project",
):
    asked.clear()
    try:
        client.chat.completions.create(model="m", messages=[{"role": "user", "content": text}])
    except Exception as error:
        print(f"{text}: {type(error).__name__}, {error}, the model was asked {len(asked)} times")
    else:
        print(f"{text}: asked {'with' if len(asked[0]) > 1 else 'without'} a memory")
PY
cat >expected <<'TEXT'
I'm building a FastAPI project: OperationalError, fts5: syntax error near "'", the model was asked 0 times
I am building a FastAPI project: asked without a memory
How do I add authentication?: OperationalError, fts5: syntax error near "?", the model was asked 0 times
How do I add authentication: asked without a memory
Anna, are you there: OperationalError, fts5: syntax error near ",", the model was asked 0 times
FastAPI project: asked with a memory
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
