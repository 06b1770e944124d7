#!/bin/sh
# relative-time-parser 1.0.15 (npm, Node 20), which moves a moment by what people type. What it does not understand ("+1.5h",
# "1h", "+ 1h", "in 2 days") is no error: the answer is now, whatever moment was asked about. Of "+1h30min" and "-1d12h" it
# takes the first part and drops the rest, and "+h" moves nothing. Written out as its README lists them, single units work.
# Its own test of the format, isRelativeTimeFormat, says yes to "+1h30min".
# Source: its README, "This plugin converts a simple string to a manipulated moment object" and "'now' - now", the only word
# that it lists for the present. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --ignore-scripts relative-time-parser@1.0.15 >>npm.log 2>&1
cat >try.cjs <<'JS'
const moment = require("relative-time-parser");
for (const typed of ["+1h", "+90min", "-2weeks", "+1h30min", "-1d12h", "+h", "+1.5h", "1h", "+ 1h", "in 2 days"]) {
  const isFormat = moment().isRelativeTimeFormat(typed) ? "a format" : "no format";
  const moved = moment.utc("2020-05-01T12:00:00Z").relativeTime(typed);
  const isNow = Math.abs(moved.valueOf() - Date.now()) < 60000;
  console.log("1 May 2020, 12:00,", typed, "->", isNow ? "now" : moved.format("D MMM YYYY, HH:mm"), `(${isFormat})`);
}
JS
node try.cjs | tee seen
cat >expected <<'TEXT'
1 May 2020, 12:00, +1h -> 1 May 2020, 13:00 (a format)
1 May 2020, 12:00, +90min -> 1 May 2020, 13:30 (a format)
1 May 2020, 12:00, -2weeks -> 17 Apr 2020, 12:00 (a format)
1 May 2020, 12:00, +1h30min -> 1 May 2020, 13:00 (a format)
1 May 2020, 12:00, -1d12h -> 30 Apr 2020, 12:00 (a format)
1 May 2020, 12:00, +h -> 1 May 2020, 12:00 (a format)
1 May 2020, 12:00, +1.5h -> now (no format)
1 May 2020, 12:00, 1h -> now (no format)
1 May 2020, 12:00, + 1h -> now (no format)
1 May 2020, 12:00, in 2 days -> now (no format)
TEXT
cmp seen expected
