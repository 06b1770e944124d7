#!/bin/sh
# @allpepper/memory-bank-mcp 0.2.2 (npm, Node 20), notes of projects for models over MCP, "read/write/update". memory_bank_write
# of a file that is there answers "File plan.md written successfully to project club", and the file is what it was: a model that
# notes something new believes that it is kept, and reads the old words next time. Nothing marks the answer as an error,
# and memory_bank_update, which does change files, is a tool of its own.
# Source: writeFile in the package's file repository returns null for a file that exists, which the tool's handler
# does not look at; the description of the tool says "Create a new memory bank file". Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "@allpepper/memory-bank-mcp@0.2.2"
python3 - <<'PY'
import json
import os
import subprocess

program = subprocess.Popen(
    ["node_modules/.bin/mcp-server-memory-bank"],
    env={"PATH": os.environ["PATH"], "HOME": ".", "MEMORY_BANK_ROOT": f"{os.getcwd()}/bank"},
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    stderr=subprocess.DEVNULL,
    text=True,
)


def ask(method, params):
    """Send a request; returns its result."""
    print(json.dumps({"jsonrpc": "2.0", "id": method, "method": method, "params": params}), file=program.stdin, flush=True)
    for line in program.stdout:
        if line.startswith("{") and (answer := json.loads(line)).get("id") == method:
            return answer["result"]
    raise SystemExit(f"no answer to {method}")


def call(tool, **arguments):
    """Call a tool on the file; returns its text, and whether it is marked as an error."""
    arguments = {"projectName": "club", "fileName": "plan.md", **arguments}
    result = ask("tools/call", {"name": tool, "arguments": arguments})
    return result["content"][0]["text"], bool(result.get("isError"))


with program:
    client = {"name": "finding", "version": "1"}
    ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
    notice = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    print(json.dumps(notice), file=program.stdin, flush=True)
    seen = [
        call("memory_bank_write", content="We bake on Sunday"),
        call("memory_bank_write", content="We bake on Monday"),
        call("memory_bank_read"),
        call("memory_bank_update", content="We bake on Monday"),
        call("memory_bank_read"),
    ]
    program.stdin.close()
    program.terminate()
for text, is_error in seen:
    print(f"{text} (error: {is_error})")
expected = [
    ("File plan.md written successfully to project club", False),
    ("File plan.md written successfully to project club", False),
    ("We bake on Sunday", False),
    ("File plan.md updated successfully in project club", False),
    ("We bake on Monday", False),
]
if seen != expected:
    raise SystemExit("the behaviour has changed")
PY
