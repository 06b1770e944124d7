#!/bin/sh
# another-name-parser 0.1.0 (npm, Node 20), which tells the parts of a person's name. A first name that is also a Roman number or an
# American degree is a suffix, although it stands in front: Vi Hart is Hart the sixth, V. Patel loses the V, and Do Kim is Kim with a
# doctorate of osteopathy. Hart, Patel and Kim are first names then, and nobody has a last one. "De La Cruz, Maria", with the comma it
# knows from "Smith, Ada", has the first name "Maria De"; "Anna Maria von und zu Hohenfels" the middle name "von".
# Source: its README: it returns "a prefix (title), first (or given name), middle (or initial), last (or family name), and suffix",
# and a suffix stands at the end in each of its examples. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "another-name-parser@0.1.0" >>npm.log 2>&1
cat >who.cjs <<'JS'
const parse = require("another-name-parser");

const names = [
  "Ada Lovelace", "Smith, Ada", "Vi Hart", "V. Patel", "Do Kim", "De La Cruz, Maria", "Anna Maria von und zu Hohenfels",
];
for (const name of names) {
  const { first, middle, last, suffix } = parse(name);
  console.log(`${name}: ${JSON.stringify({ first, middle, last, suffix })}`);
}
JS
node who.cjs >seen
cat seen
cat >expected <<'TEXT'
Ada Lovelace: {"first":"Ada","middle":null,"last":"Lovelace","suffix":null}
Smith, Ada: {"first":"Ada","middle":null,"last":"Smith","suffix":null}
Vi Hart: {"first":"Hart","middle":null,"last":null,"suffix":"Vi"}
V. Patel: {"first":"Patel","middle":null,"last":null,"suffix":"V."}
Do Kim: {"first":"Kim","middle":null,"last":null,"suffix":"Do"}
De La Cruz, Maria: {"first":"Maria De","middle":null,"last":"La Cruz","suffix":null}
Anna Maria von und zu Hohenfels: {"first":"Anna Maria","middle":"von","last":"und zu Hohenfels","suffix":null}
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
