#!/bin/sh
# datebook 8.0.1 (npm, Node 20), which makes calendar files and links for an event, read by ical.js 2.2.1 and icalendar
# 6.3.2 (PyPI). A reminder one day ahead is written "-PT1D", a week ahead "-PT1W" and a day and two hours ahead "-PT1D2H".
# Those are no durations: ical.js guesses what is meant, and icalendar refuses the whole file. Minutes and hours ahead are
# right. The links for Yahoo and Outlook say nothing of a repetition.
# Source: its README, "With a reminder" (trigger: { hours, minutes }); its types, ICSDuration, have weeks and days; RFC 5545,
# 3.3.6: days stand before the "T", and weeks alone. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --ignore-scripts datebook@8.0.1 ical.js@2.2.1 >>npm.log 2>&1
python3 -m venv venv
venv/bin/pip install -q --no-compile icalendar==6.3.2
cat >try.mjs <<'JS'
import { writeFileSync } from "node:fs";
import * as datebook from "datebook";
import ICAL from "ical.js";

const start = new Date("2026-12-24T18:00:00Z");
const dinner = { title: "Dinner", start, end: new Date("2026-12-24T22:00:00Z") };
const triggers = [{ minutes: 30 }, { hours: 1, minutes: 30 }, { days: 1 }, { days: 1, hours: 2 }, { weeks: 1 }];
for (const [number, trigger] of triggers.entries()) {
  const text = new datebook.ICalendar(dinner).addAlarm({ action: "DISPLAY", description: "Go", trigger }).render();
  writeFileSync(`${number}.ics`, text);
  const written = text.match(/TRIGGER:(\S+)/)[1];
  const event = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent("vevent");
  const read = (() => {
    try {
      return event.getFirstSubcomponent("valarm").getFirstPropertyValue("trigger").toString();
    } catch (error) {
      return error.name;
    }
  })();
  console.log(JSON.stringify(trigger), "is written", written, "and ical.js reads", read);
}
const weekly = { ...dinner, recurrence: { frequency: "WEEKLY", count: 3 } };
for (const kind of ["GoogleCalendar", "YahooCalendar", "OutlookCalendar"]) {
  console.log(kind, "is told of the weeks:", /weekly/i.test(new datebook[kind](weekly).render()));
}
JS
node try.mjs >seen
cat >read.py <<'PY'
from pathlib import Path

import icalendar

for number in range(5):
    try:
        alarm = icalendar.Calendar.from_ical(Path(f"{number}.ics").read_text()).walk("VALARM")[0]
        print(number, "icalendar:", alarm.decoded("TRIGGER"))
    except ValueError as error:
        print(number, "icalendar:", error)
PY
venv/bin/python read.py >>seen
cat seen
cat >expected <<'TEXT'
{"minutes":30} is written -PT30M and ical.js reads -PT30M
{"hours":1,"minutes":30} is written -PT1H30M and ical.js reads -PT1H30M
{"days":1} is written -PT1D and ical.js reads -P1D
{"days":1,"hours":2} is written -PT1D2H and ical.js reads -P1DT2H
{"weeks":1} is written -PT1W and ical.js reads -P1W
GoogleCalendar is told of the weeks: true
YahooCalendar is told of the weeks: false
OutlookCalendar is told of the weeks: false
0 icalendar: -1 day, 23:30:00
1 icalendar: -1 day, 22:30:00
2 icalendar: Invalid iCalendar duration: -PT1D
3 icalendar: Invalid iCalendar duration: -PT1D2H
4 icalendar: Invalid iCalendar duration: -PT1W
TEXT
cmp seen expected
