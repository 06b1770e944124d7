#!/bin/sh
# working-time-calculator 0.0.2 (npm, Node 20), which counts the working hours between two times, less what a calendar excludes.
# Of a series only the first time is excluded, and only what has an end in the file: Christmas with RRULE:FREQ=YEARLY from 2020
# is off in 2020 and a working day in each year after it, as are a day off that is written without its end and a meeting that
# has a DURATION. A shift from 22:00 to 06:00 has four of its eight hours.
# Source: its README ("Calculates the difference between two dates (& times) within working hours, excluding various
# exceptions"; "Import local calendar file", there with public holidays); RFC 5545, 3.8.5.3 (RRULE) and 3.6.1: an event with a
# DATE and no end lasts one day, and DURATION may stand for DTEND. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "working-time-calculator@0.0.2" >>npm.log 2>&1
cat >try.cjs <<'JS'
const fs = require("node:fs");
const WorkingTimeCalculator = require("working-time-calculator");

async function hours(title, event, from, to, working = ["09:00", "17:00"]) {
  const calculator = new WorkingTimeCalculator();
  calculator.addWorkingHours([1, 2, 3, 4, 5, 6, 7], ...working, "UTC");
  if (event.length) {
    const lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//EN", "BEGIN:VEVENT", "UID:1@example.org",
      "DTSTAMP:20200101T000000Z", "SUMMARY:Off", ...event, "END:VEVENT", "END:VCALENDAR", ""];
    fs.writeFileSync("off.ics", lines.join("\r\n"));
    await calculator.excludeCalendarFile({ path: "./off.ics" });
  }
  console.log(`${title}: ${calculator.calcHoursBetween(from, to)} hours`);
}

async function main() {
  const series = ["DTSTART;VALUE=DATE:20201225", "DTEND;VALUE=DATE:20201226", "RRULE:FREQ=YEARLY"];
  await hours("Christmas 2020", series, "2020-12-25T00:00:00Z", "2020-12-26T00:00:00Z");
  for (const year of [2021, 2026]) {
    await hours(`Christmas ${year}`, series, `${year}-12-25T00:00:00Z`, `${year}-12-26T00:00:00Z`);
  }
  const day = ["2026-12-01T00:00:00Z", "2026-12-02T00:00:00Z"];
  await hours("day off with its end", ["DTSTART;VALUE=DATE:20261201", "DTEND;VALUE=DATE:20261202"], ...day);
  await hours("day off without one", ["DTSTART;VALUE=DATE:20261201"], ...day);
  await hours("two hours off by DTEND", ["DTSTART:20261201T100000Z", "DTEND:20261201T120000Z"], ...day);
  await hours("two hours off by DURATION", ["DTSTART:20261201T100000Z", "DURATION:PT2H"], ...day);
  await hours("a night from 22:00 to 06:00", [], "2026-12-01T20:00:00Z", "2026-12-02T08:00:00Z", ["22:00", "06:00"]);
}
main();
JS
TZ=UTC node try.cjs >seen
cat seen
cat >expected <<'TEXT'
Christmas 2020: 0 hours
Christmas 2021: 8 hours
Christmas 2026: 8 hours
day off with its end: 0 hours
day off without one: 8 hours
two hours off by DTEND: 6 hours
two hours off by DURATION: 8 hours
a night from 22:00 to 06:00: 4 hours
TEXT
cmp seen expected
