#!/bin/sh
# llm-katan 0.22.0 with uvicorn 0.54.0 and fastapi 0.165.0 (PyPI, CPython 3.11), a stand-in for the endpoints of OpenAI and
# others in tests, with its "echo" backend. Whoever sends tools gets a call of the first one: also with tool_choice "none",
# with another tool chosen by name, and after the result of that very call, so that an agent under test never ends, or ends at
# its own limit. The arguments are made from the schema's types alone: a number under its "minimum", a list shorter than its
# "minItems", "test_day" for a date. A request for a stream is answered in one piece of JSON, which OpenAI's client reads as a
# stream without a chunk. max_tokens is echoed and does nothing: the answer goes on and ends with "stop".
# Source: its README, "returns a tool call response using the first tool", which names none of these; OpenAI's API reference:
# "none means the model will not call any tool". Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "llm-katan==0.22.0" "uvicorn==0.54.0" "fastapi==0.165.0" "openai==3.57.0"
cd "$folder"
HOME="$folder" "$folder/venv/bin/python" - <<'PY'
import json
import socket
import subprocess
import sys
import time
from pathlib import Path

from openai import OpenAI


def tool(name, **properties):
    """Return a tool whose arguments are all required."""
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return {"type": "function", "function": {"name": name, "description": "-", "parameters": schema}}


TOOLS = [
    tool(
        "remember",
        stars={"type": "integer", "minimum": 5},
        tags={"type": "array", "items": {"type": "string"}, "minItems": 1},
        day={"type": "string", "format": "date"},
    ),
    tool("look_up", words={"type": "string"}),
]
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
arguments = ["--model", "m", "--backend", "echo", "--providers", "openai", "--host", "127.0.0.1", "--port", str(port)]
server = subprocess.Popen(
    [str(Path(sys.executable).with_name("llm-katan")), *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
)
client = OpenAI(base_url=f"http://127.0.0.1:{port}/v1", api_key="none", max_retries=0)
hello = {"role": "user", "content": "Hello"}


def ask(*messages, **more):
    return client.chat.completions.create(model="m", messages=[hello, *messages], **more)


def called(answer):
    return [call.function.name for call in answer.choices[0].message.tool_calls or []]


try:
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            break
        except OSError:
            time.sleep(0.2)
    first = ask(tools=TOOLS)
    call = first.choices[0].message.tool_calls[0]
    made = json.loads(call.function.arguments)
    named = {"type": "function", "function": {"name": "look_up"}}
    result = {"role": "tool", "tool_call_id": call.id, "content": "Done."}
    calls = {
        "auto": called(first),
        "none": called(ask(tools=TOOLS, tool_choice="none")),
        "look_up by name": called(ask(tools=TOOLS, tool_choice=named)),
        "after the result": called(ask(first.choices[0].message.model_dump(exclude_none=True), result, tools=TOOLS)),
    }
    for choice, names in calls.items():
        print(f"{choice}: {names}")
    print("its arguments:", made)
    chunks = list(ask(tools=TOOLS, stream=True))
    print("chunks of a stream:", chunks)
    short = ask(max_tokens=2).choices[0]
    print("with two tokens:", len(short.message.content.split()), "words, ends with", short.finish_reason)
finally:
    server.terminate()
    server.wait()
assert all(names == ["remember"] for names in calls.values())
assert made == {"stars": 1, "tags": [], "day": "test_day"}
assert chunks == []
assert len(short.message.content.split()) > 5 and short.finish_reason == "stop"
print("the first tool is called whatever was chosen")
PY
