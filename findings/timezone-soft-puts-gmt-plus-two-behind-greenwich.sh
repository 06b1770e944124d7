#!/bin/sh
# timezone-soft 1.5.2 (npm, Node 20), which reads "abbreviated, sloppy, and informal timezone names" as people type them into
# settings. "GMT+2" is Etc/GMT+2, which by POSIX is two hours behind Greenwich, so that what is set for nine in Cape Town
# comes at one in the afternoon, while "UTC+2", the same to whoever types it, is read rightly. "Berlin" and "Germany" are
# Europe/Busingen and nothing else, the zone of an exclave whose clocks went with Zurich's in 1980; "Munich", "MEZ" and
# "UTC+5:30" are nothing. Of a city that shares its zone come all the places that do, so "Paris" is Madrid by the README's
# soft(...)[0]. Whoever types "my time" lives in Kuala Lumpur.
# Source: its README, "get an IANA tz from user input: let timezones = soft('milwaukee')[0]", "return the most common-sense
# IANA timezone id"; the IANA database: file "etcetera", POSIX has positive signs west of Greenwich; file "europe", Busingen.
# Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "timezone-soft@1.5.2"
cat >typed.mjs <<'JS'
import soft from "timezone-soft";

const morning = new Date(Date.UTC(2026, 11, 1, 9));
for (const typed of ["GMT+2", "UTC+2", "GMT-5", "UTC-5", "UTC+5:30", "Berlin", "Germany", "Munich", "MEZ", "Vienna", "Paris", "my time"]) {
  const zones = soft(typed).map((zone) => zone.iana);
  const clock = zones.length ? morning.toLocaleTimeString("en-GB", {timeZone: zones[0], timeStyle: "short"}) : "unknown";
  console.log(`${typed}: ${zones[0]}, first of ${zones.length}; nine in Greenwich is ${clock}`);
}
console.log("Berlin among those of Berlin:", soft("Berlin").some((zone) => zone.iana === "Europe/Berlin"));
JS
node typed.mjs >seen
cat seen
cat >expected <<'TEXT'
GMT+2: Etc/GMT+2, first of 1; nine in Greenwich is 07:00
UTC+2: Etc/GMT-2, first of 1; nine in Greenwich is 11:00
GMT-5: Etc/GMT-5, first of 1; nine in Greenwich is 14:00
UTC-5: Etc/GMT+5, first of 1; nine in Greenwich is 04:00
UTC+5:30: undefined, first of 0; nine in Greenwich is unknown
Berlin: Europe/Busingen, first of 1; nine in Greenwich is 10:00
Germany: Europe/Busingen, first of 1; nine in Greenwich is 10:00
Munich: undefined, first of 0; nine in Greenwich is unknown
MEZ: undefined, first of 0; nine in Greenwich is unknown
Vienna: Europe/Vienna, first of 1; nine in Greenwich is 10:00
Paris: Europe/Madrid, first of 22; nine in Greenwich is 10:00
my time: Asia/Kuala_Lumpur, first of 1; nine in Greenwich is 17:00
Berlin among those of Berlin: false
TEXT
cmp expected seen
