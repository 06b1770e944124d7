#!/bin/sh
# mcp-proxy 0.13.0 with mcp 1.30.0 (PyPI, CPython 3.11; not npm's package of that name), a bridge that serves a program
# over streamable HTTP. When the program has ended, the bridge lives on and does not start it again. A call is answered with
# status 200 and a result whose isError is true and whose text is empty, tools/list with an error of code 0 without a
# message. A new session is opened as before, with the program's name, version and capabilities, and /status says
# "configured". What watches the process, the port, /status or the handshake sees nothing; only a list of the tools tells.
# Source: sparfenyuk/mcp-proxy issue 247 (open); pull request 208, which started the program again, was closed. What
# the bridge answers stems from anyio's ClosedResourceError, which has no words. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "mcp-proxy==0.13.0" "mcp==1.30.0"
cat >"$folder/program.py" <<'PY'
import json
import sys

ABOUT = {"capabilities": {"tools": {}}, "serverInfo": {"name": "clock", "version": "1"}}
TOOL = {"name": "now", "inputSchema": {"type": "object", "properties": {}}}
calls = 0
for line in sys.stdin:
    request = json.loads(line)
    result = {}
    if request["method"] == "initialize":
        result = ABOUT | {"protocolVersion": request["params"]["protocolVersion"]}
    elif request["method"] == "tools/list":
        result = {"tools": [TOOL]}
    elif request["method"] == "tools/call":
        result = {"content": [{"type": "text", "text": "noon"}]}
        calls += 1
    if "id" in request and calls < 2:
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
    if calls == 2:
        break  # as a program that crashed
PY
python3 - "$folder" <<'PY'
import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
from http.server import HTTPServer, BaseHTTPRequestHandler

with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as free:
    port = free.server_address[1]
headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


def post(method, params, **more):
    """Return the result or the error of a request, and keep the session's id."""
    body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params} | more)
    url = f"http://127.0.0.1:{port}/mcp"
    with urllib.request.urlopen(urllib.request.Request(url, body.encode(), headers), timeout=60) as answer:
        if session := answer.headers.get("mcp-session-id"):
            headers["mcp-session-id"] = session
        text = answer.read().decode()
    if not more:
        return None
    message = json.loads(text)
    return message.get("result") or message["error"]


def begin():
    """Begin a session; returns what the server says about itself."""
    headers.pop("mcp-session-id", None)
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    about = post("initialize", client, id=1)
    post("notifications/initialized", {})
    return about["serverInfo"]["name"]


def call():
    """Call the tool; returns whether it failed, and its text."""
    result = post("tools/call", {"name": "now", "arguments": {}}, id=2)
    return result.get("isError", False), result["content"][0]["text"]


command = [f"{sys.argv[1]}/venv/bin/mcp-proxy", f"--port={port}", "--host=127.0.0.1", sys.executable]
proxy = subprocess.Popen([*command, f"{sys.argv[1]}/program.py"], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
try:
    for attempt in range(240):
        try:
            begin()
            break
        except urllib.error.URLError:
            if attempt == 239:
                raise
            time.sleep(0.5)
    alive, last, after = call(), call(), call()
    listed, about, listed_again = post("tools/list", {}, id=3), begin(), post("tools/list", {}, id=3)
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/status", timeout=60) as answer:
        status = json.load(answer)["server_instances"]["default"]
    is_running = proxy.poll() is None
finally:
    proxy.terminate()
    proxy.wait()
print("a call, the one during which the program ends, and one later:", alive, last, after)
print("the list of tools:", listed, "and in a new session of", about + ":", listed_again)
print("the bridge runs:", is_running, "and says:", status)
nothing = {"code": 0, "message": ""}
seen = (alive, after, listed, about, listed_again, status, is_running)
if seen != ((False, "noon"), (True, ""), nothing, "clock", nothing, "configured", True) or not last[0]:
    raise SystemExit("the behaviour has changed")
PY
