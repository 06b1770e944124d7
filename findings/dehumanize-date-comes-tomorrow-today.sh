#!/bin/sh
# dehumanize-date 3.0.0 (npm, Node 20), which reads the dates that people type. A day is 24 hours here. In Berlin on the day on
# which clocks go back, "tomorrow" typed at half past midnight is today, "7 days from now" is six days away, and "next friday"
# or "3 days from now" typed in the days before, at that hour, come a day early: that friday is a Thursday. In spring it is
# the other way round: typed late on Saturday evening, "tomorrow" is Monday, and "next friday" is a Saturday.
# Source: its README, "today/tomorrow/yesterday", "next/this/last Wednesday"; addDays in index.js adds 60 * 60 * 24 * 1000
# milliseconds a day and then reads the local date. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --ignore-scripts dehumanize-date@3.0.0 >>npm.log 2>&1
cat >try.cjs <<'JS'
const dehumanize = require("dehumanize-date");
const typed = [
  [new Date(2026, 9, 24, 0, 30), "tomorrow"],
  [new Date(2026, 9, 25, 0, 30), "tomorrow"],
  [new Date(2026, 9, 25, 0, 30), "7 days from now"],
  [new Date(2026, 9, 23, 0, 30), "3 days from now"],
  [new Date(2026, 9, 20, 0, 30), "next friday"],
  [new Date(2026, 2, 28, 22, 30), "tomorrow"],
  [new Date(2026, 2, 28, 23, 30), "tomorrow"],
  [new Date(2026, 2, 26, 23, 30), "next friday"],
];
for (const [now, words] of typed) {
  console.log(now.toString().slice(0, 21), words, "->", dehumanize(words, { now }));
}
JS
TZ=Europe/Berlin node try.cjs | tee seen
cat >expected <<'TEXT'
Sat Oct 24 2026 00:30 tomorrow -> 2026-10-25
Sun Oct 25 2026 00:30 tomorrow -> 2026-10-25
Sun Oct 25 2026 00:30 7 days from now -> 2026-10-31
Fri Oct 23 2026 00:30 3 days from now -> 2026-10-25
Tue Oct 20 2026 00:30 next friday -> 2026-10-29
Sat Mar 28 2026 22:30 tomorrow -> 2026-03-29
Sat Mar 28 2026 23:30 tomorrow -> 2026-03-30
Thu Mar 26 2026 23:30 next friday -> 2026-04-04
TEXT
cmp seen expected
