#!/bin/sh
# ctxkeeper 1.2.0 (PyPI, CPython 3.11), a proxy of OpenAI's kind that keeps notes and an archive of long conversations and gives the
# model a tool "recall". A caller with a tool of that name, as bots with a memory have, never gets its calls: the model is
# offered two tools named "recall", and each call of either is answered by the proxy, from its archive, also when nothing
# was archived yet. So the bot's own memory is never asked, and the model hears that there is nothing. Beside a call of
# another tool of the caller's, the call of "recall" is taken out without an answer. A refusal (content null, text in
# "refusal") counts as an empty answer: it is asked for again with "chat_template_kwargs", and the 400 of an endpoint that
# does not know that takes the refusal's place.
# Source: its README, "any OpenAI-compatible server", and "you may call it in addition to any other tool", which the model
# is told; OpenAI's reference, "refusal". Without --recipe the same. An endpoint on this machine stands for the model. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "ctxkeeper==1.2.0"
cd "$folder"
python3 - <<'PY'
import json
import os
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SEEN = []


def tool(name):
    schema = {"type": "object", "properties": {"query": {"type": "string"}}}
    return {"type": "function", "function": {"name": name, "parameters": schema}}


def call(name):
    return {"id": f"call_{name}", "type": "function", "function": {"name": name, "arguments": '{"query": "cat"}'}}


class Model(BaseHTTPRequestHandler):
    """Calls the tools that the question names; repeats their results; refuses; is strict like OpenAI's."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        SEEN.append(body)
        last = body["messages"][-1]
        asked = next(one["content"] for one in body["messages"] if one["role"] == "user")
        message, reason, status = {"role": "assistant", "content": None, "refusal": None}, "stop", 200
        if "chat_template_kwargs" in body:
            status = 400
        elif asked == "refuse":
            message["refusal"] = "I will not say that."
        elif last["role"] == "tool":
            message["content"] = "The tool said: " + last["content"]
        else:
            message["tool_calls"], reason = [call(name) for name in asked.split()], "tool_calls"
        choice = {"index": 0, "message": message, "finish_reason": reason}
        usage = {"prompt_tokens": 5, "completion_tokens": 5, "total_tokens": 10}
        answer = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
        if status == 400:
            answer = {"error": {"message": "Unrecognized request argument: chat_template_kwargs"}}
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *words):
        pass


model = ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=model.serve_forever, daemon=True).start()
direct = f"http://127.0.0.1:{model.server_port}"
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
with open("log", "w") as log:
    proxy = subprocess.Popen(
        ["venv/bin/ctxkeeper", "--upstream", direct, "--port", str(port), "--recipe", "agent", "--state-dir", "state"],
        stdout=log,
        stderr=log,
    )


def ask(address, words, *names):
    """Return the calls and the text that a caller with tools of these names gets, or the status."""
    body = {"model": "m", "messages": [{"role": "user", "content": words}]}
    if names:
        body["tools"] = [tool(name) for name in names]
    request = urllib.request.Request(
        f"{address}/v1/chat/completions", json.dumps(body).encode(), {"content-type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            message = json.loads(response.read())["choices"][0]["message"]
    except urllib.error.HTTPError as error:
        return error.code
    return [one["function"]["name"] for one in message.get("tool_calls") or []], message.get("content") or message.get("refusal")


try:
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    behind = f"http://127.0.0.1:{port}"
    seen = {}
    for words, names in (("recall", ["recall"]), ("clock recall", ["clock", "recall"]), ("refuse", [])):
        seen[words] = ask(direct, words, *names), ask(behind, words, *names)
    offered = [[one["function"]["name"] for one in body.get("tools", [])] for body in SEEN]
finally:
    proxy.terminate()
    proxy.wait()
for words, (without, through) in seen.items():
    print(f"{words}: the caller gets {without} - behind ctxkeeper {through}")
print("offered to the model:", offered)
assert seen["recall"][0] == (["recall"], None) and seen["recall"][1][0] == []
assert seen["recall"][1][1].startswith("The tool said: recall: ")
assert seen["clock recall"] == ((["clock", "recall"], None), (["clock"], None))
assert seen["refuse"] == (([], "I will not say that."), 400)
assert ["recall", "recall"] in offered
print("the caller's own recall is never called")
PY
