#!/bin/sh
# js-duration-parser 1.1.3 (npm, Node 20), which reads and writes durations such as "2d 10h 30m". The example of a correct
# duration in its README is refused, and so is "30m 1h": units must come from the longest to the shortest. Written, 1.1 hours
# are an hour, six minutes and two seconds, 2.3 hours 2h 17m 59s, and read again they are 1.1006 and 2.2997 hours: a time that
# is kept as a number and edited as a text comes back as another one.
# Source: its README, "Number of spaces does not matter too, so eg. '  2d   30m1h 20s   ' is correct duration" and "reverse
# operation". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --ignore-scripts js-duration-parser@1.1.3 >>npm.log 2>&1
cat >try.cjs <<'JS'
const { default: DurationParser, DurationValidator } = require("js-duration-parser");
const parser = new DurationParser();
for (const typed of ["  2d   30m1h 20s   ", "30m 1h", "2d 1h30m 20s", "1h 30m"]) {
  console.log(JSON.stringify(typed), "is read as", parser.parse(typed), "valid:", new DurationValidator().validate(typed));
}
for (const hours of [0.5, 1.1, 1.25, 2.3, 4.6, 24.5, 221]) {
  const text = parser.compose(hours, "h");
  console.log(hours, "hours are written", text, "and read as", parser.parse(text, "h"));
}
JS
node try.cjs | tee seen
cat >expected <<'TEXT'
"  2d   30m1h 20s   " is read as null valid: false
"30m 1h" is read as null valid: false
"2d 1h30m 20s" is read as 2970.3333333333335 valid: true
"1h 30m" is read as 90 valid: true
0.5 hours are written 30m and read as 0.5
1.1 hours are written 1h 6m 2s and read as 1.1005555555555557
1.25 hours are written 1h 15m and read as 1.25
2.3 hours are written 2h 17m 59s and read as 2.299722222222222
4.6 hours are written 4h 35m 59s and read as 4.599722222222222
24.5 hours are written 1d 30m and read as 24.5
221 hours are written 1w 2d 5h and read as 221
TEXT
cmp seen expected
