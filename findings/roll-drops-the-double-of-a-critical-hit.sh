#!/bin/sh
# roll 1.3.2 (npm, Node 20), which throws the dice that chats write ("2d6+1"). In a sum, whatever is multiplied or divided is taken
# without it: "2d6*2+3", twice the dice and three more, is 2d6+3; "2d6+3*2" is 2d6+3; "4d6/2-1" is 4d6-1. Nothing is reported, validate()
# says true, and .rolled shows the same dice. Only without a plus or minus ("2d6*2") and behind a second throw ("1d6+1d4*2") is it
# counted. Signs that it does not take, as in "2d6 + 3", are refused with an error, so that these look understood.
# Source: the README: "Simple calculation (+, -, *, /)", and transformations that are carried out one after the other; parse in
# src/index.js cuts at plus and minus only and reads each part's first number. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "roll@1.3.2" >>npm.log 2>&1
cat >throw.cjs <<'JS'
const Roll = require("roll");

const roller = new Roll(() => 0.5); // every d6 shows a four, every d4 a three
for (const typed of ["2d6", "2d6*2", "2d6+3", "2d6*2+3", "2d6+3*2", "4d6", "4d6/2", "4d6/2-1", "1d6+1d4*2", "1d6*2+1d4"]) {
  const thrown = roller.roll(typed);
  console.log(typed, roller.validate(typed), "dice", JSON.stringify(thrown.rolled), "result", thrown.result);
}
JS
node throw.cjs | tee seen
cat >expected <<'TEXT'
2d6 true dice [4,4] result 8
2d6*2 true dice [4,4] result 16
2d6+3 true dice [4,4] result 11
2d6*2+3 true dice [4,4] result 11
2d6+3*2 true dice [4,4] result 11
4d6 true dice [4,4,4,4] result 16
4d6/2 true dice [4,4,4,4] result 8
4d6/2-1 true dice [4,4,4,4] result 15
1d6+1d4*2 true dice [[4],[3]] result 10
1d6*2+1d4 true dice [[4],[3]] result 7
TEXT
cmp seen expected
