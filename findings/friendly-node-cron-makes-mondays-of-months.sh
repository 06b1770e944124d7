#!/bin/sh
# friendly-node-cron 1.4.1 with node-cron 4.6.0 (npm), cron lines out of words. Days are looked for by their first letters, and
# "month" begins with those of Monday: "at 9:30 every month" is at half past nine each Monday; with a number before it, "every
# 3 months", the day is -1, which node-cron takes for no cron line. A month's day counts only behind three letters: "on
# mar 15" is a day, "on march 15" each day of March, "on 15 mar" month -1. "From monday through friday" are two days, "except
# sundays" are Sundays, and "every 2 days at 8:00" is daily.
# Source: its README: intervals "second, minute, hour, day, month", "You can also write the full words like in december at
# 9:30", "from <num> through <num>", "Cron Expressions are doublechecked with crontab.guru"; dayParser and dateParser
# in index.js. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "friendly-node-cron@1.4.1" "node-cron@4.6.0" >>npm.log 2>&1
cat >read.js <<'JS'
const cron = require("node-cron");
const translate = require("friendly-node-cron");

for (const text of [
  "at 9:04:52 every mondays in december",
  "at 9:30 every month",
  "at 9:00 every 3 months",
  "at 18:00 on mar 15",
  "at 18:00 on march 15",
  "at 18:00 on 15 mar",
  "at 9:00 from monday through friday",
  "at 9:00 every day except sundays",
  "every 2 days at 8:00",
])
  console.log(`${text}: ${translate(text)}${cron.validate(translate(text)) ? "" : " (refused)"}`);
JS
node read.js >seen
cat seen
cat >expected <<'TEXT'
at 9:04:52 every mondays in december: 52 4 9 * 12 1
at 9:30 every month: 0 30 9 * * 1
at 9:00 every 3 months: 0 0 9 * * -1 (refused)
at 18:00 on mar 15: 0 0 18 15 3 *
at 18:00 on march 15: 0 0 18 * 3 *
at 18:00 on 15 mar: 0 0 18 * -1 * (refused)
at 9:00 from monday through friday: 0 0 9 * * 1,5
at 9:00 every day except sundays: 0 0 9 * * 7
every 2 days at 8:00: 0 0 8 * * *
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
