#!/bin/sh
# tell-me-when 1.2.1 (npm, Node 20), which reads dates as people write them. Asked on the 29th, 30th or 31st, it takes the 5th of
# February for the 5th of March, also with a year behind it, and the 5th of April for the 5th of May: it sets the month while the
# day is still today's, which the shorter month does not have, and sets the day afterwards. "31st", written in early December, is
# the 1st of March. And it has no Monday: "monday", "next monday" and "monday at 9am" are syntax errors, each other day is known.
# Source: the README, whose table has "01 aug", "1 aug 2020" and "1st" as the day that was written, and "last Friday", "next
# Saturday"; setMonth in util/applyDateFns.js, and DayOfWeek in en-US.js, whose pattern leaves Monday out although the function
# beside it numbers all seven days. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "tell-me-when@1.2.1" >>npm.log 2>&1
cat >read.mjs <<'JS'
import { tellMeWhen } from "tell-me-when";

function read(typed, now) {
  try {
    return [tellMeWhen(typed, { now: new Date(now) })].flat()[0].toDateString();
  } catch (error) {
    return error.message;
  }
}
for (const now of ["2026-01-28T10:00:00Z", "2026-01-31T10:00:00Z"]) {
  for (const typed of ["feb 5", "feb 5 2027", "5 apr", "feb 5 at 9am"]) {
    console.log(now.slice(0, 10), `"${typed}":`, read(typed, now));
  }
}
for (const typed of ["31st", "sunday", "monday", "next monday", "tuesday", "friday", "monday at 9am", "friday at 9am"]) {
  console.log("2026-12-02", `"${typed}":`, read(typed, "2026-12-02T10:00:00Z"));
}
JS
TZ=UTC node read.mjs | tee seen
cat >expected <<'TEXT'
2026-01-28 "feb 5": Thu Feb 05 2026
2026-01-28 "feb 5 2027": Fri Feb 05 2027
2026-01-28 "5 apr": Sun Apr 05 2026
2026-01-28 "feb 5 at 9am": Thu Feb 05 2026
2026-01-31 "feb 5": Thu Mar 05 2026
2026-01-31 "feb 5 2027": Fri Mar 05 2027
2026-01-31 "5 apr": Tue May 05 2026
2026-01-31 "feb 5 at 9am": Thu Mar 05 2026
2026-12-02 "31st": Sun Mar 01 2026
2026-12-02 "sunday": Sun Nov 29 2026
2026-12-02 "monday": syntax error at 0
2026-12-02 "next monday": syntax error at 8
2026-12-02 "tuesday": Tue Dec 01 2026
2026-12-02 "friday": Fri Dec 04 2026
2026-12-02 "monday at 9am": syntax error at 0
2026-12-02 "friday at 9am": Fri Dec 04 2026
TEXT
cmp seen expected
