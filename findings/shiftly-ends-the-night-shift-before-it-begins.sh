#!/bin/sh
# @statengine/shiftly 0.0.131 (npm, Node 20), which tells which shift works, and from when to when. With shifts of 12 hours it
# knows at 23:00 that the night shift B works, and says that it works from 08:00 to 20:00, which is over and was A's; at three in
# the morning B's time is that of the day before. With three shifts of eight hours two thirds of all times are another's. Only
# whether it is before the morning's change is looked at; how long a shift is only moves its end. With a day for each shift all is
# right, except that in spring the shift that begins before the clocks change is to end an hour late.
# Source: the README: "shiftDuration: Number of hours for each shift in the pattern"; shiftTimeFrame in lib/index.js: "the start
# and end time of the shift". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "@statengine/shiftly@0.0.131" >>npm.log 2>&1
cat >works.cjs <<'JS'
const { ShiftConfiguration } = require("@statengine/shiftly");

const clock = (text) => text.slice(8, 16).replace("T", ". ");
for (const [pattern, shiftDuration] of [["ABC", 24], ["AB", 12], ["ABC", 8]]) {
  const from = { firstDay: "2026-03-02", shiftStart: "0800", timeZone: "America/New_York" };
  const plan = new ShiftConfiguration({ pattern, shiftDuration, ...from });
  for (const time of ["02T09:00", "02T17:00", "02T23:00", "03T03:00"]) {
    const now = `2026-03-${time}:00-05:00`;
    const { start, end } = plan.shiftTimeFrame(now);
    console.log(`${shiftDuration} hours, ${clock(now)}: ${plan.calculateShift(now)} works from ${clock(start)} to ${clock(end)}`);
  }
  if (shiftDuration === 24) {
    console.log("before summer time, ends:", plan.shiftTimeFrame("2026-03-07T09:00:00-05:00").end);
  }
}
JS
TZ=UTC node works.cjs 2>/dev/null | tee seen
cat >expected <<'TEXT'
24 hours, 02. 09:00: A works from 02. 08:00 to 03. 08:00
24 hours, 02. 17:00: A works from 02. 08:00 to 03. 08:00
24 hours, 02. 23:00: A works from 02. 08:00 to 03. 08:00
24 hours, 03. 03:00: A works from 02. 08:00 to 03. 08:00
before summer time, ends: 2026-03-08T09:00:00-04:00
12 hours, 02. 09:00: A works from 02. 08:00 to 02. 20:00
12 hours, 02. 17:00: A works from 02. 08:00 to 02. 20:00
12 hours, 02. 23:00: B works from 02. 08:00 to 02. 20:00
12 hours, 03. 03:00: B works from 02. 08:00 to 02. 20:00
8 hours, 02. 09:00: A works from 02. 08:00 to 02. 16:00
8 hours, 02. 17:00: B works from 02. 08:00 to 02. 16:00
8 hours, 02. 23:00: B works from 02. 08:00 to 02. 16:00
8 hours, 03. 03:00: C works from 02. 08:00 to 02. 16:00
TEXT
cmp seen expected
