#!/bin/sh
# human-to-cron 0.3.1 (npm, Node 20), "converts human readable expression to a cron string", with croner 10.0.1 (npm), which says
# when they run. "every" takes the next word for a unit: "every thursday at 19:00" is every day, and so is each weekday behind
# "every". A time without a colon is passed over: "friday at 8pm" is each second of Friday, and "noon" each second of each day. Of
# "7:15 pm" the "pm" is passed over. Months are counted from 0: what is said of 24 December runs in November, on each day,
# and "january 10:00" is refused as month 0. What its README gives for "friday 15:44", "0 44 15 4 * *", is the fourth of each
# month, and is not what the package returns. Nothing is thrown, so a reminder of a bot is sent 86,400 times a day.
# Source: its README's examples; each() and MONTH in lib/tokens.js; crontab(5) and croner: months are 1-12. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "human-to-cron@0.3.1" "croner@10.0.1"
cat >meets.cjs <<'JS'
const assert = require("assert");
const {Cron} = require("croner");
const humanToCron = require("human-to-cron");

function runs(pattern) {
  try {
    return new Cron(pattern, {timezone: "UTC", paused: true}).nextRuns(2, new Date("2026-11-30T12:00:00Z"))
      .map((date) => date.toISOString().slice(0, 19)).join(" ");
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return "refused";
    throw error;
  }
}
const expected = {
  "thursday 19:00": ["0 0 19 * * 4", "2026-12-03T19:00:00 2026-12-10T19:00:00"],
  "every thursday at 19:00": ["0 0 19 * * *", "2026-11-30T19:00:00 2026-12-01T19:00:00"],
  "friday at 8pm": ["* * * * * 5", "2026-12-04T00:00:00 2026-12-04T00:00:01"],
  noon: ["* * * * * *", "2026-11-30T12:00:01 2026-11-30T12:00:02"],
  "tuesday 7:15 pm": ["0 15 7 * * 2", "2026-12-01T07:15:00 2026-12-08T07:15:00"],
  "december 24 18:00": ["0 0 18 * 11 *", "2026-11-30T18:00:00 2027-11-01T18:00:00"],
  "january 10:00": ["0 0 10 * 0 *", "refused"],
  "friday 15:44": ["0 44 15 * * 5", "2026-12-04T15:44:00 2026-12-11T15:44:00"],
};
for (const [words, [pattern, dates]] of Object.entries(expected)) {
  console.log(`${words}: ${humanToCron(words)}, ${runs(humanToCron(words))}`);
  assert.deepStrictEqual([humanToCron(words), runs(humanToCron(words))], [pattern, dates]);
}
console.log("of the README:", runs("0 44 15 4 * *"));
assert.strictEqual(runs("0 44 15 4 * *"), "2026-12-04T15:44:00 2027-01-04T15:44:00");
JS
node meets.cjs
