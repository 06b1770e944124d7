#!/bin/sh
# ics-calendar-mcp 0.1.0 (PyPI, CPython 3.11), an MCP server over a calendar's address. "list_recurring_events" is said to give
# "frequency, days, and end dates", but a series that ends by COUNT has no end: a choir of three Mondays in January 2020 is
# "weekly" today, as if it still met. "Every second day" is "every 2 dais", the third Thursday "monthly on 3TH", and an event
# that has DURATION in place of DTEND ends nowhere. "search_events" leaves its last day out, "get_events_range" with the same two
# dates has it: so the trip of the 24th is not found "until the 24th". With mcp 2, which it does not exclude, it does not start.
# Source: its README and the tools' own descriptions; RFC 5545, 3.3.10 (COUNT bounds the rule) and 3.6.1 (either "dtend" or
# "duration"); "rstrip('ly')" in utils.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "ics-calendar-mcp==0.1.0" "mcp==1.30.0" "icalendar==7.3.2" "recurring-ical-events==3.8.2"
cd "$folder"
python3 - <<'PY'
import functools
import http.server
import json
import os
import subprocess
import threading
from pathlib import Path


def event(*lines):
    return "\r\n".join(["BEGIN:VEVENT", "DTSTAMP:20260101T000000Z", *lines, "END:VEVENT", ""])


calendar = [
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//club//club//EN\r\n",
    event("UID:a@example.org", "SUMMARY:Choir", "DTSTART:20200106T180000Z", "DTEND:20200106T190000Z", "RRULE:FREQ=WEEKLY;COUNT=3"),
    event("UID:b@example.org", "SUMMARY:Watering", "DTSTART;VALUE=DATE:20261201", "RRULE:FREQ=DAILY;INTERVAL=2"),
    event("UID:c@example.org", "SUMMARY:Board", "DTSTART:20261217T180000Z", "DURATION:PT1H", "RRULE:FREQ=MONTHLY;BYDAY=3TH"),
    event("UID:d@example.org", "SUMMARY:Trip", "DTSTART;VALUE=DATE:20261224", "DTEND;VALUE=DATE:20261227"),
    "END:VCALENDAR\r\n",
]
Path("feed").mkdir()
Path("feed/club.ics").write_bytes("".join(calendar).encode())


class Feed(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Feed, directory="feed"))
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}/club.ics"
program = subprocess.Popen(
    ["venv/bin/ics-calendar-mcp"],
    env={**os.environ, "HOME": ".", "ICS_CALENDAR_URL": url, "ICS_TIMEZONE": "Europe/Berlin"},
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    stderr=subprocess.DEVNULL,
    text=True,
)


def ask(method, params):
    """Send a request; returns its result."""
    print(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}), file=program.stdin, flush=True)
    return json.loads(program.stdout.readline())["result"]


def call(tool, **arguments):
    """Return what a tool answers."""
    return json.loads(ask("tools/call", {"name": tool, "arguments": arguments})["content"][0]["text"])


with program:
    client = {"name": "finding", "version": "1"}
    ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
    notice = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    print(json.dumps(notice), file=program.stdin, flush=True)
    series = {
        one["summary"]: (one["recurrence"]["description"], one["recurrence"]["until"], one["end"])
        for one in call("list_recurring_events")["events"]
    }
    days = {"start_date": "2026-12-20", "end_date": "2026-12-24"}
    in_range = [one["summary"] for one in call("get_events_range", **days)["events"]]
    found = [one["summary"] for one in call("search_events", query="trip", **days)["events"]]
    described = next(tool for tool in ask("tools/list", {})["tools"] if tool["name"] == "list_recurring_events")
for name, (words, until, end) in series.items():
    print(f"{name}: {words}; until {until}; each ends at {end}")
print("20 to 24 December: in the range", in_range, "- found by a search for 'trip'", found)
assert "end dates" in described["description"]
assert series["Choir"][:2] == ("weekly", None)
assert series["Watering"][0] == "every 2 dais" and series["Board"] == ("monthly on 3TH", None, None)
assert "Trip" in in_range and found == []
print("the choir of 2020 meets for ever")
PY
