#!/bin/sh
# time-speak 1.9.0 (npm, Node 20), which reads spans of time in English. The point of a number is taken out, and the digits stay: "in 1.5
# hours" is in fifteen, 0.5 hours are five, and 2.25 days 225. "1/2 hour" is twelve hours, "1,5 hours" are fifteen too, and "-5
# minutes" are five. Of "in 1 hour 30" the 30 is dropped, and "2:30" are no time at all: 0. What it does not know it refuses,
# as it says, even "in an hour", though "in a month" is read.
# Source: its README: it parses "to either a Date instance or a numerical value in milliseconds", and the handling of numbers and
# separators in its dist folder; InvalidInputError is thrown for what is no valid input. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >log
npm install --no-audit --no-fund --silent time-speak@1.9.0 >log
cat >read.mjs <<'JS'
import { parse } from "time-speak";

const minutes = (text) => {
  const now = Date.now();
  try {
    const read = parse(text);
    return `${Math.round((read instanceof Date ? read - now : read) / 60000)} minutes`;
  } catch (error) {
    return error.constructor.name;
  }
};
for (const text of ["90 minutes", "in 2 hours and 5 minutes", "in 1.5 hours", "0.5 hours", "2.25 days", "1,5 hours", "1/2 hour",
  "-5 minutes", "in 1 hour 30", "2:30", "in a month", "in an hour"])
  console.log(`${text} -> ${minutes(text)}`);
JS
node read.mjs >seen
cat seen
cat >expected <<'TEXT'
90 minutes -> 90 minutes
in 2 hours and 5 minutes -> 125 minutes
in 1.5 hours -> 900 minutes
0.5 hours -> 300 minutes
2.25 days -> 324000 minutes
1,5 hours -> 900 minutes
1/2 hour -> 720 minutes
-5 minutes -> 5 minutes
in 1 hour 30 -> 60 minutes
2:30 -> 0 minutes
in a month -> 43200 minutes
in an hour -> InvalidInputError
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
