#!/bin/sh
# se-bank-holidays 1.1.7 (npm, Node 20), which knows Sweden's bank holidays. Asked in Sweden, a holiday begins at one o'clock in
# winter and at two in summer, and lasts until then on the next day: at midnight, which is how a day of its own is written,
# Christmas Eve and Midsummer's Eve are none, and Boxing Day is still Christmas Day at half past midnight. A day
# that is written as text, as in its README, is right in Sweden.
# Source: its README, "check whether a specific date is a bank holiday (or bank day) in Sweden". Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --ignore-scripts se-bank-holidays@1.1.7 >>npm.log 2>&1
cat >try.cjs <<'JS'
const days = require("se-bank-holidays");
const names = Object.keys(days).filter((name) => /^is(?!Holiday|SameDay|Weekend)/.test(name));
const times = [[2026, 11, 24, 0, 0], [2026, 11, 24, 12, 0], [2026, 11, 26, 0, 30], [2026, 5, 19, 0, 0], [2026, 5, 19, 1, 59],
  [2026, 5, 19, 2, 0], [2027, 0, 7, 0, 30]];
for (const time of times) {
  const date = new Date(...time);
  const is = names.filter((name) => days[name](date)).map((name) => name.slice(2));
  console.log(date.toString().slice(0, 21), "is a holiday:", days.isHoliday(date), is.join(" "));
}
console.log("2026-12-24 as text:", days.isHoliday(new Date("2026-12-24")));
JS
TZ=Europe/Stockholm node try.cjs | tee seen
cat >expected <<'TEXT'
Thu Dec 24 2026 00:00 is a holiday: false 
Thu Dec 24 2026 12:00 is a holiday: true ChristmasEve
Sat Dec 26 2026 00:30 is a holiday: true ChristmasDay
Fri Jun 19 2026 00:00 is a holiday: false 
Fri Jun 19 2026 01:59 is a holiday: false 
Fri Jun 19 2026 02:00 is a holiday: true MidsummerEve
Thu Jan 07 2027 00:30 is a holiday: true Epiphany
2026-12-24 as text: true
TEXT
cmp seen expected
