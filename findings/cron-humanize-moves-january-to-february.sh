#!/bin/sh
# cron-humanize 1.0.7 (npm, Node 20), which says cron expressions in words. Months by number are one late: what fires in January
# is "in the month of February", what fires in November is in "December", and Christmas Eve, 24 12, is "in the month of
# undefined". Months by name are right (24 DEC), and so are weekdays by number. Of a list of days the first is lost: the 1st and
# the 15th are "during the st and 15", the 2nd, 3rd and 4th "during the nd, rd and 4".
# Source: its README, "Transforms cron expressions into human speech", which has 5 as June in its example; the documentation of
# the Quartz scheduler, whose format with seven fields and "?" it is: months are 1 to 12 or JAN to DEC. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "cron-humanize@1.0.7" >>npm.log 2>&1
cat >try.cjs <<'JS'
const { default: CronParser } = require("cron-humanize");

const { log } = console;
console.log = () => {};
for (const expression of ["0 0 9 ? 1 * *", "0 0 9 ? JAN * *", "0 0 9 ? 11 * *", "0 0 9 24 12 ? *", "0 0 9 24 DEC ? *",
  "0 0 9 ? 10-12 * *", "0 0 9 ? * 2,4 *", "0 0 9 1 * ? *", "0 0 9 1,15 * ? *", "0 0 9 2,3,4 * ? *"]) {
  log(`${expression}: ${CronParser.humanize(expression)}`);
}
JS
node try.cjs >seen
cat seen
cat >expected <<'TEXT'
0 0 9 ? 1 * *: Fire at 09:00, in the month of February, every day.
0 0 9 ? JAN * *: Fire at 09:00, in the month of January, every day.
0 0 9 ? 11 * *: Fire at 09:00, in the month of December, every day.
0 0 9 24 12 ? *: Fire at 09:00, on the 24th, in the month of undefined, every day.
0 0 9 24 DEC ? *: Fire at 09:00, on the 24th, in the month of December, every day.
0 0 9 ? 10-12 * *: Fire at 09:00, in the months of November through undefined, every day.
0 0 9 ? * 2,4 *: Fire at 09:00, only on Monday and Wednesday.
0 0 9 1 * ? *: Fire at 09:00, on the 1st of every month, every day.
0 0 9 1,15 * ? *: Fire at 09:00, during the st and 15 of every month, every day.
0 0 9 2,3,4 * ? *: Fire at 09:00, during the nd, rd and 4 of every month, every day.
TEXT
cmp seen expected
