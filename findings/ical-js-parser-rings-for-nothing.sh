#!/bin/sh
# ical-js-parser 0.7.4 (npm, Node 20), which makes JSON of iCalendar files and files of JSON. A file with an alarm, read and
# written again, is none: the alarm stands behind the end of its event, in the calendar itself, where none may be, so a program
# rings for nothing or refuses the file. A to-do has a beginning and no end, and a line of a colon alone stands in front of each
# "END:VEVENT" or behind it. Of two comments the last is left.
# Source: its README: "Same format can be used to parse JSON event to iCal string"; RFC 5545, 3.6.6: "A VALARM calendar component
# MUST only be placed in a VEVENT or VTODO calendar component", and 3.6.2: a to-do ends with "END:VTODO". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "ical-js-parser@0.7.4" >>npm.log 2>&1
cat >again.cjs <<'JS'
const parser = require("ical-js-parser").default;

const file = [
  "BEGIN:VCALENDAR", "PRODID:-//example//choir//EN", "VERSION:2.0",
  "BEGIN:VEVENT", "UID:1@example.org", "DTSTAMP:20261130T120000Z", "DTSTART:20261204T190000Z", "SUMMARY:Choir",
  "COMMENT:No nuts", "COMMENT:Bring tea",
  "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT30M", "DESCRIPTION:Choir", "END:VALARM", "END:VEVENT",
  "BEGIN:VEVENT", "UID:2@example.org", "DTSTAMP:20261130T120000Z", "DTSTART:20261205T190000Z", "SUMMARY:Chess", "END:VEVENT",
  "BEGIN:VTODO", "UID:3@example.org", "DTSTAMP:20261130T120000Z", "SUMMARY:Buy presents", "END:VTODO",
  "END:VCALENDAR",
].join("\r\n");
const json = parser.toJSON(file);
console.log("errors:", json.errors, "warnings:", json.warnings);
console.log(parser.toString(json).split(/\r?\n/).filter((line) => !/^(DTSTAMP|UID|PRODID)/.test(line)).join("\n"));
JS
node again.cjs >seen
cat seen
cat >expected <<'TEXT'
errors: [] warnings: []
BEGIN:VCALENDAR
VERSION:2.0
BEGIN:VEVENT
DTSTART:20261204T190000Z
SUMMARY:Choir
COMMENT:Bring tea
:
END:VEVENT
BEGIN:VALARM
ACTION:DISPLAY
TRIGGER:-PT30M
DESCRIPTION:Choir
END:VALARM
BEGIN:VEVENT
DTSTART:20261205T190000Z
SUMMARY:Chess
END:VEVENT
:
BEGIN:VTODO
SUMMARY:Buy presents
END:VCALENDAR
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
