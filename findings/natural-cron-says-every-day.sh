#!/bin/sh
# natural-cron 1.1.0 (npm, Node 20), which builds lines of cron from words and puts lines into words, with croner 10.0.1 (npm), which
# says when they run. What describeCron cannot put into words it leaves out, and says "every day": a party on Friday the
# 13th or on any Friday ("0 20 13 * 5"), every second day, 1 January, each day in spring only. So a bot that repeats to a member
# what it has understood says "At 09:00 every day" of a reminder that comes three times a year. Other lines that it cannot put
# into words are "Custom schedule: ...". Sunday as 7 is refused, which its readers take. Of the builder, onWeekDays([4])
# alone is each minute of Thursday, 1,440 times, while every('week') is once.
# Source: its README, "Describe a valid 5-field or 6-field cron expression"; describeDateParts returns nothing both for what is
# every day and for what it has no words for; crontab(5): "0 or 7 is Sunday". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "natural-cron@1.1.0" "croner@10.0.1"
cat >told.cjs <<'JS'
const assert = require("assert");
const {Cron} = require("croner");
const {CronExpressionBuilder, describeCron} = require("natural-cron");

const days = (pattern) => new Cron(pattern, {timezone: "UTC", paused: true})
  .nextRuns(3, new Date("2026-11-30T12:00:00Z")).map((date) => date.toISOString().slice(0, 10)).join(" ");
const expected = {
  "0 9 * * 1-5": "At 09:00, Monday through Friday",
  "0 20 13 * 5": "At 20:00 every day",
  "0 9 */2 * *": "At 09:00 every day",
  "0 9 1 1 1": "At 09:00 every day",
  "0 9 * 3-5 *": "At 09:00 every day",
  "0 9,18 * * *": "Custom schedule: 0 9,18 * * *",
};
for (const [pattern, words] of Object.entries(expected)) {
  console.log(`${pattern}: "${describeCron(pattern)}", next ${days(pattern)}`);
  assert.strictEqual(describeCron(pattern), words);
}
assert.strictEqual(days("0 9 * 3-5 *"), "2027-03-01 2027-03-02 2027-03-03");
assert.throws(() => describeCron("0 9 * * 7"), /between 0 and 6/);
const thursdays = new CronExpressionBuilder().onWeekDays([4]).compile();
const runs = new Cron(thursdays, {timezone: "UTC", paused: true}).nextRuns(1441, new Date("2026-11-30T12:00:00Z"));
console.log(`onWeekDays([4]): ${thursdays}, its 1440th run at ${runs[1439].toISOString()}`);
assert.strictEqual(runs[1439].toISOString(), "2026-12-03T23:59:00.000Z");
assert.strictEqual(new CronExpressionBuilder().every("week").compile(), "0 0 * * 0");
JS
node told.cjs
