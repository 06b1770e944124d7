#!/bin/sh
# country-timezone 1.0.8 (npm, Node 20), which finds the time zone of a city or a country. For a city it gives all zones of the first
# country on its list that has a city of that name, and no other's: London and Paris are in Canada, from St John's to the west, and
# Europe/London is not among them; Portland, York and Cambridge are in Australia, and Berlin is in Europe/Zurich before Europe/Berlin.
# "USA" is in Asia/Tokyo, since there is a town of that name in Japan. "United States" and Leeds are found.
# Source: its README: "Find timezone with city name, country name and country code", where New Delhi gives Asia/Kolkata. Seen on
# 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "country-timezone@1.0.8" >>npm.log 2>&1
cat >where.cjs <<'JS'
const { getTimezones } = require("country-timezone");

for (const place of ["New Delhi", "Leeds", "Berlin", "London", "Paris", "Portland", "York", "Cambridge", "USA", "United States"]) {
  const zones = getTimezones(place);
  console.log(`${place}: ${zones.slice(0, 2).join(" ")}${zones.length > 2 ? ` and ${zones.length - 2} more` : ""}`);
}
console.log("London is in Europe/London:", getTimezones("London").includes("Europe/London"));
JS
node where.cjs >seen
cat seen
cat >expected <<'TEXT'
New Delhi: Asia/Kolkata
Leeds: Europe/London
Berlin: Europe/Zurich Europe/Berlin
London: America/St_Johns America/Halifax and 26 more
Paris: America/St_Johns America/Halifax and 26 more
Portland: Australia/Lord_Howe Antarctica/Macquarie and 11 more
York: Australia/Lord_Howe Antarctica/Macquarie and 11 more
Cambridge: Australia/Lord_Howe Antarctica/Macquarie and 11 more
USA: Asia/Tokyo
United States: America/New_York America/Detroit and 27 more
London is in Europe/London: false
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
