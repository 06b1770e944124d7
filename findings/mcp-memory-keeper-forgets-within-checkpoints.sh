#!/bin/sh
# mcp-memory-keeper 0.14.1 with better-sqlite3 12.11.1 (npm, Node 20), a memory for models over MCP with "complete context
# snapshots". A checkpoint holds no copy: it points at the notes. context_save of a known key deletes the note and makes another,
# so each note that was changed after the checkpoint is missing from what is restored: the old words, which the checkpoint was
# for, are nowhere, and the new ones are in another session. context_checkpoint counts 2 notes, context_restore_checkpoint
# 1, with "Successfully restored". What is restored has lost its private mark and its channel: a private note is in the channel
# "general", and the next session reads it too.
# Source: its README: "Create named snapshots of your entire context that can be restored later", "If something goes wrong,
# restore from checkpoint"; createContextItem in its ContextRepository: INSERT OR REPLACE. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
CFLAGS=-O0 CXXFLAGS=-O0 npm install --silent --no-fund --no-audit "mcp-memory-keeper@0.14.1" "better-sqlite3@12.11.1"
python3 - <<'PY'
import json
import os
import re
import subprocess

program = subprocess.Popen(
    ["node_modules/.bin/mcp-memory-keeper"],
    env={"PATH": os.environ["PATH"], "HOME": os.getcwd()},
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    stderr=subprocess.DEVNULL,
    text=True,
)
count = 0


def ask(method, params):
    """Send a request; returns its result."""
    global count
    count += 1
    print(json.dumps({"jsonrpc": "2.0", "id": count, "method": method, "params": params}), file=program.stdin, flush=True)
    while True:
        answer = json.loads(program.stdout.readline())
        if answer.get("id") == count:
            return answer["result"]


def tool(name, /, **arguments):
    return ask("tools/call", {"name": f"context_{name}", "arguments": arguments})["content"][0]["text"]


def read(key):
    """Return a note's words as this session reads them, or None."""
    text = tool("get", key=key)
    return json.loads(text)["items"][0]["value"] if text.startswith("{") else None


def notes(text):
    return int(re.search(r"Context items: (\d+)", text)[1])


client = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "finding", "version": "1"}}
ask("initialize", client)
print(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}), file=program.stdin, flush=True)
try:
    tool("session_start", name="club")
    tool("save", key="party", value="Kim's surprise party is on Friday", private=True)
    tool("save", key="home", value="Kim lives in York", private=True)
    kept = notes(tool("checkpoint", name="before"))
    tool("save", key="home", value="Kim lives in Leeds", private=True)
    answer = tool("restore_checkpoint", name="before")
    print("notes in the checkpoint:", kept, "restored:", notes(answer), "-", answer.splitlines()[0])
    home = read("home")
    print("home in the restored session:", home)
    marks = json.loads(tool("get", key="party"))["items"][0]
    print("the private note: is_private", marks["is_private"], "in channel", marks["channel"])
    tool("session_start", name="another")
    party = read("party")
    print("the private note in another session:", party)
finally:
    program.terminate()
    program.wait()
assert "Successfully restored" in answer
assert (kept, notes(answer)) == (2, 1)
assert home is None
assert (marks["is_private"], marks["channel"]) == (0, "general")
assert party == "Kim's surprise party is on Friday"
print("what was changed after a checkpoint is not in it")
PY
