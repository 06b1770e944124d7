#!/bin/sh
# time-mcp 1.0.6 with dayjs 1.11.23 (npm, Node 20), a clock for models over MCP, on a machine in Tokyo. current_time gives
# UTC beside the zone that was asked for, and get_timestamp reads a time as UTC, but relative_time reads it as the
# machine's: the UTC time that the clock has just given is "9 hours ago". What it cannot read, such as "next friday" or
# "20:00", is "a month ago", which looks like an answer and is not marked as an error; convert_time and get_week_year say
# "Invalid Date" and "NaN" in such cases, as a result too. 30 February is in the tenth week of the year.
# Source: getRelativeTime in dist/index.js of the package, dayjs(time).fromNow(), against dayjs.utc(time) in
# getTimestamp; dayjs's plugin relativeTime says "a month ago" of a difference that is not a number. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "time-mcp@1.0.6" "dayjs@1.11.23"
python3 - <<'PY'
import json
import os
import re
import subprocess

program = subprocess.Popen(
    ["node_modules/.bin/time-mcp"],
    env={"PATH": os.environ["PATH"], "HOME": ".", "TZ": "Asia/Tokyo"},
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
    """Call a tool; returns its text, after a word for an error."""
    result = ask("tools/call", {"name": tool, "arguments": arguments})
    return "error: " * bool(result.get("isError")) + result["content"][0]["text"]


with program:
    client = {"name": "finding", "version": "1"}
    ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
    notice = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    print(json.dumps(notice), file=program.stdin, flush=True)
    now = re.search(r"UTC time is ([-\d]+ [:\d]+)", call("current_time", timezone="Asia/Tokyo"))[1]
    zones = {"sourceTimezone": "Europe/Berlin", "targetTimezone": "Asia/Tokyo"}
    seen = {
        "the UTC time of now": call("relative_time", time=now),
        "next friday": call("relative_time", time="next friday"),
        "20:00": call("relative_time", time="20:00"),
        "20:00 in Tokyo": call("convert_time", time="20:00", **zones),
        "31.12.2026": call("get_week_year", date="31.12.2026"),
        "2026-02-30": call("get_week_year", date="2026-02-30"),
    }
    program.stdin.close()
    program.terminate()
for what, text in seen.items():
    print(f"{what}: {text}")
expected = {
    "the UTC time of now": "9 hours ago",
    "next friday": "a month ago",
    "20:00": "a month ago",
    "20:00 in Tokyo": "Current time in Europe/Berlin is Invalid Date, and the time in Asia/Tokyo is Invalid Date. "
    "The time difference is NaN hours.",
    "31.12.2026": "The week of the year is NaN, and the isoWeek of the year is NaN.",
    "2026-02-30": "The week of the year is 10, and the isoWeek of the year is 10.",
}
if seen != expected:
    raise SystemExit("the behaviour has changed")
PY
