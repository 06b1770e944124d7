#!/bin/sh
# cal-parser 1.0.2 with rrule 2.8.1 and ical-date-parser 4.0.0 (npm, Node 20), a reader of iCalendar files. As soon as one
# meeting of a series is cancelled (EXDATE), the series begins at the second in which the file is read: a club on Tuesdays
# at 19:00 meets on the weekday and at the minute of the reading, for as many weeks as it had in all, and nothing is
# cancelled, since no meeting is at that time. rrulestr() takes DTSTART as an option, and uses it for a lone rule only. A
# meeting that was moved (RECURRENCE-ID) is there beside the one that it replaces. A time of a zone is read as UTC, with
# the zone's name beside it: 19:00 in Tokyo is 19:00 in London. Each backslash is gone from texts, and so are line feeds.
# Source: parseString in index.js, which hands {dtstart} to rrulestr; RFC 5545, 3.8.4.4 and 3.8.5.1. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "cal-parser@1.0.2" "rrule@2.8.1" "ical-date-parser@4.0.0"
cat >read.cjs <<'JS'
const assert = require("assert");
const {parseString} = require("cal-parser");

const DAY = 86400000;
const begun = new Date();
const stamp = (time) => time.toISOString().replace(/[-:]|\.\d+/g, "");
// A weekly club, two weekdays after today's, that met four times and will meet four times more.
const first = new Date(begun.getTime() - 26 * DAY);
first.setUTCHours(19, 0, 0, 0);
const meeting = (week) => new Date(first.getTime() + 7 * week * DAY);

function calendar(...lines) {
  const event = ["BEGIN:VEVENT", "UID:club@example.org", "DTSTAMP:20261001T000000Z", "SUMMARY:Club"];
  return ["BEGIN:VCALENDAR", "VERSION:2.0", ...event, ...lines, "END:VEVENT", "END:VCALENDAR", ""].join("\r\n");
}

function coming(text) {
  const found = parseString(text).getEventsBetweenDates(begun, meeting(12), true);
  return found.flatMap((event) => event.matchingDates);
}

const series = [`DTSTART:${stamp(first)}`, "RRULE:FREQ=WEEKLY;COUNT=8"];
const whole = coming(calendar(...series));
const cancelled = coming(calendar(...series, `EXDATE:${stamp(meeting(5))}`));
const late = (dates) => dates.map((date) => (date.getTime() - begun.getTime()) / DAY);
console.log("nothing cancelled, days from now:", late(whole).map((days) => days.toFixed(2)).join(" "));
console.log("the second cancelled, days from now:", late(cancelled).map((days) => days.toFixed(2)).join(" "));
assert.deepStrictEqual(whole, [4, 5, 6, 7].map(meeting));
assert.ok(cancelled.length >= 7, "the eight weeks begin now");
const drift = (date) => Math.abs((date - begun) / DAY / 7 - Math.round((date - begun) / DAY / 7));
assert.ok(cancelled.every((date) => drift(date) < 0.001), "each whole weeks after the reading");

const moved = calendar(...series, "END:VEVENT", "BEGIN:VEVENT", "UID:club@example.org",
  `RECURRENCE-ID:${stamp(meeting(5))}`, `DTSTART:${stamp(new Date(meeting(5).getTime() + DAY))}`, "SUMMARY:Club");
const both = coming(moved).length;
console.log("one of four moved:", both, "meetings");
assert.strictEqual(both, 5);

const tokyo = "DTSTART;TZID=Asia/Tokyo:20261203T190000";
const [event] = parseString(calendar(tokyo, "DESCRIPTION:Bring tea\\, cake\\nC:\\\\maps")).events;
console.log("19:00 in Tokyo:", event.dtstart.value.toISOString(), event.dtstart.params.tzid, "-", event.description.value);
assert.strictEqual(event.dtstart.value.toISOString(), "2026-12-03T19:00:00.000Z");
assert.strictEqual(event.description.value, "Bring tea, cake C:maps");
JS
node read.cjs
