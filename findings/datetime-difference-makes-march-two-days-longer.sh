#!/bin/sh
# datetime-difference 1.0.2 (npm, Node 20), which says how long it is between two times. It counts by the calendar of Greenwich,
# and where the clock is another, days of other months come in: in Berlin all of March, from the 1st to the 1st of April, is 1
# month, 2 days and 23 hours, all of October 1 month, 1 day and 1 hour, and from noon to noon over the night in which clocks
# change it is 23 hours. In London, which has Greenwich's clock in winter, March is 30 days and 23 hours. From 31 May it is 30
# days to 30 June and 1 month to 1 July, with nothing between.
# Source: its README ("the difference between two dates in the human-friendly format"; to its example from 1 January to 1
# January: "0, because you don't think about leap years as well as about daylight time when counting dates!", in local time).
# Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "datetime-difference@1.0.2" >>npm.log 2>&1
cat >try.cjs <<'JS'
const datetimeDifference = require("datetime-difference");

for (const [from, to] of [
  ["2016-01-01T00:00", "2026-01-01T00:00"],
  ["2026-03-01T00:00", "2026-04-01T00:00"],
  ["2026-10-01T00:00", "2026-11-01T00:00"],
  ["2026-03-28T12:00", "2026-03-29T12:00"],
  ["2026-05-31T12:00", "2026-06-30T12:00"],
  ["2026-05-31T12:00", "2026-07-01T12:00"],
]) {
  const difference = datetimeDifference(new Date(from), new Date(to));
  const parts = Object.entries(difference).filter(([, count]) => count).map(([unit, count]) => `${count} ${unit}`);
  console.log(`${process.env.TZ}, ${from} to ${to}: ${parts.join(", ")}`);
}
JS
for zone in Europe/Berlin Europe/London; do
    TZ=$zone node try.cjs
done >seen
cat seen
cat >expected <<'TEXT'
Europe/Berlin, 2016-01-01T00:00 to 2026-01-01T00:00: 10 years
Europe/Berlin, 2026-03-01T00:00 to 2026-04-01T00:00: 1 months, 2 days, 23 hours
Europe/Berlin, 2026-10-01T00:00 to 2026-11-01T00:00: 1 months, 1 days, 1 hours
Europe/Berlin, 2026-03-28T12:00 to 2026-03-29T12:00: 23 hours
Europe/Berlin, 2026-05-31T12:00 to 2026-06-30T12:00: 30 days
Europe/Berlin, 2026-05-31T12:00 to 2026-07-01T12:00: 1 months
Europe/London, 2016-01-01T00:00 to 2026-01-01T00:00: 10 years
Europe/London, 2026-03-01T00:00 to 2026-04-01T00:00: 30 days, 23 hours
Europe/London, 2026-10-01T00:00 to 2026-11-01T00:00: 1 months, 1 days, 1 hours
Europe/London, 2026-03-28T12:00 to 2026-03-29T12:00: 23 hours
Europe/London, 2026-05-31T12:00 to 2026-06-30T12:00: 30 days
Europe/London, 2026-05-31T12:00 to 2026-07-01T12:00: 1 months
TEXT
cmp seen expected
