#!/bin/sh
# llms-py 4.0.26 (PyPI, CPython 3.11), "OpenAI-compatible server for querying multiple LLM providers", in front of an
# endpoint of OpenAI's kind, with a model that may call tools. A call of the caller's own tool never reaches the
# caller: the server looks for the tool among its own, tells the model "Error: Tool 'remember' not found", asks again, up
# to ten times, and hands back only what the model says then. So a bot that notes something by a tool notes nothing, and the
# model may say that it did. Only for a model that is listed without "tool_call" is the call handed back.
# Tools of the server's own are added to each request, also to one that has none. A stream is answered in one piece, of
# which OpenAI's client makes an empty stream, and what the endpoint refuses with 429 or 400 is 500.
# Source: the loop after "Check for tool_calls in the response" and chat_handler in llms/main.py of the wheel. OpenAI's
# guide to function calling: the application executes the call and sends its output back. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "llms-py==4.0.26" "aiohttp==3.14.5" "openai==2.54.0"
cd "$folder"
HOME="$folder" "$folder/venv/bin/python" - <<'PY'
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path

from openai import APIStatusError, OpenAI

CALL = {"id": "c1", "type": "function", "function": {"name": "remember", "arguments": '{"text": "tea"}'}}
TOOL = {
    "type": "function",
    "function": {
        "name": "remember",
        "description": "Note something.",
        "parameters": {"type": "object", "properties": {"text": {"type": "string"}}},
    },
}
requests = []


class Model(BaseHTTPRequestHandler):
    """Calls the tool where "remember" is asked for; else, and after its result, it says that it is done."""

    def do_GET(self):
        self.answer({"object": "list", "data": [{"id": "m", "object": "model"}]})

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        requests.append(request)
        last = request["messages"][-1]
        if "busy" in json.dumps(last):
            self.answer({"error": {"message": "Rate limit reached", "code": "rate_limit_exceeded"}}, 429)
            return
        wants_call = last["role"] == "user" and "remember" in json.dumps(last)
        message = {"role": "assistant", "content": None if wants_call else "Noted."}
        message |= {"tool_calls": [{"index": 0, **CALL}]} if wants_call else {}
        reason = "tool_calls" if wants_call else "stop"
        body = {"id": "a", "created": 0, "model": "m"}
        if "free" not in json.dumps(last):
            body["usage"] = {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}
        if not request.get("stream"):
            choice = {"index": 0, "message": message, "finish_reason": reason}
            self.answer({**body, "object": "chat.completion", "choices": [choice]})
            return
        chunk = {**body, "object": "chat.completion.chunk"}
        choices = [{"index": 0, "delta": message, "finish_reason": None}], [
            {"index": 0, "delta": {}, "finish_reason": reason}
        ]
        lines = [json.dumps({**chunk, "choices": part}) for part in choices]
        self.send("".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"]), "text/event-stream")

    def answer(self, body, status=200):
        self.send(json.dumps(body), "application/json", status)

    def send(self, text, kind, status=200):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


upstream = ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=upstream.serve_forever, daemon=True).start()
package = Path(find_spec("llms").origin).parent
home = Path(".llms")
home.mkdir()
for name in ("providers.json", "providers-extra.json"):
    shutil.copy(package / name, home / name)
config = json.loads((package / "llms.json").read_text())
shown = {"modalities": {"input": ["text"], "output": ["text"]}, "limit": {"context": 9000, "output": 900}}
config["providers"] = {
    "openai-local": {
        "enabled": True,
        "npm": "openai-local",
        "api": f"http://127.0.0.1:{upstream.server_port}/v1",
        "models": {
            "m": {"id": "m", "name": "m", "tool_call": True, **shown},
            "plain": {"id": "plain", "name": "plain", **shown},
        },
    }
}
Path("llms.json").write_text(json.dumps(config))
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
arguments = ["--config", "llms.json", "--providers", str(home / "providers.json"), "--serve", str(port)]
server = subprocess.Popen(
    [str(Path(sys.executable).with_name("llms")), *arguments, "--nostore", "--nohistory"],
    stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL,
    env={**os.environ, "HOME": str(Path.cwd())},
)
client = OpenAI(base_url=f"http://127.0.0.1:{port}/v1", api_key="none", max_retries=0)
ask = client.chat.completions.create


def said(text):
    return [{"role": "user", "content": text}]


try:
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            break
        except OSError:
            time.sleep(0.2)
    message = ask(model="m", messages=said("Please remember tea"), tools=[TOOL]).choices[0].message
    result = requests[-1]["messages"][-1]
    print(f"the caller gets: {message.content!r}, calls: {message.tool_calls}")
    print(f"the model was told: {result['role']}, {result['content']!r}")
    assert (message.content, message.tool_calls) == ("Noted.", None)
    assert (result["role"], result["content"]) == ("tool", "Error: Tool 'remember' not found")

    message = ask(model="plain", messages=said("Please remember tea"), tools=[TOOL]).choices[0].message
    print(f"of a model without the mark: {message.tool_calls[0].function.name}")
    assert message.tool_calls[0].function.name == "remember"

    ask(model="m", messages=said("Hi"))
    own = [tool["function"]["name"] for tool in requests[-1].get("tools", [])]
    print(f"tools of its own in a request without any: {len(own)}, one is {own[3]}")
    assert len(own) > 10 and "get_current_time" in own

    chunks = list(ask(model="m", messages=said("Hi"), stream=True))
    print(f"chunks of a stream: {len(chunks)}")
    assert chunks == []

    errors = {}
    for text in ("busy", "free"):
        asked = len(requests)
        try:
            ask(model="m", messages=said(text))
        except APIStatusError as error:
            message = error.response.json()["responseStatus"]["message"]
            errors[text] = (error.status_code, message, len(requests) - asked > 1)
    print(f"429: {errors['busy']}\nno usage: {errors['free']}")
    assert errors["busy"][:2] == (500, "Rate limit reached")
    assert errors["free"] == (500, "'str' object has no attribute 'get'", True)
finally:
    server.terminate()
    server.wait()
print("the caller's tool was never called by the caller")
PY
