#!/bin/sh
# german-holiday 1.2.0 and german-ordinals 4.2.6 (npm), with which a bot could say that nobody meets on a holiday and on which
# day one was born. german-holiday compares the moment, not the day: Christmas is one at midnight on the clock of the machine
# and none a second later, so that a bot that asks by the time of a message, or of now, finds no holiday in the whole year.
# Reformation Day in the four northern states (since 2018), Women's Day in Berlin (2019) and Children's Day in Thuringia (2019)
# are none at midnight either. The nineteenth is "nehnzehnte" to german-ordinals.
# Source: the README of german-holiday: "First argument: A JavaScript Date Object", with "calendar- or schedulingapplications";
# that of german-ordinals: "gives the ordinal representation of numbers in German", whose word is "neunzehnte"; the laws on
# holidays of Hamburg (2018), Berlin and Thuringia (2019). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "german-holiday@1.2.0" "german-ordinals@4.2.6" >>npm.log 2>&1
cat >ask.cjs <<'JS'
const { holidayCheck } = require("german-holiday");
const { getOrdinal } = require("german-ordinals");

for (const [state, ...date] of [
  ["BY", 2026, 11, 25],
  ["BY", 2026, 11, 25, 0, 0, 1],
  ["BY", 2026, 11, 25, 18],
  ["SN", 2026, 9, 31],
  ["HH", 2026, 9, 31],
  ["BE", 2026, 2, 8],
  ["TH", 2026, 8, 20],
]) {
  console.log(state, new Date(...date).toLocaleString("sv-SE"), holidayCheck(new Date(...date), state));
}
let found = 0;
for (let day = 1; day <= 365; day += 1) found += holidayCheck(new Date(2026, 0, day, 12), "BY") !== false;
console.log("holidays of Bavaria at noon in 2026:", found);
console.log([9, 18, 19, 20].map(getOrdinal).join(", "));
JS
node ask.cjs >seen
cat seen
cat >expected <<'TEXT'
BY 2026-12-25 00:00:00 1. Weihnachtstag
BY 2026-12-25 00:00:01 false
BY 2026-12-25 18:00:00 false
SN 2026-10-31 00:00:00 Reformationstag
HH 2026-10-31 00:00:00 false
BE 2026-03-08 00:00:00 false
TH 2026-09-20 00:00:00 false
holidays of Bavaria at noon in 2026: 0
neunte, achtzehnte, nehnzehnte, zwanzigste
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
