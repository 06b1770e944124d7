#!/bin/sh
# parse-messy-time 2.1.0 (npm, Node 20), which reads the times that people write. A time it does not understand is midnight of the
# day it was written on, which is over: "in half an hour", "in two weeks" and "in three days". "Next month" is Monday, since "mon" is
# in it, "3 days from now" is today, "the day after tomorrow" tomorrow, "a week from friday" Friday, and "tonight at 8" was in the
# morning. It raises no error and tells nobody which words it left out. "In 2 hours" and "friday at noon" are right.
# Source: its README, "parse messy human date and time strings", whose examples have "in 2hrs 50 minutes" and "next friday". Seen on
# 2026-11-30, a Monday.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "parse-messy-time@2.1.0" >>npm.log 2>&1
cat >when.cjs <<'JS'
const parse = require("parse-messy-time");

const now = new Date(2026, 10, 30, 12);
const said = [
  "in 2 hours", "friday at noon", "in half an hour", "in two weeks", "in three days", "next month", "3 days from now at 5pm",
  "the day after tomorrow", "a week from friday", "tonight at 8",
];
for (const text of said) console.log(`${text}: ${parse(text, { now }).toString().slice(0, 21)}`);
JS
TZ=UTC node when.cjs >seen
cat seen
cat >expected <<'TEXT'
in 2 hours: Mon Nov 30 2026 14:00
friday at noon: Fri Dec 04 2026 12:00
in half an hour: Mon Nov 30 2026 00:00
in two weeks: Mon Nov 30 2026 00:00
in three days: Mon Nov 30 2026 00:00
next month: Mon Dec 07 2026 00:00
3 days from now at 5pm: Mon Nov 30 2026 17:00
the day after tomorrow: Tue Dec 01 2026 00:00
a week from friday: Fri Dec 04 2026 00:00
tonight at 8: Mon Nov 30 2026 08:00
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
