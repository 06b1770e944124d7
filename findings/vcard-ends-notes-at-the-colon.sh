#!/bin/sh
# vcard 0.1.0 (npm), which makes JSON of vCards. A value ends at its first colon: "Allergic to: nuts and eggs" is "Allergic
# to", a link is "https" and a birthday at 10:15 is at 10. Of two telephones or two notes only the first is kept, so that Ada's
# second number and what she likes are gone. Cards come in the order of the last to the first, and who has a given name alone
# is ", Ada".
# Source: its README: "parses vCard data into nice JSON"; RFC 2426, 4: the value of NOTE is a text, in which a colon is itself,
# and TEL, NOTE and URL may stand there more than once. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "vcard@0.1.0" >>npm.log 2>&1
cat >read.cjs <<'JS'
const VCard = require("vcard");
const cards = [
  ["FN:Ada", "N:;Ada;;;", "NOTE:Allergic to: nuts and eggs", "NOTE:Likes tea\\, not coffee", "TEL;TYPE=HOME:1", "TEL;TYPE=CELL:2",
    "BDAY:1990-12-10T10:15:00Z", "URL:https://example.org/ada"],
  ["FN:Ben Okri", "N:Okri;;;;", "TEL;TYPE=HOME:3"],
].map((lines) => ["BEGIN:VCARD", "VERSION:3.0", ...lines, "END:VCARD", ""].join("\r\n")).join("");
console.log = () => {};
new VCard().readData(cards, (error, people) => {
  for (const person of people) {
    process.stdout.write(`${person.FN}\n`);
    for (const key of Object.keys(person).sort()) {
      if (key !== "FN" && key !== "VERSION") process.stdout.write(`  ${key}: ${JSON.stringify(person[key])}\n`);
    }
  }
});
JS
node read.cjs >seen
cat seen
cat >expected <<'TEXT'
vCards:  [
  [
    'BEGIN:VCARD',
    'VERSION:3.0',
    'FN:Ben Okri',
    'N:Okri;;;;',
    'TEL;TYPE=HOME:3',
    'END:VCARD'
  ],
  [
    'BEGIN:VCARD',
    'VERSION:3.0',
    'FN:Ada',
    'N:;Ada;;;',
    'NOTE:Allergic to: nuts and eggs',
    'NOTE:Likes tea\\, not coffee',
    'TEL;TYPE=HOME:1',
    'TEL;TYPE=CELL:2',
    'BDAY:1990-12-10T10:15:00Z',
    'URL:https://example.org/ada',
    'END:VCARD'
  ]
]
Ben Okri
  N: "Okri"
  TEL: {"type":["HOME"],"value":"3"}
Ada
  BDAY: "1990-12-10T10"
  N: ", Ada"
  NOTE: "Allergic to"
  TEL: {"type":["HOME"],"value":"1"}
  URL: "https"
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
