#!/bin/sh
# decimal-number-to-words 1.3.3 (npm, Node 20), which writes numbers as words. The example of its README, -3 for "minus three", is an
# empty text, and so are nought, every other number below it and "1,000": who is owed nothing reads "Ben owes euros". It raises no
# error. The package that it is made from, number-to-words 1.2.4, says "zero" and "minus three".
# Source: its README: "Negative numbers: convert.toWords(-3); // => minus three", "Converts a number into words". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "decimal-number-to-words@1.3.3" "number-to-words@1.2.4" >>npm.log 2>&1
cat >say.cjs <<'JS'
const decimal = require("decimal-number-to-words");
const whole = require("number-to-words");

for (const number of [13, 2.9, 0.5, 0, -3, -2.5]) {
  console.log(`${number}: "${decimal.toWords(number)}", number-to-words "${whole.toWords(number)}"`);
}
console.log(`"1,000": "${decimal.toWords("1,000")}"`);
JS
node say.cjs >seen
cat seen
cat >expected <<'TEXT'
13: "thirteen", number-to-words "thirteen"
2.9: "two point nine", number-to-words "two"
0.5: "zero point five", number-to-words "zero"
0: "", number-to-words "zero"
-3: "", number-to-words "minus three"
-2.5: "", number-to-words "minus two"
"1,000": ""
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
