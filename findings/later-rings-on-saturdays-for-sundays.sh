#!/bin/sh
# later 1.2.0 and its fork @breejs/later 4.2.0 (npm, Node 20), which tell when a cron schedule runs, and prettycron 0.10.0, which says it
# in words. Cron counts Sunday as 0 and as 7. For 0 they run on Sundays; for 7 they run on Saturdays, and prettycron says so: "09:00 on
# Sat". "6,7", a weekend, is Saturday alone. What was to ring on Sunday with cron itself, or with APScheduler's "sun", rings a day early.
# Source: crontab(5): day of week "0-7 (0 or 7 is Sunday)"; later's own words on later.parse.cron, in src/parse/cron.js: it "parses a
# valid cron expression and produces a valid schedule". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "prettycron@0.10.0" "later@1.2.0" "@breejs/later@4.2.0" "moment@2.31.0" >>npm.log 2>&1
cat >say.cjs <<'JS'
const prettyCron = require("prettycron");
const libraries = { later: require("later"), "@breejs/later": require("@breejs/later") };

const from = new Date("2026-11-30T12:00:00Z");
for (const cron of ["0 9 * * 0", "0 9 * * 7", "0 9 * * 6,7"]) {
  console.log(`${cron}: ${prettyCron.toString(cron)}`);
  for (const [name, later] of Object.entries(libraries)) {
    const next = later.schedule(later.parse.cron(cron)).next(3, from);
    console.log(`  ${name}: ${next.map((day) => day.toDateString()).join(", ")}`);
  }
}
JS
TZ=UTC node say.cjs >seen
cat seen
cat >expected <<'TEXT'
0 9 * * 0: 09:00 on Sun
  later: Sun Dec 06 2026, Sun Dec 13 2026, Sun Dec 20 2026
  @breejs/later: Sun Dec 06 2026, Sun Dec 13 2026, Sun Dec 20 2026
0 9 * * 7: 09:00 on Sat
  later: Sat Dec 05 2026, Sat Dec 12 2026, Sat Dec 19 2026
  @breejs/later: Sat Dec 05 2026, Sat Dec 12 2026, Sat Dec 19 2026
0 9 * * 6,7: 09:00 on Sat
  later: Sat Dec 05 2026, Sat Dec 12 2026, Sat Dec 19 2026
  @breejs/later: Sat Dec 05 2026, Sat Dec 12 2026, Sat Dec 19 2026
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
