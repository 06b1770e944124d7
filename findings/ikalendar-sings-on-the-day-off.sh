#!/bin/sh
# ikalendar 1.5.0 (npm, Node 20), which reads and writes iCalendar files. Of several lines of one kind it keeps the last: a choir
# that is called off on the 11th and on the 25th of December is off on the 25th alone, and of two notes and two kinds one each is
# left. Read and written again, the evening that was put off to eight o'clock has no RECURRENCE-ID, so it is a second choir beside
# the one at seven, and all to-dos are gone: one that is read has its day under "dur", and none is ever written.
# Source: its README: "Parser and builder for iCalendar (RFC 5545) data format"; RFC 5545, 3.8.5.1 (EXDATE), 3.8.1.4 (COMMENT) and
# 3.8.1.2 (CATEGORIES) "can be specified multiple times", and 3.8.4.4 (RECURRENCE-ID) says which one is moved. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "ikalendar@1.5.0" >>npm.log 2>&1
cat >read.cjs <<'JS'
const { Builder, Parser } = require("ikalendar");

const file = [
  "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//choir//EN",
  "BEGIN:VEVENT", "UID:1@example.org", "DTSTAMP:20261130T120000Z", "DTSTART:20261204T190000Z", "SUMMARY:Choir",
  "RRULE:FREQ=WEEKLY;COUNT=6", "EXDATE:20261211T190000Z", "EXDATE:20261225T190000Z",
  "COMMENT:No nuts", "COMMENT:Bring tea", "CATEGORIES:MUSIC", "CATEGORIES:FRIENDS", "END:VEVENT",
  "BEGIN:VEVENT", "UID:1@example.org", "DTSTAMP:20261130T120000Z", "RECURRENCE-ID:20261218T190000Z",
  "DTSTART:20261218T200000Z", "SUMMARY:Choir", "END:VEVENT",
  "BEGIN:VTODO", "UID:2@example.org", "DTSTAMP:20261130T120000Z", "DUE:20261205T080000Z", "SUMMARY:Buy presents", "END:VTODO",
  "END:VCALENDAR", "",
].join("\r\n");
const calendar = new Parser().parse(file);
const [choir] = calendar.events;
console.log("off:", choir.exdate, "comment:", choir.comment, "categories:", choir.categories);
console.log("to do:", calendar.todos);
const written = new Builder(calendar).build().split("\r\n");
console.log(written.slice(written.indexOf("BEGIN:VEVENT")).filter((line) => !/^(DTSTAMP|UID)/.test(line)).join("\n"));
JS
node read.cjs >seen
cat seen
cat >expected <<'TEXT'
off: 20261225T190000Z comment: Bring tea categories: [ 'FRIENDS' ]
to do: [
  {
    uid: '2@example.org',
    dtStamp: '20261130T120000Z',
    dur: '20261205T080000Z',
    summary: 'Buy presents'
  }
]
BEGIN:VEVENT
DTSTART:20261204T190000Z
SUMMARY:Choir
RRULE:FREQ=WEEKLY;COUNT=6
CATEGORIES:FRIENDS
COMMENT:Bring tea
EXDATE:20261225T190000Z
END:VEVENT
BEGIN:VEVENT
DTSTART:20261218T200000Z
SUMMARY:Choir
END:VEVENT
END:VCALENDAR

TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
