#!/bin/sh
# MCP servers of PyPI, asked with protocol 2025-11-25 over standard input (CPython 3.11, Linux x86-64): biomcp-cli 0.9.3
# and cnb-rs-mcp 1.3.0 (both on the Rust SDK), kglite 0.21.2, mcp-server-time 2026.10.19 (Python SDK). A wrong argument
# is a result with isError for some, which the model reads and mends, and a JSON-RPC error -32602 for others, which
# clients take for a fault of the connection. biomcp does both, tool by tool, in one program.
# Source: SEP-1303 (in the specification 2025-11-25) wants results; modelcontextprotocol/rust-sdk issue 840, mended by
# pull request 894 in June 2026. The two programs were released in September and October. Seen on 2026-11-28.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "biomcp-cli==0.9.3" "cnb-rs-mcp==1.3.0" "kglite==0.21.2" "mcp-server-time==2026.10.19"
python3 - "$folder/venv/bin" <<'PY'
import json
import subprocess
import sys

NUMBER = 5  # where a text is wanted
CALLS = {
    ("biomcp", "mcp"): [("get", {"entity": NUMBER}, "result"), ("gene_cspec", {"gene": NUMBER}, -32602)],
    ("cnb-rs-mcp",): [("cnb_get_group", {"group": NUMBER}, -32602)],
    ("kglite-mcp-server",): [("grep", {"pattern": NUMBER}, "result")],
    ("mcp-server-time",): [("get_current_time", {"timezone": NUMBER}, "result")],
}
OPENING = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "finding", "version": "1"},
}


def ask(program, method, params):
    """Send a request; returns the answer to it."""
    request = {"jsonrpc": "2.0", "id": method, "method": method, "params": params}
    print(json.dumps(request), file=program.stdin, flush=True)
    for line in program.stdout:
        if (answer := json.loads(line)).get("id") == method:
            return answer
    raise SystemExit(f"no answer to {method}")


for command, calls in CALLS.items():
    program = subprocess.Popen(
        [f"{sys.argv[1]}/{command[0]}", *command[1:]],
        env={"PATH": "/usr/bin:/bin", "HOME": sys.argv[1], "CNB_TOKEN": "none"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with program:
        ask(program, "initialize", OPENING)
        notice = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        print(json.dumps(notice), file=program.stdin, flush=True)
        for tool, arguments, seen in calls:
            answer = ask(program, "tools/call", {"name": tool, "arguments": arguments})
            error = answer.get("error")
            words = error["message"] if error else answer["result"]["content"][0]["text"]
            form = error["code"] if error else "result" if answer["result"]["isError"] else "accepted"
            print(f"{command[0]:18} {tool:17} {form!s:7} {words.splitlines()[0][:75]}")
            assert form == seen, "the behaviour has changed"
PY
