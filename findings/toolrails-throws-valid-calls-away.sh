#!/bin/sh
# toolrails 0.1.1 with starlette 1.10.0, httpx 0.28.1 and jsonschema 4.26.0 (PyPI, CPython 3.11), a proxy in front of Ollama
# that mends tool calls. If the caller names the tool, as for notes that must come as a call, the model's call is not looked
# at: it is asked once more, through Ollama's own interface, and what that says is the call. Of two valid calls the first is
# lost. If the second answer has no content, as from a model that used up its tokens thinking, the valid call becomes {},
# without an error. With tool_choice "auto" or "required" the same call passes as it is. In a stream with tools the usage
# that was asked for does not come, and neither do the model's thoughts; the tokens of the second answer are counted nowhere.
# Source: its README: "where the model already produced a valid call, it adds zero extra model calls", "The worst it can ever
# do is nothing: it will not turn a working call into an error"; _force_call() in pipeline.py. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "toolrails==0.1.1" "starlette==1.10.0" "uvicorn==0.54.0" "httpx==0.28.1" "jsonschema==4.26.0"
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

asked = []
native = {"content": ""}


class Ollama(BaseHTTPRequestHandler):
    """Ollama's two interfaces: a valid call from the first, ``native`` from the second."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        asked.append(self.path)
        function = {"name": "remember", "arguments": json.dumps({"note": "Kim is allergic to nuts"})}
        call = {"id": "call_1", "type": "function", "function": function}
        message = {"role": "assistant", "content": None, "tool_calls": [call], "reasoning": "Nuts matter."}
        answer = {
            "id": "1", "object": "chat.completion", "created": 1, "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
            "usage": {"prompt_tokens": 20, "completion_tokens": 12, "total_tokens": 32},
        }  # fmt: skip
        if self.path == "/api/chat":
            answer = {"model": body["model"], "message": {"role": "assistant", **native}, "done": True}
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *words):
        pass


ollama = ThreadingHTTPServer(("127.0.0.1", 0), Ollama)
threading.Thread(target=ollama.serve_forever, daemon=True).start()
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
upstream = f"http://127.0.0.1:{ollama.server_port}"
command = [str(Path(sys.executable).with_name("toolrails")), "--ollama", upstream, "--port", str(port)]
server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
schema = {"type": "object", "properties": {"note": {"type": "string"}}, "required": ["note"]}
TOOLS = [{"type": "function", "function": {"name": "remember", "parameters": schema}}]
NAMED = {"type": "function", "function": {"name": "remember"}}


def ask(choice, **more):
    """Return the answer's text, and which of Ollama's addresses were asked for it."""
    asked.clear()
    messages = [{"role": "user", "content": "Kim: I am allergic to nuts."}]
    body = {"model": "m", "messages": messages, "tools": TOOLS, "tool_choice": choice, **more}
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/v1/chat/completions", json.dumps(body).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.read().decode(), list(asked)


def call(choice):
    text, paths = ask(choice)
    return json.loads(json.loads(text)["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"]), paths


try:
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            break
        except OSError:
            time.sleep(0.2)
    seen = {"auto": call("auto"), "required": call("required"), "by name, second answer empty": call(NAMED)}
    native["content"] = json.dumps({"note": "Kim likes nuts"})
    seen["by name, second answer differs"] = call(NAMED)
    stream, _ = ask("auto", stream=True, stream_options={"include_usage": True})
finally:
    server.terminate()
    server.wait()
for how, (arguments, paths) in seen.items():
    print(f"{how}: {arguments} after {', '.join(paths)}")
print("a stream has usage:", "prompt_tokens" in stream, "and thoughts:", "Nuts matter." in stream)
first = {"note": "Kim is allergic to nuts"}
once, twice = ["/v1/chat/completions"], ["/v1/chat/completions", "/api/chat"]
assert seen["auto"] == seen["required"] == (first, once)
assert seen["by name, second answer empty"] == ({}, twice)
assert seen["by name, second answer differs"] == ({"note": "Kim likes nuts"}, twice)
assert "prompt_tokens" not in stream and "Nuts matter." not in stream
print("a valid call of a named tool is thrown away")
PY
