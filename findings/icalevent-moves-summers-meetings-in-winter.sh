#!/bin/sh
# icalevent 0.3.2 (npm, Node 20), which writes an invitation as a calendar file. Written in January, a meeting of July at 20:00 in
# Berlin is at 19:00 in the file, in Berlin's time; written in July it is right, and the one of January is at 21:00 then. What is
# taken off is today's distance from Greenwich, which the README hands over for every meeting, and the zone's name is put beside
# the outcome. Without it each time is "NaNNaNNaNTNaNNaNNaN" in Los Angeles' zone. A description of two lines goes on in a line
# that is no property, and a name with a comma stands without the quotation marks that it needs.
# Source: the README: "offset: new Date().getTimezoneOffset()" and, for times, texts that have their own offset; RFC 5545, 3.1
# (lines), 3.2 (a parameter's value with a comma stands between quotation marks), 3.3.5 (a local time with TZID is that zone's),
# 3.3.11 (line breaks in texts are "\n"). The two days are stood for by their offsets. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "icalevent@0.3.2" >>npm.log 2>&1
cat >write.cjs <<'JS'
const Event = require("icalevent");

function write(written, day, details) {
  const offset = written && new Date(written).getTimezoneOffset(); // as the README does, on that day
  const event = new Event({
    uid: "tea",
    offset,
    timezone: offset === undefined ? undefined : "Europe/Berlin",
    start: day,
    end: day,
    ...details,
  });
  return event.toFile().split("\r\n").join("\n").split("\n");
}
const days = ["2026-07-01T20:00:00+02:00", "2026-01-15T20:00:00+01:00"];
for (const written of ["2026-01-10T12:00:00", "2026-07-10T12:00:00", undefined]) {
  for (const day of days) {
    const start = write(written, day, {}).find((line) => line.startsWith("DTSTART"));
    console.log(`written ${written?.slice(0, 10) ?? "without an offset"}: ${day} is ${start}`);
  }
}
const details = { description: "Bring cake\nNo nuts", organizer: { name: "Berg, Anna", email: "a@x.example" } };
const lines = write("2026-01-10T12:00:00", days[1], details);
console.log(lines.slice(lines.findIndex((line) => line.startsWith("DESCRIPTION"))).slice(0, 3).join("\n"));
JS
TZ=Europe/Berlin node write.cjs | tee seen
cat >expected <<'TEXT'
written 2026-01-10: 2026-07-01T20:00:00+02:00 is DTSTART;TZID=Europe/Berlin:20260701T190000
written 2026-01-10: 2026-01-15T20:00:00+01:00 is DTSTART;TZID=Europe/Berlin:20260115T200000
written 2026-07-10: 2026-07-01T20:00:00+02:00 is DTSTART;TZID=Europe/Berlin:20260701T200000
written 2026-07-10: 2026-01-15T20:00:00+01:00 is DTSTART;TZID=Europe/Berlin:20260115T210000
written without an offset: 2026-07-01T20:00:00+02:00 is DTSTART;TZID=US/Pacific:NaNNaNNaNTNaNNaNNaN
written without an offset: 2026-01-15T20:00:00+01:00 is DTSTART;TZID=US/Pacific:NaNNaNNaNTNaNNaNNaN
DESCRIPTION:Bring cake
No nuts
ORGANIZER;CN=Berg, Anna:mailto:a@x.example
TEXT
cmp seen expected
