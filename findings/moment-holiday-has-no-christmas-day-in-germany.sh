#!/bin/sh
# moment-holiday 1.5.1 with moment 2.31.0 (npm, Node 20), which knows holidays. In Germany, with and without a state,
# "Weihnachten" is the 24th of December, which is a working day there, and the 25th, the first day of Christmas, is none: who
# asks on the 24th for the next holiday is told the 26th, and what is meant for working days comes on the 25th. In Denmark the
# second day of Christmas ("Anden juledag") is the 25th, and the 26th is none. Finland has both days.
# Source: its README ("handling holidays", with the locales Germany, its states, and Denmark); the German states' laws on
# holidays, such as Bavaria's FTG, Art. 1, and Berlin's, par. 1: the first and the second day of Christmas; locale/germany.js
# and denmark.js. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "moment-holiday@1.5.1" "moment@2.31.0" >>npm.log 2>&1
cat >try.cjs <<'JS'
const moment = require("moment-holiday");

for (const place of ["Germany", "Germany/BY", "Germany/BE", "Denmark", "Finland"]) {
  moment.modifyHolidays.set(place);
  const days = ["12-24", "12-25", "12-26"].map((day) => `${day} ${moment(`2026-${day}`).isHoliday()}`);
  console.log(`${place}: ${days.join(", ")}; next after 24: ${moment("2026-12-24").nextHoliday().format("MM-DD")}`);
}
JS
node try.cjs >seen
cat seen
cat >expected <<'TEXT'
Germany: 12-24 Weihnachten, 12-25 false, 12-26 Zweiter Weihnachtsfeiertag; next after 24: 12-26
Germany/BY: 12-24 Weihnachten, 12-25 false, 12-26 Zweiter Weihnachtsfeiertag; next after 24: 12-26
Germany/BE: 12-24 Weihnachten, 12-25 false, 12-26 Zweiter Weihnachtsfeiertag; next after 24: 12-26
Denmark: 12-24 Juleaften, 12-25 Anden juledag, 12-26 false; next after 24: 12-25
Finland: 12-24 false, 12-25 Joulupäivä, 12-26 Tapaninpäivä; next after 24: 12-25
TEXT
cmp seen expected
