#!/bin/sh
# mcp-remote 0.15.1 in front of @modelcontextprotocol/server-everything 2026.8.31 (npm, Node 20), the reference server, over
# streamable HTTP. A server that was restarted knows none of its sessions. The reference server answers their requests
# with 400, where the specification says 404. mcp-remote begins a new session after 404 only (as supergateway 4.0.0
# answers), so behind it each call fails until somebody restarts mcp-remote, which looks alive all the time.
# Source: MCP specification 2025-11-25, Transports, Session Management: a terminated session MUST be answered with 404,
# after which a client MUST start a new one; punkpeye/mcp-remote issue 106 and pull request 307 (merged), which renews after
# 404; the official Python client renews in neither case (modelcontextprotocol/python-sdk issue 1676, open).
# Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "mcp-remote@0.15.1" "@modelcontextprotocol/server-everything@2026.8.31" \
  "supergateway@4.0.0"
python3 - <<'PY'
import json
import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

BIN = f"{os.getcwd()}/node_modules/.bin"
OPENING = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "finding", "version": "1"},
}
ECHO = {"name": "echo", "arguments": {"message": "hi"}}


def start(command, port):
    """Start a server and wait until it listens."""
    program = subprocess.Popen(
        command,
        env={"PATH": os.environ["PATH"], "HOME": os.getcwd(), "PORT": str(port)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    for _ in range(300):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return program
        time.sleep(0.1)
    raise SystemExit("the server does not start")


def stop(program):
    os.killpg(program.pid, signal.SIGKILL)
    program.wait()


def post(port, message, session=None):
    """Return the status of the answer, and its session."""
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    if session:
        headers |= {"Mcp-Session-Id": session, "MCP-Protocol-Version": "2025-11-25"}
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/mcp", json.dumps({"jsonrpc": "2.0"} | message).encode(), headers
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.headers.get("Mcp-Session-Id")
    except urllib.error.HTTPError as error:
        return error.code, None


def ask(bridge, number, method, params):
    """Return the answer of a program on standard input and output."""
    print(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}), file=bridge.stdin, flush=True)
    for line in bridge.stdout:
        if line.strip() and (answer := json.loads(line)).get("id") == number:
            return answer


def outcome(command, port):
    """Return the status for an old session, and which calls succeed before and after the restart."""
    server = start(command, port)
    _, session = post(port, {"id": 1, "method": "initialize", "params": OPENING})
    bridge = subprocess.Popen(
        [f"{BIN}/mcp-remote", f"http://127.0.0.1:{port}/mcp", "--allow-http", "--transport", "http-only"],
        env={"PATH": os.environ["PATH"], "HOME": os.getcwd()},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        ask(bridge, 1, "initialize", OPENING)
        print('{"jsonrpc": "2.0", "method": "notifications/initialized"}', file=bridge.stdin, flush=True)
        calls = ["result" in ask(bridge, 2, "tools/call", ECHO)]
        stop(server)
        server = start(command, port)
        status, _ = post(port, {"id": 2, "method": "tools/call", "params": ECHO}, session)
        calls += ["result" in ask(bridge, number, "tools/call", ECHO) for number in (3, 4, 5)]
        return status, calls
    finally:
        bridge.kill()
        stop(server)


everything = f"{BIN}/mcp-server-everything"
gateway = [f"{BIN}/supergateway", "--stdio", everything, "--outputTransport", "streamableHttp", "--stateful"]
with socket.socket() as first, socket.socket() as second:
    first.bind(("127.0.0.1", 0))
    second.bind(("127.0.0.1", 0))
    ports = [first.getsockname()[1], second.getsockname()[1]]
seen = {
    "server-everything": outcome([everything, "streamableHttp"], ports[0]),
    "supergateway": outcome([*gateway, "--port", str(ports[1])], ports[1]),
}
for name, (status, calls) in seen.items():
    print(name, "answers an old session with", status, "-- calls through mcp-remote, one before and three after:", *calls)
expected = {
    "server-everything": (400, [True, False, False, False]),
    "supergateway": (404, [True, True, True, True]),
}
if seen != expected:
    raise SystemExit("the behaviour has changed")
PY
