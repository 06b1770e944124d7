#!/bin/sh
# crontzconvert 1.1.1 (npm, Node 20), which rewrites a cron expression for another time zone. As soon as the hour goes over
# midnight, the month goes too: 23:00 UTC on each day of December is 8:00 in Tokyo on each day of January. The 30th of each
# month becomes the 31st, so five months are left out, and the 31st becomes the 1st, twelve months instead of seven. 9:00 and
# 23:00 UTC on Monday become 8:00 and 18:00 in Tokyo on Monday: the first is a day too early. The last day of a month
# ("L") becomes the 1st though no day changes (Lagos to UTC). For Kolkata, half an hour off, 23:15 and 23:45 stay at :15 and :45.
# A single minute and a single hour are moved as they must be.
# Source: README: it "transforms the cron expression for that timezone", with examples for "L" and for one month's end. Seen
# on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >log
npm install --no-audit --no-fund --silent crontzconvert@1.1.1 >log
cat >convert.cjs <<'JS'
const { convert } = require("crontzconvert");

for (const [cron, from, to] of [
  ["0 30 23 * * 1", "UTC", "Asia/Kolkata"],
  ["0 0 23 * 12 *", "UTC", "Asia/Tokyo"],
  ["0 0 23 30 * *", "UTC", "Asia/Tokyo"],
  ["0 0 23 31 * *", "UTC", "Asia/Tokyo"],
  ["0 0 9,23 * * 1", "UTC", "Asia/Tokyo"],
  ["0 0 23 L * *", "Africa/Lagos", "UTC"],
  ["0 15,45 23 * * 1", "UTC", "Asia/Kolkata"],
])
  console.log(`${cron} ${from} -> ${convert(cron, from, to)} ${to}`);
JS
TZ=UTC node convert.cjs >seen
cat seen
cat >expected <<'TEXT'
0 30 23 * * 1 UTC -> 0 0 5 * * 2 Asia/Kolkata
0 0 23 * 12 * UTC -> 0 0 8 * 1 * Asia/Tokyo
0 0 23 30 * * UTC -> 0 0 8 31 * * Asia/Tokyo
0 0 23 31 * * UTC -> 0 0 8 1 * * Asia/Tokyo
0 0 9,23 * * 1 UTC -> 0 0 8,18 * * 1 Asia/Tokyo
0 0 23 L * * Africa/Lagos -> 0 0 22 1 * * UTC
0 15,45 23 * * 1 UTC -> 0 15,45 4 * * 2 Asia/Kolkata
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
