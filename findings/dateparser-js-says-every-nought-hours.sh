#!/bin/sh
# dateparser 1.0.6 (npm, Node 20), which reads how often something is to happen and says it back. It reads "every 8 hours" rightly,
# as 28,800,000 milliseconds, and says "every 0 hour", as it does of each number of hours from 2 to 23 and of 90 minutes. "every 36
# hours" comes back as "every 1 day", "every 10 days" as "every 1 week", "every 5 weeks" as "every 1 month", so that whoever confirms
# a dose or a reminder by the sentence confirms another. Read again, "every 0 hour" is every hour: eight pills for one.
# Source: the README: "every 48 hours" and "once per hour" are among its examples, and "format" is to "format a result object
# returned from parse in a human readable format"; index.js divides hours by times.day and rounds down without a rest. Seen on
# 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "dateparser@1.0.6" >>npm.log 2>&1
cat >say.cjs <<'JS'
const { parse, format } = require("dateparser");

const minute = 60000;
const typed = ["every hour", "every 2 hours", "every 8 hours", "every 12 hours", "90 minutes", "every 36 hours", "every 48 hours"];
for (const words of [...typed, "every 10 days", "every 20 days", "every 5 weeks", "every other week"]) {
  const read = parse(words);
  const said = format(read);
  const again = parse(said);
  console.log(`"${words}" is ${read.value / minute} min, said "${said}", read again ${again && again.value / minute} min`);
}
JS
node say.cjs | tee seen
cat >expected <<'TEXT'
"every hour" is 60 min, said "every hour", read again 60 min
"every 2 hours" is 120 min, said "every 0 hour", read again 60 min
"every 8 hours" is 480 min, said "every 0 hour", read again 60 min
"every 12 hours" is 720 min, said "every 0 hour", read again 60 min
"90 minutes" is 90 min, said "every 0 hour", read again 60 min
"every 36 hours" is 2160 min, said "every 1 day", read again 1440 min
"every 48 hours" is 2880 min, said "every 2 days", read again 2880 min
"every 10 days" is 14400 min, said "every 1 week", read again 10080 min
"every 20 days" is 28800 min, said "every 2 weeks", read again 20160 min
"every 5 weeks" is 50400 min, said "every 1 month", read again 43833.333333333336 min
"every other week" is 20160 min, said "every 2 weeks", read again 20160 min
TEXT
cmp seen expected
