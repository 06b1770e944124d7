#!/bin/sh
# duration-relativetimeformat 2.0.4 (npm, Node 20), which says how far off a time is, in any language. The days of the month and the months are
# subtracted without what comes between: on the last of November, tomorrow is "in 29 days", and the 2nd of January "in 10 months". On the
# 15th both are right. Eight days before the 30th is "this week", though seven days before was "last week"; with numbers
# alone it is "0 weeks ago", and a meeting of February is "0 years ago".
# Source: README: "Non-numeric dates depend on the current date: yesterday, today, tomorrow - last week, next week"; lookup in
# index.js. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >log
npm install --no-audit --no-fund --silent duration-relativetimeformat@2.0.4 >log
cat >far.cjs <<'JS'
const Duration = require("duration-relativetimeformat");

const words = new Duration("en");
const numbers = new Duration("en", { numeric: "always" });
for (const from of ["2026-11-30T12:00:00Z", "2026-11-15T12:00:00Z"])
  for (const days of [1, 33, -7, -8, -300]) {
    const to = new Date(Date.parse(from) + days * 86400000);
    console.log(`${from.slice(5, 10)} to ${to.toISOString().slice(5, 10)}: ${words.format(to, new Date(from))}, ${numbers.format(to, new Date(from))}`);
  }
JS
TZ=UTC node far.cjs >seen
cat seen
cat >expected <<'TEXT'
11-30 to 12-01: in 29 days, in 29 days
11-30 to 01-02: in 10 months, in 10 months
11-30 to 11-23: last week, 1 week ago
11-30 to 11-22: this week, 0 weeks ago
11-30 to 02-03: this year, 0 years ago
11-15 to 11-16: tomorrow, in 1 day
11-15 to 12-18: next month, in 1 month
11-15 to 11-08: last week, 1 week ago
11-15 to 11-07: last week, 1 week ago
11-15 to 01-19: this year, 0 years ago
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
