#!/bin/sh
# ics-parser 0.1.5 (npm, Node 20), which reads iCalendar files. A meeting has two ends: "endDate", and "end", which is when its entry
# was written (DTSTAMP), so that what begins next Friday ended on Monday; a meeting with a duration has no other end. That a meeting
# is cancelled, that it comes each week and on which days it does not is nowhere, and its alarm is an event of its own before it.
# Source: its description in package.json, "Parse iCalendar files"; RFC 5545, 3.8.7.2: DTSTAMP says when the entry was created, and
# 3.6.1: a meeting ends with DTEND or after DURATION; 3.8.1.11 (STATUS), 3.8.5 (RRULE, EXDATE). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "ics-parser@0.1.5" >>npm.log 2>&1
cat >read.cjs <<'JS'
const parse = require("ics-parser");

const file = [
  "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//choir//EN",
  "BEGIN:VEVENT", "UID:1@example.org", "DTSTAMP:20261130T120000Z", "DTSTART:20261204T190000Z", "DURATION:PT2H",
  "RRULE:FREQ=WEEKLY;COUNT=6", "EXDATE:20261225T190000Z", "SUMMARY:Choir",
  "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT30M", "DESCRIPTION:Sing", "END:VALARM", "END:VEVENT",
  "BEGIN:VEVENT", "UID:2@example.org", "DTSTAMP:20261130T120000Z", "DTSTART:20261205T190000Z", "DTEND:20261205T210000Z",
  "STATUS:CANCELLED", "SUMMARY:Chess", "END:VEVENT",
  "END:VCALENDAR", "",
].join("\r\n");
for (const entry of parse(file)) console.log(JSON.stringify(entry));
JS
TZ=UTC node read.cjs >seen
cat seen
cat >expected <<'TEXT'
{"type":"VALARM","description":"Sing"}
{"type":"VEVENT","uid":"1@example.org","end":"2026-11-30T12:00:00.000Z","startDate":"2026-12-04T19:00:00.000Z","name":"Choir"}
{"type":"VEVENT","uid":"2@example.org","end":"2026-11-30T12:00:00.000Z","startDate":"2026-12-05T19:00:00.000Z","endDate":"2026-12-05T21:00:00.000Z","name":"Chess"}
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
