#!/bin/sh
# poland-public-holidays 4.0.0 and holiday-de 1.1.4 (npm, Node 20), which say whether a day is a holiday. In Poland 24 December
# has been a day off since 2025: here it is a working day in every year. In Hamburg, Bremen, Lower Saxony and Schleswig-
# Holstein 31 October has been a holiday since 2018, in Berlin 8 March since 2019, in Thuringia 20 September since the same
# year: none of them is known, while the one that all states had in 2017 alone is. Both take any year and name no last one.
# Source: their READMEs, "fully tested library that computes the dates of public holidays in Poland", "Determine whether a
# given date is a German holiday"; the Polish act on days off as amended on 6 December 2024, and the states' acts on holidays.
# Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --ignore-scripts poland-public-holidays@4.0.0 holiday-de@1.1.4 >>npm.log 2>&1
cat >try.cjs <<'JS'
const poland = require("poland-public-holidays");
const germany = require("holiday-de");
for (const day of ["2026-12-24", "2026-12-25"]) console.log("Poland", day, "is a holiday:", poland.isHoliday(day));
germany.setState("be");
console.log("be 31.10.2017 is a holiday:", germany.isHoliday(new Date(2017, 9, 31)));
const states = [["hh", 9, 31], ["hb", 9, 31], ["ni", 9, 31], ["sh", 9, 31], ["bb", 9, 31], ["be", 2, 8], ["th", 8, 20]];
for (const [state, month, day] of states) {
  germany.setState(state);
  console.log(`${state} ${day}.${month + 1}. is a holiday:`, germany.isHoliday(new Date(2026, month, day)));
}
JS
TZ=UTC node try.cjs | tee seen
cat >expected <<'TEXT'
Poland 2026-12-24 is a holiday: false
Poland 2026-12-25 is a holiday: true
be 31.10.2017 is a holiday: Reformationstag
hh 31.10. is a holiday: false
hb 31.10. is a holiday: false
ni 31.10. is a holiday: false
sh 31.10. is a holiday: false
bb 31.10. is a holiday: Reformationstag
be 8.3. is a holiday: false
th 20.9. is a holiday: false
TEXT
cmp seen expected
