#!/bin/sh
# ts-ics 2.4.6 (npm, Node 20), a reader of iCalendar files. extendByRecurrenceRule(event.recurrenceRule, {start, exceptions})
# takes no time zone, so one calendar of Berlin has other meetings on each machine: with TZ=UTC, Thursday 19:00 becomes
# 18:00 after summer time, Thursday 00:30 becomes Friday, and an EXDATE after the change cancels nothing. In every zone,
# "the second Tuesday" (BYDAY=2TU) loses the hour and may lose the first meeting, and a meeting on each 31st is also
# held on the 30th, where RFC 5545 leaves months without a 31st out.
# Source: the README's chapter "extendByRecurrenceRule" and its types in dist/index.d.ts, which know no zone; RFC 5545,
# 3.3.10: invalid dates must be ignored, and the information that is missing comes from DTSTART. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "ts-ics@2.4.6"
cat >expand.cjs <<'JS'
const {convertIcsCalendar, extendByRecurrenceRule} = require("ts-ics");

const MEETINGS = {
  "each Thursday": ["20261015T190000", "FREQ=WEEKLY;BYDAY=TH;COUNT=4"],
  "not on the 29th": ["20261015T190000", "FREQ=WEEKLY;BYDAY=TH;COUNT=4", "20261029T190000"],
  "each Thursday night": ["20261015T003000", "FREQ=WEEKLY;BYDAY=TH;COUNT=4"],
  "second Tuesday": ["20261013T190000", "FREQ=MONTHLY;BYDAY=2TU;COUNT=3"],
  "each 31st": ["20261031T190000", "FREQ=MONTHLY;COUNT=3"],
};

function inBerlin(date) {
  const options = {timeZone: "Europe/Berlin", weekday: "short", day: "2-digit", month: "2-digit", hour: "2-digit", minute: "2-digit"};
  const parts = Object.fromEntries(new Intl.DateTimeFormat("en-GB", options).formatToParts(date).map((part) => [part.type, part.value]));
  return `${parts.weekday} ${parts.day}.${parts.month}. ${parts.hour}:${parts.minute}`;
}

for (const [name, [start, rule, cancelled]] of Object.entries(MEETINGS)) {
  const calendar = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//club//club//EN",
    "BEGIN:VEVENT",
    "UID:club@example.org",
    "DTSTAMP:20261001T000000Z",
    `DTSTART;TZID=Europe/Berlin:${start}`,
    "DURATION:PT1H",
    `RRULE:${rule}`,
    ...(cancelled ? [`EXDATE;TZID=Europe/Berlin:${cancelled}`] : []),
    "SUMMARY:Club",
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ].join("\r\n");
  const [event] = convertIcsCalendar(undefined, calendar).events;
  const exceptions = (event.exceptionDates ?? []).map((exception) => exception.date);
  const dates = extendByRecurrenceRule(event.recurrenceRule, {start: event.start.date, exceptions});
  console.log(`${process.env.TZ}, ${name}: ${dates.map(inBerlin).join(", ")}`);
}
JS
for zone in UTC America/New_York Europe/Berlin; do TZ=$zone node expand.cjs; done >seen
cat seen
cat >expected <<'TEXT'
UTC, each Thursday: Thu 15.10. 19:00, Thu 22.10. 19:00, Thu 29.10. 18:00, Thu 05.11. 18:00
UTC, not on the 29th: Thu 15.10. 19:00, Thu 22.10. 19:00, Thu 29.10. 18:00, Thu 05.11. 18:00
UTC, each Thursday night: Fri 16.10. 00:30, Fri 23.10. 00:30, Thu 29.10. 23:30, Thu 05.11. 23:30
UTC, second Tuesday: Tue 10.11. 01:00, Tue 08.12. 01:00, Tue 12.01. 01:00
UTC, each 31st: Sat 31.10. 19:00, Mon 30.11. 19:00, Wed 30.12. 19:00
America/New_York, each Thursday: Thu 15.10. 19:00, Thu 22.10. 19:00, Thu 29.10. 18:00, Thu 05.11. 19:00
America/New_York, not on the 29th: Thu 15.10. 19:00, Thu 22.10. 19:00, Thu 29.10. 18:00, Thu 05.11. 19:00
America/New_York, each Thursday night: Fri 16.10. 00:30, Fri 23.10. 00:30, Thu 29.10. 23:30, Fri 06.11. 00:30
America/New_York, second Tuesday: Wed 14.10. 02:00, Wed 11.11. 02:00, Wed 09.12. 01:00
America/New_York, each 31st: Sat 31.10. 19:00, Mon 30.11. 20:00, Wed 30.12. 20:00
Europe/Berlin, each Thursday: Thu 15.10. 19:00, Thu 22.10. 19:00, Thu 29.10. 19:00, Thu 05.11. 19:00
Europe/Berlin, not on the 29th: Thu 15.10. 19:00, Thu 22.10. 19:00, Thu 05.11. 19:00
Europe/Berlin, each Thursday night: Thu 15.10. 00:30, Thu 22.10. 00:30, Thu 29.10. 00:30, Thu 05.11. 00:30
Europe/Berlin, second Tuesday: Tue 10.11. 01:00, Tue 08.12. 01:00, Tue 12.01. 01:00
Europe/Berlin, each 31st: Sat 31.10. 19:00, Mon 30.11. 19:00, Wed 30.12. 19:00
TEXT
cmp seen expected
