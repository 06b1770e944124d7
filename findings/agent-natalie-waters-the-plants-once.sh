#!/bin/sh
# agent-natalie 0.1.37 with mcp 1.30.0 (PyPI, CPython 3.11), an assistant's memory over MCP in a vault of Obsidian's, whose tasks are
# those of the plugin Tasks. "task_complete" of a task that comes back every week marks it done, and nothing comes back: the
# plugin itself, when a box is ticked, writes the next one beside it. So the plants are watered once; the answer says
# "completed", and nothing of the series. Of a line that the plugin wrote, with the day it was made, "every day" is read as
# the recurrence "every day ➕ 2026-11-01", and the day on which it may begin is part of its text: "Feed the cat 🛫 ..." must
# be written so to be completed; as "Feed the cat" it is not found.
# Source: README, "rich task metadata — due dates, priorities, and recurrence rules — that Natalie can read and write via
# task_capture and task_complete"; the plugin's documentation, "Recurring Tasks" (the next one is made when a task is done) and
# "Dates" (➕ created, 🛫 start). With mcp 2, which it does not exclude, it does not start. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "agent-natalie==0.1.37" "mcp[cli]==1.30.0" "fastembed==0.9.1" "numpy==2.4.6"
cd "$folder"
mkdir vault
export HOME="$folder"
venv/bin/natalie init vault --client claude </dev/null >log 2>&1
cat >vault/Plugin.md <<'TEXT'
- [ ] Feed the cat 🔁 every day ➕ 2026-11-01 🛫 2026-12-01 📅 2026-12-03
TEXT
cd vault
python3 - <<'PY'
import json
import subprocess
from pathlib import Path

program = subprocess.Popen(
    ["../venv/bin/natalie-server"],
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    stderr=subprocess.DEVNULL,
    text=True,
)


def ask(method, params):
    """Send a request; returns its result."""
    print(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}), file=program.stdin, flush=True)
    for line in program.stdout:
        if "result" in (answer := json.loads(line)):
            return answer["result"]
    raise SystemExit(f"no answer to {method}")


def call(tool, **arguments):
    """Return what a tool answers."""
    return [json.loads(part["text"]) for part in ask("tools/call", {"name": tool, "arguments": arguments})["content"]]


with program:
    client = {"name": "finding", "version": "1"}
    ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
    print(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}), file=program.stdin, flush=True)
    plants = {"rel_path": "Tasks.md", "task_text": "Water the plants"}
    call("task_capture", **plants, due_date="2026-12-03", recurrence="every week")
    before = {task["text"]: task["recurrence"] for task in call("task_list")}
    (completed,) = call("task_complete", **plants)
    after = [task["text"] for task in call("task_list")]
    lines = Path("Tasks.md").read_text().splitlines()
    missing = ask("tools/call", {"name": "task_complete", "arguments": {"rel_path": "Plugin.md", "task_text": "Feed the cat"}})
    program.stdin.close()
print("open, and how often:", before)
print("completed:", completed["completed"], "- still open:", after, "- the note:", lines)
print("a line of the plugin's:", missing["content"][0]["text"])
cat = "Feed the cat 🛫 2026-12-01"
assert before == {cat: "every day ➕ 2026-11-01", "Water the plants": "every week"}
assert completed["completed"] and after == [cat]
assert len(lines) == 1 and lines[0].startswith("- [x] Water the plants 🔁 every week 📅 2026-12-03 ✅ ")
assert json.loads(missing["content"][0]["text"])["completed"] is False
PY
