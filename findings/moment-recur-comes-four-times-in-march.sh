#!/bin/sh
# moment-recur 1.0.7 with moment 2.31.0, and dayjs-recur 1.0.1 with dayjs 1.11.23 (npm, Node 20), recurring dates. "Every month" from the last day of
# a month comes on that day and on all later ones: rent that is due each month from 28 February is due on the 28th, 29th, 30th and
# 31st of March, and from 30 April twice in each long month. A birthday on 28 February is twice in 2028. From the 31st a
# month is right. The 30th (a calendar interval, "daysOfMonth") comes once a month.
# Source: README of both: "A yearly interval - will match any date that is exactly 1 year from myDate", the same of months. Seen on
# 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >log
npm install --no-audit --no-fund --silent moment-recur@1.0.7 moment@2.31.0 dayjs-recur@1.0.1 dayjs@1.11.23 >log
cat >recur.cjs <<'JS'
const dayjs = require("dayjs");
const moment = require("moment");
dayjs.extend(require("dayjs-recur"));
require("moment-recur");

for (const [name, library] of Object.entries({ moment, dayjs })) {
  const next = (start, unit) => library(start).recur().every(1, unit).next(6).map((date) => date.format("YYYY-MM-DD")).join(" ");
  console.log(name, "28 February, monthly:", next("2026-02-28", "month"));
  console.log(name, "30 April, monthly:", next("2026-04-30", "month"));
  console.log(name, "31 January, monthly:", next("2026-01-31", "month"));
  console.log(name, "28 February, yearly:", next("2026-02-28", "year"));
}
JS
TZ=UTC node recur.cjs >seen
cat seen
for name in moment dayjs; do
  cat <<TEXT
$name 28 February, monthly: 2026-03-28 2026-03-29 2026-03-30 2026-03-31 2026-04-28 2026-04-29
$name 30 April, monthly: 2026-05-30 2026-05-31 2026-06-30 2026-07-30 2026-07-31 2026-08-30
$name 31 January, monthly: 2026-02-28 2026-03-31 2026-04-30 2026-05-31 2026-06-30 2026-07-31
$name 28 February, yearly: 2027-02-28 2028-02-28 2028-02-29 2029-02-28 2030-02-28 2031-02-28
TEXT
done >expected
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
