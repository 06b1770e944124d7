#!/bin/sh
# @libretto/redact-pii-light 1.0.1 (npm, Node 20), which puts a word in the place of personal data. A weekday is a person, and so is a
# town: "Thanks Ben, see you Friday" is "Thanks PERSON_NAME, see you PERSON_NAME", and the "flight to Rome on Monday" goes to a person on a
# person. Each number of four digits is "DIGITS", also in the year of a date, and one of five a post code,
# so what was agreed on cannot be read from what is left.
# Source: its README: "Remove personally identifiable information from text"; a weekday, a town of millions and a year are none. Seen on
# 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps "@libretto/redact-pii-light@1.0.1" >>npm.log 2>&1
cat >hide.cjs <<'JS'
const { SyncRedactor } = require("@libretto/redact-pii-light");

const texts = [
  "Thanks Ben, see you Friday", "flight to Rome on Monday", "The party is on 12/24/2026 at 18:30", "I have 12345 points", "Hello World",
  "see you on Friday", "version 1.2.3.4 is out",
];
const redactor = new SyncRedactor();
for (const text of texts) console.log(`${text} -> ${redactor.redact(text)}`);
JS
node hide.cjs >seen
cat seen
cat >expected <<'TEXT'
Thanks Ben, see you Friday -> Thanks PERSON_NAME, see you PERSON_NAME
flight to Rome on Monday -> flight to PERSON_NAME on PERSON_NAME
The party is on 12/24/2026 at 18:30 -> The party is on 12/24/DIGITS at 18:30
I have 12345 points -> I have ZIPCODE points
Hello World -> Hello PERSON_NAME
see you on Friday -> see you on PERSON_NAME
version 1.2.3.4 is out -> version IP_ADDRESS is out
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
