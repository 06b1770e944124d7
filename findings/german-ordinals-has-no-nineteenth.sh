#!/bin/sh
# german-ordinals 4.2.6 (npm, Node 20), which writes German ordinal numbers as words, as for the day of a month. The nineteenth is
# "nehnzehnte", which is no German word ("neunzehnte" is); all others up to 30 are right. A month ends on its thirtieth day: the 31st
# raises an error, so a birthday on New Year's Eve has no words. Its sister english-ordinals 3.3.0 says either.
# Source: its README: "gives the ordinal representation of numbers in German: zwölfte for 12 etc.", and "will throw an error when the
# number is too high"; any German dictionary. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "german-ordinals@4.2.6" "english-ordinals@3.3.0" >>npm.log 2>&1
cat >say.cjs <<'JS'
const german = require("german-ordinals");
const english = require("english-ordinals");

for (const day of [1, 3, 7, 9, 18, 19, 20, 29, 30, 31]) {
  let said;
  try {
    said = german.getOrdinal(day);
  } catch (error) {
    said = error.message ?? error;
  }
  console.log(`${day}: ${said} (${english.getOrdinal(day)})`);
}
JS
node say.cjs >seen
cat seen
cat >expected <<'TEXT'
1: erste (first)
3: dritte (third)
7: siebte (seventh)
9: neunte (ninth)
18: achtzehnte (eighteenth)
19: nehnzehnte (nineteenth)
20: zwanzigste (twentieth)
29: neunundzwanzigste (twenty-ninth)
30: dreißigste (thirtieth)
31: out of bound, German ordinal only works with <= 30 (thirty-first)
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
