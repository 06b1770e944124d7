#!/bin/sh
# ics-to-json 2.0.2 (npm), which makes JSON of calendars for pages. What follows an event in the file is written into it until
# the next event begins: with a to-do behind it, as programs that keep both write them, the board meeting has the name and
# the text of the to-do, "Buy milk", at the time of the meeting. A text ends at its first colon, "Bring: tea and cake" is
# "Bring", and so does a link; a zone is dropped, so that six in the evening in New York is six wherever it is read; a meeting
# that was cancelled is as any other, and escapes stay. A percent sign, as in "100 % wool", ends all with a URIError.
# Source: its README: "Convert the ICS calendar format to JSON data to consume in web apps", with a time in UTC; RFC 5545, 3.1 for
# what a value is, 3.3.11 for escapes, 3.6.2 for to-dos. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "ics-to-json@2.0.2" >>npm.log 2>&1
cat >read.mjs <<'JS'
import { icsToJson } from "ics-to-json";

const calendar = (...lines) =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//club//EN", ...lines, "END:VCALENDAR", ""].join("\r\n");
const event = (...lines) => ["BEGIN:VEVENT", "UID:1", "DTSTAMP:20261101T000000Z", ...lines, "END:VEVENT"];
const board = event(
  "SUMMARY:Board\\, then tea",
  "DESCRIPTION:Bring: tea and cake",
  "DTSTART;TZID=America/New_York:20261205T180000",
  "STATUS:CANCELLED",
);
const milk = ["BEGIN:VTODO", "UID:2", "DTSTAMP:20261101T000000Z", "SUMMARY:Buy milk", "DESCRIPTION:Two litres", "END:VTODO"];
for (const lines of [board, [...board, ...milk], event("SUMMARY:A coat of 100 % wool")]) {
  try {
    console.log(JSON.stringify(icsToJson(calendar(...lines))));
  } catch (error) {
    console.log(error.name);
  }
}
JS
node read.mjs >seen
cat seen
cat >expected <<'TEXT'
[{"summary":"Board\\, then tea","description":"Bring","startDate":"20261205T180000"}]
[{"summary":"Buy milk","description":"Two litres","startDate":"20261205T180000"}]
URIError
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
