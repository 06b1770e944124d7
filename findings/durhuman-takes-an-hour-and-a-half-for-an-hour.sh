#!/bin/sh
# durhuman 0.0.0-alpha.3 (npm, Node 20), which makes a number of a duration that people write. What follows the first number and its
# unit is left out without a word, and so is what follows the point: "1 hour 30 minutes" and "1.5 hours" are one hour each, "2 days 3
# hours" two days, and "10.5 minutes" ten. "0.5 hours" is nothing at all, so what should end in half an hour ends at once.
# Source: its README: "This tiny package let's you write '23 days' and parse it to into a number"; nothing there says that a duration
# has one whole number. A duration it cannot read at all ("90 min") is undefined. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "durhuman@0.0.0-alpha.3" >>npm.log 2>&1
cat >long.mjs <<'JS'
import * as durhuman from "durhuman";

const duration = durhuman.default?.default ?? durhuman.default;

for (const said of ["2 days", "1 hour 30 minutes", "1.5 hours", "2 days 3 hours", "10.5 minutes", "0.5 hours", "90 min"]) {
  console.log(`${said}: ${duration(said, "minutes")} minutes`);
}
JS
node long.mjs >seen
cat seen
cat >expected <<'TEXT'
2 days: 2880 minutes
1 hour 30 minutes: 60 minutes
1.5 hours: 60 minutes
2 days 3 hours: 2880 minutes
10.5 minutes: 10 minutes
0.5 hours: 0 minutes
90 min: NaN minutes
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
