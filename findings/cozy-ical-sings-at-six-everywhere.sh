#!/bin/sh
# cozy-ical 1.1.22 (npm, Node 20), which reads and writes iCalendar files. A meeting with a rule (each week) is written in the hours of
# Greenwich without saying so: what begins at 18:00 UTC, seven in Berlin, is at "20261204T180000", which is six o'clock wherever one
# reads it. Once only, it has its "Z". A guest called "Okri, Ben" is written without quotation marks, which a comma needs, and one that
# stands in them is read as "%22Okri%2C%20Ben%22". A to-do without a beginning begins when it is read.
# Source: its README: "meant to support all iCal features as defined in RFC 5545"; RFC 5545, 3.3.5: a time without Z and without a zone
# is the reader's own, and 3.2: a comma in a parameter needs quotation marks, which are no part of it. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "cozy-ical@1.1.22" >>npm.log 2>&1
cat >write.cjs <<'JS'
const { ICalParser, VCalendar, VEvent } = require("cozy-ical");

const choir = {
  uid: "1@example.org", stampDate: new Date("2026-11-30T12:00:00Z"), startDate: new Date("2026-12-04T18:00:00Z"),
  endDate: new Date("2026-12-04T20:00:00Z"), summary: "Choir",
  attendees: [{ email: "ben@example.org", details: { name: "Okri, Ben", status: "ACCEPTED" } }],
};
for (const rrule of [undefined, { freq: 2, count: 3 }]) {
  const calendar = new VCalendar({ organization: "example", title: "club" });
  calendar.add(new VEvent({ ...choir, rrule }));
  console.log(calendar.toString().split("\r\n").filter((line) => /^(DTSTART|RRULE|ATTENDEE)/.test(line)).join("\n"));
}
const file = [
  "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//club//EN", "BEGIN:VEVENT", "UID:1@example.org", "DTSTAMP:20261130T120000Z",
  "DTSTART:20261204T180000Z", 'ATTENDEE;CN="Okri, Ben";PARTSTAT=ACCEPTED:mailto:ben@example.org', "END:VEVENT",
  "BEGIN:VTODO", "UID:2@example.org", "DTSTAMP:20261130T120000Z", "SUMMARY:Buy presents", "END:VTODO", "END:VCALENDAR",
].join("\r\n");
new ICalParser().parseString(file, (error, calendar) => {
  const [event, todo] = calendar.subComponents.map((component) => component.model);
  console.log("guest:", event.attendees[0].details.name);
  console.log("the to-do begins now:", Math.abs(Date.now() - todo.startDate) < 60000);
});
JS
TZ=UTC node write.cjs >seen
cat seen
cat >expected <<'TEXT'
DTSTART:20261204T180000Z
ATTENDEE;PARTSTAT=ACCEPTED;CN=Okri, Ben:mailto:ben@example.org
DTSTART:20261204T180000
ATTENDEE;PARTSTAT=ACCEPTED;CN=Okri, Ben:mailto:ben@example.org
RRULE:FREQ=WEEKLY;COUNT=3
guest: %22Okri%2C%20Ben%22
the to-do begins now: true
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
