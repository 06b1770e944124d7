#!/bin/sh
# office-word-mcp-server 1.1.11 with fastmcp 4.2.3 and mcp 2.3.0 (PyPI, CPython 3.11): 68 arguments of its 54 tools are
# published as {"type": "string", "default": null} or the like, and a call that sends that default is refused: "Input
# should be a valid string". In Python the argument is "title: str = None", whose default is never checked. A strict
# model endpoint wants every argument in a call, null where it is not used, so each such call fails unless the client
# removes nulls. workspace-mcp 2.2.1 publishes 603 such defaults, mcp-yahoo-finance 0.2.0 nine.
# Source: JSON Schema recommends that a default is valid against its own schema (validation, 9.2). Seen on 2026-11-28.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "office-word-mcp-server==1.1.11" "fastmcp==4.2.3" "mcp==2.3.0"
cd "$folder"
python3 - <<'PY'
import json
import subprocess

program = subprocess.Popen(
    ["venv/bin/word_mcp_server"],
    env={"PATH": "/usr/bin:/bin", "HOME": "."},
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    stderr=subprocess.DEVNULL,
    text=True,
)


def ask(method, params):
    """Send a request; returns its result."""
    print(json.dumps({"jsonrpc": "2.0", "id": method, "method": method, "params": params}), file=program.stdin, flush=True)
    for line in program.stdout:
        if (answer := json.loads(line)).get("id") == method:
            return answer["result"]
    raise SystemExit(f"no answer to {method}")


with program:
    client = {"name": "finding", "version": "1"}
    ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client})
    notice = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    print(json.dumps(notice), file=program.stdin, flush=True)
    tools = ask("tools/list", {})["tools"]
    odd = [
        (tool["name"], name, argument["type"])
        for tool in tools
        for name, argument in tool["inputSchema"]["properties"].items()
        if isinstance(argument.get("type"), str) and argument.get("default", 1) is None
    ]
    print(len(tools), "tools;", len(odd), "arguments whose default is null and whose type is not, such as", odd[0])
    given = {"name": "create_document", "arguments": {"filename": "a.docx"}}
    without = ask("tools/call", given)
    given["arguments"]["title"] = None
    sent = ask("tools/call", given)
    print("left out:", without["content"][0]["text"])
    print("its default sent:", " ".join(sent["content"][0]["text"].split("\n")[:3]))
    assert len(odd) == 68 and not without["isError"] and sent["isError"], "the behaviour has changed"
PY
