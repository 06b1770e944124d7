#!/bin/sh
# numerizer 0.0.4 (npm, Node.js 20), which writes numbers in words as digits. Parts are marked with "<frac>" before they are
# counted, and where nothing stands before the part the mark stays in what comes out: "half past five" is "<frac>2 past 5",
# "quarter past nine" "<frac>4 past 9". A year is a sum, "nineteen eighty four" 103, and "one twenty" 21; of "zero point five"
# the point stays a word. Each "one" is a number, "no one" "no 1", "the one I love" "the 1 I love"; "a hundred" ends in a space.
# Source: its README: "Numerizer is library for parsing numbers in natural language from strings", "library returns String, so
# do not forget to parseInt or parseFloat it", which makes NaN of the first. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "numerizer@0.0.4" >>npm.log 2>&1
cat >read.js <<'JS'
const numerizer = require("numerizer");

for (const text of [
  "forty two",
  "two and a half hours",
  "half past five",
  "quarter past nine",
  "nineteen eighty four",
  "one twenty",
  "zero point five",
  "no one",
  "the one I love",
  "a hundred",
])
  console.log(JSON.stringify(text), JSON.stringify(numerizer(text)));
console.log(parseFloat(numerizer("half past five")));
JS
node read.js >seen
cat seen
cat >expected <<'TEXT'
"forty two" "42"
"two and a half hours" "2.5 hours"
"half past five" "<frac>2 past 5"
"quarter past nine" "<frac>4 past 9"
"nineteen eighty four" "103"
"one twenty" "21"
"zero point five" "0 point 5"
"no one" "no 1"
"the one I love" "the 1 I love"
"a hundred" "100 "
NaN
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
