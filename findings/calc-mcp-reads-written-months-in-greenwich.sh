#!/bin/sh
# @coo-quack/calc-mcp 2.1.1 (npm, Node 20), an MCP server with tools for dates. "datetime" converts a time of Berlin to one of New York:
# seven in the evening, written 2026-12-04T19:00, is one o'clock there, and the same time written "Dec 4, 2026 19:00" two o'clock, for
# the zone that the caller names is not used for it. "date" adds a day to noon at +02:00 and answers ten o'clock without a zone; it
# says that half past eleven on a Monday night in New York (-05:00) is a Tuesday, and half a day more is no more at all.
# Source: the tool's schema: a time without an offset "is a wall-clock time read in fromTimezone", and amount is a number. Seen on
# 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "@coo-quack/calc-mcp@2.1.1" >>npm.log 2>&1
cat >ask.py <<'PY'
import json
import os
import subprocess

program = subprocess.Popen(
    ["node_modules/.bin/calc-mcp"],
    env={**os.environ, "TZ": "UTC"},
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
    """Call a tool; returns its text."""
    return ask("tools/call", {"name": tool, "arguments": arguments})["content"][0]["text"]


with program:
    client = {"name": "finding", "version": "1"}
    ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
    print(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}), file=program.stdin, flush=True)
    for when in ("2026-12-04T19:00", "Dec 4, 2026 19:00", "4 December 2026 19:00"):
        zones = {"fromTimezone": "Europe/Berlin", "toTimezone": "America/New_York"}
        print(f"{when} in Berlin:", call("datetime", action="convert", datetime=when, **zones), "in New York")
    print("a day after noon at +02:00:", call("date", action="add", date="2026-11-30T12:00:00+02:00", amount=1, unit="days"))
    print("Monday 23:30 at -05:00:", call("date", action="weekday", date="2026-11-30T23:30:00-05:00"))
    print("half a day after midnight:", call("date", action="add", date="2026-11-30", amount=0.5, unit="days"))
    program.stdin.close()
    program.terminate()
PY
python3 ask.py >seen
cat seen
cat >expected <<'TEXT'
2026-12-04T19:00 in Berlin: 2026-12-04T13:00:00.000-05:00 in New York
Dec 4, 2026 19:00 in Berlin: 2026-12-04T14:00:00.000-05:00 in New York
4 December 2026 19:00 in Berlin: 2026-12-04T14:00:00.000-05:00 in New York
a day after noon at +02:00: 2026-12-01T10:00:00
Monday 23:30 at -05:00: {"weekday":"Tuesday","weekdayJa":"火曜日","dayOfWeek":2}
half a day after midnight: 2026-11-30T00:00:00
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
