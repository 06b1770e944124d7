#!/bin/sh
# simple-duration 1.1.1 (npm, Node 20), which writes seconds as people read them, rounded to the unit that is asked for. It splits
# first and rounds afterwards: a second less than an hour, to the minute, is "60m", half a minute less than a day is "23h 60m", a
# walk of 7199.5 seconds "1h 59m 60s", and without a unit two seconds less a ten-thousandth are "1s 1000ms". So "60m" and "1h"
# stand beside each other for times a second apart, and whoever compares the texts or counts by them has two of them.
# Source: the README: "When formatting the stringify function will always use a normalizing process"; the Simple Duration Format's
# specification, "Normalization" ("345h" is "14d 9h": the most significant unit first, then the rest) and "Rounding". Seen on
# 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "simple-duration@1.1.1" >>npm.log 2>&1
cat >say.mjs <<'JS'
import { stringify } from "simple-duration";

const asked = [[3600, "m"], [3599, "m"], [86400, "m"], [86370, "m"], [86370, "h"], [7199.5, "s"], [1.9999], [59.9999]];
for (const [seconds, unit] of asked) {
  console.log(`${seconds} s to the ${unit ?? "default"}: ${stringify(seconds, unit)}`);
}
JS
node say.mjs | tee seen
cat >expected <<'TEXT'
3600 s to the m: 1h
3599 s to the m: 60m
86400 s to the m: 1d
86370 s to the m: 23h 60m
86370 s to the h: 24h
7199.5 s to the s: 1h 59m 60s
1.9999 s to the default: 1s 1000ms
59.9999 s to the default: 59s 1000ms
TEXT
cmp seen expected
