#!/bin/sh
# local-crontab 0.1.8, with cron-parser 5.10.6 to read what it writes (npm, Node 20), turns a crontab of a place into crontabs
# in UTC and gets the hours right but leaves the day where it was: Fridays at 20:00 in New York are written as 01:00 on Fridays,
# which is Thursday evening there, and the first of the month at midnight in Berlin as 23:00 on the 1st, the 2nd there. Where
# clocks change it writes days of the month beside the weekday, which for cron means either of them: a meeting on Mondays at 10
# in Berlin is on every day of March and October, 114 meetings in 2026 instead of 52.
# Source: its README ("convert a crontab in a local timezone into a set of UTC crontabs"; its example has only every day, whose
# hours are moved and days of the month added); crontab(5): if both the day of the month and the weekday are restricted, the
# command is run when either of them matches. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "local-crontab@0.1.8" "cron-parser@5.10.6" >>npm.log 2>&1
cat >try.cjs <<'JS'
const { CronExpressionParser } = require("cron-parser");
const { localCrontabToUtcCrontabs } = require("local-crontab");

Date.prototype.getFullYear = () => 2026; // it writes the days of the year in which it runs

function runs(crontab, zone) {
  const year = { currentDate: "2025-12-31T12:00:00Z", endDate: "2026-12-31T12:00:00Z" };
  const times = CronExpressionParser.parse(crontab, { tz: zone, ...year });
  const found = [];
  while (times.hasNext()) found.push(times.next().getTime());
  return found;
}

for (const [crontab, zone] of [
  ["0 20 * * 5", "America/New_York"],
  ["0 0 1 * *", "Europe/Berlin"],
  ["0 10 * * 1", "Europe/Berlin"],
]) {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone, weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit",
  });
  const written = localCrontabToUtcCrontabs(crontab, zone);
  const wanted = runs(crontab, zone);
  const got = written.flatMap((line) => runs(line, "UTC")).sort((first, second) => first - second);
  console.log(`${crontab} in ${zone}, written as ${written.slice(0, 3).join(", ")}`);
  console.log(`  wanted ${wanted.length}: ${wanted.slice(8, 12).map((time) => format.format(time)).join("; ")}`);
  console.log(`  got ${got.length}: ${got.slice(8, 12).map((time) => format.format(time)).join("; ")}`);
  console.log(`  both: ${got.filter((time) => wanted.includes(time)).length}`);
}
JS
node try.cjs >seen
cat seen
cat >expected <<'TEXT'
0 20 * * 5 in America/New_York, written as 0 1 * 1-2,11-12 5, 0 1 1-7 3 5, 0 0 8-31 3 5
  wanted 52: Fri 27 Feb, 20:00; Fri 6 Mar, 20:00; Fri 13 Mar, 20:00; Fri 20 Mar, 20:00
  got 83: Thu 26 Feb, 20:00; Sat 28 Feb, 20:00; Sun 1 Mar, 20:00; Mon 2 Mar, 20:00
  both: 4
0 0 1 * * in Europe/Berlin, written as 0 23 1 1-3,11-12 *, 0 22 1 4-10 *
  wanted 12: Tue 1 Sept, 00:00; Thu 1 Oct, 00:00; Sun 1 Nov, 00:00; Tue 1 Dec, 00:00
  got 12: Wed 2 Sept, 00:00; Fri 2 Oct, 00:00; Mon 2 Nov, 00:00; Wed 2 Dec, 00:00
  both: 0
0 10 * * 1 in Europe/Berlin, written as 0 9 * 1-2,11-12 1, 0 9 1-28 3 1, 0 8 29-31 3 1
  wanted 52: Mon 2 Mar, 10:00; Mon 9 Mar, 10:00; Mon 16 Mar, 10:00; Mon 23 Mar, 10:00
  got 114: Sun 1 Mar, 10:00; Mon 2 Mar, 09:00; Mon 2 Mar, 10:00; Tue 3 Mar, 10:00
  both: 52
TEXT
cmp seen expected
