#!/bin/sh
# @dwmkerr/mock-llm 0.1.29 (npm, Node 20), a stand-in for endpoints of OpenAI's kind in tests of chat programs. A rule that
# answers with 429 or 401 does so for a request without "stream"; with it the status is 200 and the error is the only
# part of the stream, after which no [DONE] comes. OpenAI refuses a stream with the error's own status, before its first
# part, so retries, pauses and "wrong key" of a client that streams are never met in its tests. A rule with a tool call,
# as the README shows for agents, is 500 "TypeError" as a stream if its content is null; if the content is text, the stream
# has the text, ends with "stop" instead of "tool_calls", and has no call; "length" is "stop" too, and no usage comes. The
# standard rule, which sends the question back, is 500 "SyntaxError" for a question with a quotation mark or a second line.
# Source: dist/streaming.js of the package (status 200 for errors, createChunks); the README's chapters Streaming
# Configuration ("error responses are sent as per the OpenAI Streaming Specification"), Sequential Responses and
# Quickstart. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "@dwmkerr/mock-llm@0.1.29"
python3 - <<'PY'
import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request

CALL = {"id": "c1", "type": "function", "function": {"name": "clock", "arguments": "{}"}}


def rule(message, reason):
    """Return a file of settings whose one rule answers with this message."""
    choice = {"index": 0, "message": {"role": "assistant"} | message, "finish_reason": reason}
    usage = {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}
    body = {"id": "a", "object": "chat.completion", "created": 0, "model": "m"}
    return settings(200, body | {"choices": [choice], "usage": usage})


def settings(status, body):
    response = {"status": status, "content": json.dumps(body)}
    one = {"path": "/v1/chat/completions", "match": "@", "response": response}
    return {"streaming": {"chunkSize": 50, "chunkIntervalMs": 1}, "rules": [one]}


def asked(config, words="Hi", *, stream):
    """Return the status, the texts, calls and reasons of all parts, and whether [DONE] came."""
    if config is not None:
        send("/config", config)
    body = {"model": "m", "messages": [{"role": "user", "content": words}]}
    if stream:
        body |= {"stream": True, "stream_options": {"include_usage": True}}
    status, text = send("/v1/chat/completions", body)
    lines = [line[6:] for line in text.splitlines() if line.startswith("data: ")] or [text]
    seen = [status]
    for piece in (json.loads(line) for line in lines if line != "[DONE]"):
        if "error" in piece:
            error = piece["error"]
            seen.append(error if isinstance(error, str) else error["message"])
            continue
        for choice in piece["choices"]:
            part = choice.get("delta") or choice["message"]
            names = [call["function"]["name"] for call in part.get("tool_calls", ())]
            seen += [part.get("content"), names, choice["finish_reason"]]
        seen.append("usage" if piece.get("usage") else "no usage")
    return [*seen, "[DONE]"] if "[DONE]" in lines else seen


def send(path, body):
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}",
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
environment = os.environ | {"PORT": str(port), "HOST": "127.0.0.1"}
with open("log", "w") as log:
    mock = subprocess.Popen(["node_modules/.bin/mock-llm"], env=environment, stdout=log, stderr=log)
try:
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    seen = {
        "the standard rule, one line": asked(None, "Hi", stream=False),
        "with a quotation mark": asked(None, 'I said "hi"', stream=False)[:2],
        "with two lines": asked(None, "Hi\nthere", stream=False)[:2],
    }
    answers = {
        "429": settings(429, {"error": {"message": "Slow down", "type": "rate_limit"}}),
        "a call": rule({"content": None, "tool_calls": [CALL]}, "tool_calls"),
        "a call with words": rule({"content": "One moment.", "tool_calls": [CALL]}, "tool_calls"),
        "cut off": rule({"content": "Once upon"}, "length"),
    }
    for name, config in answers.items():
        seen[name] = asked(config, stream=False)
        seen[f"{name}, streamed"] = asked(config, stream=True)
finally:
    mock.terminate()
    mock.wait()
for name, what in seen.items():
    print(f"{name}: {what}")
expected = {
    "the standard rule, one line": [200, "Hi", [], "stop", "no usage"],
    "with a quotation mark": [500, "SyntaxError"],
    "with two lines": [500, "SyntaxError"],
    "429": [429, "Slow down"],
    "429, streamed": [200, "Slow down"],
    "a call": [200, None, ["clock"], "tool_calls", "usage"],
    "a call, streamed": [500, "TypeError"],
    "a call with words": [200, "One moment.", ["clock"], "tool_calls", "usage"],
    "a call with words, streamed": [200, "One moment.", [], "stop", "no usage", "[DONE]"],
    "cut off": [200, "Once upon", [], "length", "usage"],
    "cut off, streamed": [200, "Once upon", [], "stop", "no usage", "[DONE]"],
}
if seen != expected:
    raise SystemExit("the behaviour has changed")
PY
