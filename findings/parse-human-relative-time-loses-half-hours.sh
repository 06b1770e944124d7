#!/bin/sh
# parse-human-relative-time 3.0.4 (npm, Node 20), "parse human relative time strings", with luxon 3.7.2 and with date-fns 2.30.0, of which
# its README names both, asked on Saturday, 28 November, at 14:00. With date-fns "in 1.5 hours" is an hour and "in 1.5 days"
# a day, since date-fns cuts what it adds to whole numbers; with luxon they are what they say. With both a weekday is that of
# the week that runs from Sunday to Saturday: "sunday 9am" and "monday 9am" are over, the next day's Sunday is "next sunday", and
# "last friday" was eight days ago, not yesterday. A bot that reminds "monday 9am" is late before it began.
# Source: the README's example lexes "next tuesday 5pm" as startOfWeek, addWeeks 1, setDay 2; date-fns.js of the package calls
# addHours, whose documentation in date-fns 2 says that positive decimals are rounded with Math.floor. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "parse-human-relative-time@3.0.4" "luxon@3.7.2" "date-fns@2.30.0"
cat >asked.cjs <<'JS'
const assert = require("assert");
const dateFns = require("date-fns");
const {DateTime} = require("luxon");
const withLuxon = require("parse-human-relative-time")(DateTime);
const withDateFns = require("parse-human-relative-time/date-fns")(dateFns);

const now = "2026-11-28T14:00:00Z"; // a Saturday
const minute = (date) => date.toISOString().slice(0, 16);
const both = (text) => [
  minute(withLuxon(text, DateTime.fromISO(now, {zone: "utc"})).toJSDate()),
  minute(withDateFns(text, new Date(now))),
];
const expected = {
  "in 90 minutes": ["2026-11-28T15:30", "2026-11-28T15:30"],
  "in 1.5 hours": ["2026-11-28T15:30", "2026-11-28T15:00"],
  "in 1.5 days": ["2026-11-30T02:00", "2026-11-29T14:00"],
  "sunday 9am": ["2026-11-22T09:00", "2026-11-22T09:00"],
  "monday 9am": ["2026-11-23T09:00", "2026-11-23T09:00"],
  "next sunday": ["2026-11-29T00:00", "2026-11-29T00:00"],
  "last friday": ["2026-11-20T00:00", "2026-11-20T00:00"],
};
const seen = Object.fromEntries(Object.keys(expected).map((text) => [text, both(text)]));
for (const [text, dates] of Object.entries(seen)) console.log(`${text}: luxon ${dates[0]}, date-fns ${dates[1]}`);
assert.deepStrictEqual(seen, expected);
JS
TZ=UTC node asked.cjs
