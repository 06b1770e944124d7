#!/bin/sh
# mockllm 0.0.8 with openai 3.57.0 (PyPI, CPython 3.11), a server that answers like a model's, by a table of questions and
# answers. A streamed answer is looked up twice: what the table says to the question is taken for a question again. So a question
# that it knows gets the answer for unknown ones when it is streamed, and where the answer stands in the table as a question too,
# the answer to that: asked "Hi", it says "Fine.", which belongs to "How are you?". Each chunk of one stream has another id. A
# message whose text stands in parts, as clients that can send pictures do, is answered with status 500.
# Source: its README, "Deterministic Responses", "Streaming Support", "OpenAI Compatible - Full support for Chat Completions API";
# get_streaming_response_with_lag in mockllm/config.py, generate_stream_response in mockllm/providers. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'kill $(cat "$folder/pid" 2>/dev/null) 2>/dev/null || true; rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "mockllm==0.0.8" "openai==3.57.0"
cd "$folder"
cat >responses.yml <<'TEXT'
responses:
  "Hi": "How are you?"
  "How are you?": "Fine."
  "What does Ada drink?": "Tea."
defaults:
  unknown_response: "I don't know."
TEXT
port=$(venv/bin/python -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat >serve.py <<'PY'
import os
import sys

import uvicorn

os.environ["MOCKLLM_RESPONSES_FILE"] = "responses.yml"
from mockllm.server import app

uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="error")
PY
venv/bin/python serve.py "$port" >log 2>&1 &
echo $! >pid
cat >client.py <<'PY'
import sys
import time
import urllib.request

from openai import APIStatusError, OpenAI

address = f"http://127.0.0.1:{sys.argv[1]}"
for _ in range(150):
    try:
        urllib.request.urlopen(f"{address}/openapi.json").read()
        break
    except OSError:
        time.sleep(0.2)
client = OpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0)


def ask(content, **options):
    """Return the answer to one message."""
    messages = [{"role": "user", "content": content}]
    return client.chat.completions.create(model="gpt-4o", messages=messages, **options)


for question in ("What does Ada drink?", "Hi"):
    print(f"{question} {ask(question).choices[0].message.content}")
    chunks = list(ask(question, stream=True))
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
    print(f"{question} streamed: {text} ({len({chunk.id for chunk in chunks})} ids in {len(chunks)} chunks)")
try:
    ask([{"type": "text", "text": "What does Ada drink?"}])
except APIStatusError as error:
    print("in parts: status", error.status_code)
PY
venv/bin/python client.py "$port" >seen
cat seen
cat >expected <<'TEXT'
What does Ada drink? Tea.
What does Ada drink? streamed: I don't know. (15 ids in 15 chunks)
Hi How are you?
Hi streamed: Fine. (7 ids in 7 chunks)
in parts: status 500
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
