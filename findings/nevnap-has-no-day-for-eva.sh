#!/bin/sh
# nevnap 1.0.4 (npm, Node.js 20), name days of Hungary. A day's names are divided at the comma and keep the space behind it, so
# that of two names on a day the second has none: on 24 December it writes "Ádám, Éva", and asked for Éva's day it answers
# nothing, as if there were no such name, and for " Éva" with the date. So it is with 117 of 487 names, Noémi of the
# README's own example among them. On 29 February nobody has a name day, and today's names are undefined.
# Source: its README: "to(name: string): string", "Getting date on a specific name", with "Csilla, Noémi" as a day's names, and
# "today(): string"; the function to in dist/index.js. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "nevnap@1.0.4" >>npm.log 2>&1
cat >read.mjs <<'JS'
import nevnap from "nevnap";

const names = [];
for (let day = new Date(Date.UTC(2027, 0, 1)); day.getUTCFullYear() === 2027; day.setUTCDate(day.getUTCDate() + 1))
  names.push(...nevnap.on(day.toISOString().slice(5, 10)).split(", "));
for (const day of ["04-22", "12-24", "02-29"]) console.log(day, nevnap.on(day));
for (const name of ["Csilla", "Noémi", "Éva", " Éva"]) console.log(JSON.stringify(name), nevnap.to(name));
console.log(names.filter((name) => nevnap.to(name) === undefined).length, "of", names.length, "without a day");
JS
node read.mjs >seen
cat seen
cat >expected <<'TEXT'
04-22 Csilla, Noémi
12-24 Ádám, Éva
02-29 undefined
"Csilla" 04-22
"Noémi" undefined
"Éva" undefined
" Éva" 12-24
117 of 487 without a day
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
