#!/bin/sh
# iata-tz 1.0.3 (npm, Node 20), which turns the time at one airport into the time at another. Of Istanbul, Doha and Beijing's
# second airport it has no zone but the mark for a missing value of the table that it was made from: their time is taken for
# Greenwich's, with a line on the error stream and no error, so that a plane that leaves Istanbul at six in the evening leaves
# Frankfurt's clock at seven. Berlin's only airport is not known at all.
# Source: its README, "Supports all major airports worldwide" and "accurate conversions"; src/airports.json has "\\N"
# for 557 airports (the null of OpenFlights' airports.dat). Istanbul is UTC+3 all year. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --ignore-scripts iata-tz@1.0.3 >>npm.log 2>&1
cat >try.cjs <<'JS'
const { convertBetweenTimezones, getTimezoneOffset } = require("iata-tz");
const airports = require("iata-tz/src/airports.json");
for (const code of ["SAW", "IST", "DOH", "PKX", "BER"]) {
  try {
    const { timezone, offsetHours } = getTimezoneOffset(code);
    console.log(code, timezone, offsetHours, convertBetweenTimezones(code, "FRA", "2026-12-01 18:00:00"), "in Frankfurt");
  } catch (error) {
    console.log(error.message);
  }
}
console.log("airports without a zone:", Object.values(airports).filter((zone) => zone === "\\N").length);
JS
node try.cjs 2>errors | tee seen
cat >expected <<'TEXT'
SAW Europe/Istanbul 3 2026-12-01 16:00:00 in Frankfurt
IST \N 0 2026-12-01 19:00:00 in Frankfurt
DOH \N 0 2026-12-01 19:00:00 in Frankfurt
PKX \N 0 2026-12-01 19:00:00 in Frankfurt
Invalid IATA code: BER
airports without a zone: 557
TEXT
cmp seen expected
