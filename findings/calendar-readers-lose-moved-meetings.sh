#!/bin/sh
# icalevents 0.3.1 with icalendar 7.3.2 (PyPI, CPython 3.11) and node-ical 0.26.1 with rrule-temporal 1.6.0 (npm, Node 20), asked which meetings of a
# series lie between two days; recurring-ical-events 3.8.2 (PyPI) answers the same question rightly. A meeting that was
# moved to a day after the last day asked for is still listed by icalevents at its old time. One that was moved into
# these days from before the first is missing with node-ical. Both drop what RDATE adds, and of a change to "this and all later
# meetings" they take the first one only. node-ical holds a meeting of each 31st also on the 30th.
# Source: RFC 5545: RECURRENCE-ID (3.8.4.4) takes an instance from its old time, with RANGE=THISANDFUTURE the later ones too;
# RDATE (3.8.5.2) adds instances; days that do not exist are ignored (3.3.10). parse_events in icalevents/icalparser.py
# and expandRecurringEvent of node-ical's README. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "icalevents==0.3.1" "recurring-ical-events==3.8.2" "icalendar==7.3.2"
cd "$folder"
npm install --silent --no-fund --no-audit "node-ical@0.26.1" "rrule-temporal@1.6.0"
venv/bin/python -W ignore - <<'PY'
import json
import subprocess
from datetime import datetime
from zoneinfo import ZoneInfo

import icalendar
import recurring_ical_events
from icalevents import icalevents

BERLIN = ZoneInfo("Europe/Berlin")
FROM, TO = datetime(2026, 10, 1, tzinfo=BERLIN), datetime(2027, 2, 1, tzinfo=BERLIN)
WEEKLY = "RRULE:FREQ=WEEKLY;BYDAY=TH;COUNT=4"
SECOND = "20261022T190000"
SERIES = {  # the first meeting and its lines; the start of a changed one and its lines
    "moved beyond the days asked for": [("20261015T190000", WEEKLY), ("20270205T190000", f"RECURRENCE-ID;TZID=Europe/Berlin:{SECOND}")],
    "moved into the days asked for": [
        ("20260910T190000", "RRULE:FREQ=WEEKLY;COUNT=2"),
        ("20261105T190000", "RECURRENCE-ID;TZID=Europe/Berlin:20260917T190000"),
    ],
    "an hour later from the second on": [
        ("20261015T190000", WEEKLY),
        ("20261022T200000", f"RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:{SECOND}"),
    ],
    "one more": [("20261015T190000", "RDATE;TZID=Europe/Berlin:20261017T190000")],
    "each 31st": [("20261031T190000", "RRULE:FREQ=MONTHLY;COUNT=3")],
}
NODE = """
const ical = require("node-ical");
const [text, from, to] = JSON.parse(require("fs").readFileSync(0, "utf8"));
const event = ical.sync.parseICS(text)["club@example.org"];
const meetings = ical.expandRecurringEvent(event, {from: new Date(from), to: new Date(to)});
console.log(JSON.stringify(meetings.map((meeting) => meeting.start.toISOString())));
"""


def calendar(parts):
    """Return the text of a calendar."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//club//club//EN"]
    for start, change in parts:
        lines += ["BEGIN:VEVENT", "UID:club@example.org", "DTSTAMP:20260901T000000Z", f"DTSTART;TZID=Europe/Berlin:{start}"]
        lines += ["DURATION:PT1H", change, "SUMMARY:Club", "END:VEVENT"]
    return "\r\n".join([*lines, "END:VCALENDAR", ""])


def days(times):
    return " ".join(f"{time.astimezone(BERLIN):%d.%m.@%H}" for time in sorted(times))


def by_node(text):
    command = ["node", "-e", NODE]
    given = json.dumps([text, FROM.isoformat(), TO.isoformat()])
    answer = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
    return [datetime.fromisoformat(time) for time in json.loads(answer.stdout)]


seen = {}
for name, parts in SERIES.items():
    text = calendar(parts)
    right = recurring_ical_events.of(icalendar.Calendar.from_ical(text)).between(FROM, TO)
    events = icalevents.events(string_content=text, start=FROM, end=TO)
    seen[name] = (
        days(event["DTSTART"].dt for event in right),
        days(event.start for event in events),
        days(by_node(text)),
    )
    print(name)
    for program, found in zip(("recurring-ical-events", "icalevents", "node-ical"), seen[name]):
        print(f"  {program}: {found or 'none'}")
expected = {
    "moved beyond the days asked for": (
        "15.10.@19 29.10.@19 05.11.@19",
        "15.10.@19 22.10.@19 29.10.@19 05.11.@19",
        "15.10.@19 29.10.@19 05.11.@19",
    ),
    "moved into the days asked for": ("05.11.@19", "05.11.@19", ""),
    "an hour later from the second on": (
        "15.10.@19 22.10.@20 29.10.@20 05.11.@20",
        "15.10.@19 22.10.@20 29.10.@19 05.11.@19",
        "15.10.@19 22.10.@20 29.10.@19 05.11.@19",
    ),
    "one more": ("15.10.@19 17.10.@19", "15.10.@19", "15.10.@19"),
    "each 31st": ("31.10.@19 31.12.@19 31.01.@19", "31.10.@19 31.12.@19 31.01.@19", "31.10.@19 30.11.@19 30.12.@19"),
}
if seen != expected:
    raise SystemExit("the behaviour has changed")
PY
