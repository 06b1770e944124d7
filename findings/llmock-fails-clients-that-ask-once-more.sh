#!/bin/sh
# llmock 0.2.2 (PyPI, CPython 3.11), a model server of OpenAI's kind that breaks on purpose and then judges the client: "find out
# whether it recovered, or only looked like it did". A client that throws a cut stream away and asks for the whole answer
# without "stream" gets it, and gets FAIL truncated_stream_accepted, "used a stream that ended without a finish reason"; after
# a lost connection WARN gave_up, "did not retry a retryable failure", with the answer in hand. So does one that asks
# another model, which is what routers do. Only who sends the same bytes again passes. Attempts belong together by the body
# of the request alone, and nothing in the verdict says that another request followed and was answered.
# Source: README, "The verdict" ("Attempts of one call are grouped by their request body"). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "llmock==0.2.2"
cd "$folder"
python3 - <<'PY'
import http.client
import json
import socket
import subprocess
import time
import urllib.request

with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
with open("log", "w") as log:
    server = subprocess.Popen(["venv/bin/llmock", "serve", "--port", str(port)], stdout=log, stderr=log)


def send(path, body=None):
    """Return what the server answers, as far as it comes."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as response:
        try:
            return response.read().decode()
        except http.client.IncompleteRead as error:
            return error.partial.decode()


def chat(words="Tell me of cats.", model="gpt-4o", **more):
    return send("/v1/chat/completions", {"model": model, "messages": [{"role": "user", "content": words}], **more})


def verdict(kind, again):
    """Return what is said of a client whose stream breaks and who asks again in some way."""
    send("/_llmock/reset", {})
    send("/_llmock/scenario", {"behaviors": [{"type": "stream_fault", "kind": kind, "after_chunks": 3}]})
    assert '"finish_reason":"stop"' not in chat(stream=True).replace(" ", "")
    time.sleep(1)
    assert '"finish_reason":"stop"' in again().replace(" ", "")
    return [(found["severity"], found["code"]) for found in json.loads(send("/_llmock/verdict"))["findings"]]


ways = {
    "the same stream": lambda: chat(stream=True),
    "the whole answer": chat,
    "another model's stream": lambda: chat(model="gpt-4o-mini", stream=True),
}
try:
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.2)
    seen = {(kind, name): verdict(kind, again) for kind in ("truncate", "disconnect") for name, again in ways.items()}
finally:
    server.terminate()
    server.wait()
for (kind, name), findings in seen.items():
    print(f"{kind}; asked again for {name}, and answered: {findings or 'passed'}")
for kind, found in (("truncate", [("error", "truncated_stream_accepted")]), ("disconnect", [("warning", "gave_up")])):
    assert [seen[kind, name] for name in ways] == [[], found, found], "the behaviour has changed"
PY
