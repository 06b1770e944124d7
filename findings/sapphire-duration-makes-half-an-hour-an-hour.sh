#!/bin/sh
# @sapphire/duration 1.2.0 (npm, Node 20), durations that members of Discord type ("remind me in ..."), of the Sapphire framework for
# bots. "a" and "an" are 1, and words that it does not know are passed over, so "half an hour", "a quarter of an hour" and "an hour
# and a half" are an hour each. Commas are taken out first: "1,5 hours", as half of Europe writes it, are 15 hours. The 1 of "1 1/2
# hours" is lost, a range of "10-15 minutes" is 15 minutes ago, "90 minutes ago" are 90 minutes from now, and of "1h30" the
# 30 are lost. Nothing is thrown, and nothing tells that a part was not read. A month is 1,800,000 ms shorter than the README says.
# Source: its README, "Parsing a Duration" (new Duration('1 month').offset; // 2629800000; "some extra characters" may stand
# between); commaRegex, aAndAnRegex and patternRegex in src of the package. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "@sapphire/duration@1.2.0"
cat >typed.cjs <<'JS'
const assert = require("assert");
const {Duration} = require("@sapphire/duration");

const minutes = (text) => new Duration(text).offset / 60000;
const expected = {
  "90 minutes": 90,
  "1 hour and 30 minutes": 90,
  "half an hour": 60,
  "a quarter of an hour": 60,
  "an hour and a half": 60,
  "1.5 hours": 90,
  "1,5 hours": 900,
  "1 1/2 hours": 120,
  "10-15 minutes": -15,
  "90 minutes ago": 90,
  "1h30": 60,
};
const seen = Object.fromEntries(Object.keys(expected).map((text) => [text, minutes(text)]));
for (const [text, read] of Object.entries(seen)) console.log(`${text}: ${read} minutes`);
assert.deepStrictEqual(seen, expected);
const month = new Duration("1 month").offset;
console.log("1 month:", month);
assert.strictEqual(month, 2629800000 - 1800000);
JS
node typed.cjs
