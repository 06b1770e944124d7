#!/bin/sh
# ical-toolkit 1.0.9 (npm, Node 20), whose parser makes JSON of iCalendar files. What stands behind an event with an alarm is gone,
# up to the next event: of choir, chess and tea, each with an alarm half an hour before, choir and tea are left, and of ten such
# meetings five. Without alarms all three are there. No error says that something was left out. Of two comments the last is kept.
# Source: its README: "ICal generator/updater/parser with Timezone/DST, Alams, Organizers, Events, etc. support", "Parse the ics
# files to JSON structures"; RFC 5545, 3.6.1: an event may have alarms. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "ical-toolkit@1.0.9" >>npm.log 2>&1
cat >read.cjs <<'JS'
const { parseToJSON } = require("ical-toolkit");

const alarm = ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT30M", "DESCRIPTION:soon", "END:VALARM"];
function read(names, lines) {
  const events = names.flatMap((name, number) => [
    "BEGIN:VEVENT", `UID:${number}@example.org`, "DTSTAMP:20261130T120000Z", "DTSTART:20261204T190000Z", `SUMMARY:${name}`,
    ...lines, "END:VEVENT",
  ]);
  const file = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//club//EN", ...events, "END:VCALENDAR", ""].join("\r\n");
  return parseToJSON(file).VCALENDAR[0].VEVENT;
}
const names = ["Choir", "Chess", "Tea"];
console.log("without alarms:", ...read(names, []).map((event) => event.SUMMARY));
console.log("with alarms:", ...read(names, alarm).map((event) => event.SUMMARY));
console.log("of ten with alarms:", read([..."abcdefghij"], alarm).length);
console.log("of two comments:", read(["Choir"], ["COMMENT:No nuts", "COMMENT:Bring tea"])[0].COMMENT);
JS
node read.cjs >seen
cat seen
cat >expected <<'TEXT'
without alarms: Choir Chess Tea
with alarms: Choir Tea
of ten with alarms: 5
of two comments: Bring tea
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
