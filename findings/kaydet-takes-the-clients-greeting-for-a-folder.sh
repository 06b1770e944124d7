#!/bin/sh
# kaydet 0.49.0 with mcp 1.30.0 (PyPI, CPython 3.11; with mcp 2, which it does not exclude, it does not start), a diary over MCP. Started by
# a client as its README says, and for the first time, it asks on standard output where to keep the diary, and takes the next line on
# standard input for the answer: the client's "initialize". The client gets no answer. From the second start on it works, and
# keeps the diary in a folder named {"jsonrpc":"2.0",..., below the folder in which the client happens to run. Of a plan in four lines that
# is added as one entry, those that begin with a time are entries of their own when the diary is next read: the last line of the
# plan is part of the lunch, and when the entry is deleted the appointments stay.
# Source: README, "AI Integration" (the client's file names the command alone) and "Zero friction"; the first-run question in
# kaydet/utils.py; MCP 2025-11-25, "stdio": a server writes nothing to standard output that is not a message. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "kaydet[mcp]==0.49.0" "mcp==1.30.0"
cd "$folder"
mkdir home here
python3 - >seen <<'PY'
import json
import os
import subprocess
import threading
from pathlib import Path

PLAN = "Plan for Friday\n10:15: train to Bonn\n12:30: lunch with Bo\nand bring the cake"
CLIENT = {"name": "finding", "version": "1"}
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": CLIENT}


class Kaydet:
    """The program, as a client starts it in a folder of its own."""

    def __enter__(self):
        self.program = subprocess.Popen(
            ["../venv/bin/kaydet-mcp"],
            cwd="here",
            env=os.environ | {"HOME": os.path.abspath("home")},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        return self

    def __exit__(self, *_):
        self.program.stdin.close()
        self.program.wait()

    def send(self, **message):
        print(json.dumps({"jsonrpc": "2.0"} | message), file=self.program.stdin, flush=True)

    def ask(self, method, params):
        """Send a request; returns its result."""
        self.send(id=1, method=method, params=params)
        return json.loads(self.program.stdout.readline())["result"]

    def call(self, tool, **arguments):
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})
        return json.loads(result["content"][0]["text"])


with Kaydet() as first:
    first.send(id=1, method="initialize", params=HELLO)
    threading.Timer(8, first.program.terminate).start()
    said = first.program.stdout.read()
print("first start, answers to the client:", sum(line.startswith("{") for line in said.splitlines()))
print("first start, asks for the folder:", "Path (or press Enter for default)" in said)
with Kaydet() as kaydet:
    kaydet.ask("initialize", HELLO)
    kaydet.send(method="notifications/initialized")
    kaydet.call("add_entry", text="Bo is vegan")
    added = kaydet.call("add_entry", text=PLAN)["entry_id"]
    (folder,) = Path("here").iterdir()
    print("the diary is in", f"{folder.name[:42]}...")
    (lunch,) = kaydet.call("search_entries", query="lunch")["matches"]
    print("added as", added, "- the lunch:", lunch["id"], repr(lunch["text"]))
    kaydet.call("delete_entry", entry_id=added)
    left = kaydet.call("list_recent_entries", limit=10)["entries"]
    print("after deleting it:", [entry["text"] for entry in left])
PY
cat seen
cat >expected <<'TEXT'
first start, answers to the client: 0
first start, asks for the folder: True
the diary is in {"jsonrpc": "2.0", "id": 1, "method": "ini...
added as 2 - the lunch: 4 'lunch with Bo\nand bring the cake'
after deleting it: ['lunch with Bo\nand bring the cake', 'train to Bonn', 'Bo is vegan']
TEXT
cmp expected seen
