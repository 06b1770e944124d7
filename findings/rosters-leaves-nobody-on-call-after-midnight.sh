#!/bin/sh
# rosters 0.0.1 (npm, Node 20), which says who is on call. From midnight to one o'clock the clock is read as "24:05:00", so a
# layer from 00:00 to 06:00 has nobody on call in its first hour, one until 06:00 without a start neither, and one from 22:00
# without an end goes on past midnight for that hour alone. A layer from 22:00 to 06:00 never has anybody. Nobody is a
# TypeError. Of three people who
# take turns by the week, the same one has two weeks in a row at New Year, and of three who take turns by the day one is left
# out then: the turn is counted from the first of January each year.
# Source: src/index.js compares toLocaleTimeString("en-US", { hour12: false }), whose midnight is 24 (ECMA-402: hourCycle
# "h24"; "h23" gives 00), with a layer's start and end as texts; the package calls itself "manage on-call rotations". Seen on
# 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --ignore-scripts rosters@0.0.1 >>npm.log 2>&1
cat >try.cjs <<'JS'
const { getOnCallPerson } = require("rosters");
const RealDate = Date;
let now;
globalThis.Date = class extends RealDate {
  constructor(...parts) {
    super(...(parts.length ? parts : [now]));
  }
};
const at = (text, schedule) => {
  now = new RealDate(text);
  try {
    return getOnCallPerson(schedule).name;
  } catch (error) {
    return `nobody (${error.name})`;
  }
};
const people = ["Ada", "Ben", "Eva"].map((name) => ({ name }));
const [ada] = people;
const shifts = [{ start: "00:00", end: "06:00" }, { end: "06:00" }, { start: "22:00" }, { start: "22:00", end: "06:00" }];
for (const hours of shifts) {
  const schedule = { layers: [{ user: ada, ...hours }] };
  const seen = ["23:30", "00:30", "01:30"].map((time) => `${time} ${at(`2026-12-01T${time}:00`, schedule)}`);
  console.log(JSON.stringify(hours), seen.join(", "));
}
for (const [every, days] of [["week", ["2024-12-16", "2024-12-23", "2024-12-30", "2025-01-06"]],
  ["day", ["2027-12-29", "2027-12-30", "2027-12-31", "2028-01-01", "2028-01-02"]]]) {
  const schedule = { layers: [{ rotation: { every, users: people } }] };
  console.log(`by the ${every}:`, days.map((day) => `${day} ${at(`${day}T12:00:00`, schedule)}`).join(", "));
}
JS
TZ=UTC node try.cjs | tee seen
cat >expected <<'TEXT'
{"start":"00:00","end":"06:00"} 23:30 nobody (TypeError), 00:30 nobody (TypeError), 01:30 Ada
{"end":"06:00"} 23:30 nobody (TypeError), 00:30 nobody (TypeError), 01:30 Ada
{"start":"22:00"} 23:30 Ada, 00:30 Ada, 01:30 nobody (TypeError)
{"start":"22:00","end":"06:00"} 23:30 nobody (TypeError), 00:30 nobody (TypeError), 01:30 nobody (TypeError)
by the week: 2024-12-16 Ada, 2024-12-23 Ben, 2024-12-30 Ben, 2025-01-06 Eva
by the day: 2027-12-29 Ada, 2027-12-30 Ben, 2027-12-31 Eva, 2028-01-01 Ben, 2028-01-02 Eva
TEXT
cmp seen expected
