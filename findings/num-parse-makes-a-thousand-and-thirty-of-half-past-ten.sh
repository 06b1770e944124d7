#!/bin/sh
# @norbulcz/num-parse 0.1.0 (npm, Node 20), a strict parser of numbers. All blanks are taken out before anything is checked, and
# a currency sign wherever it stands, so that two numbers are one: "10 30" is 1030, "1 2 3" is 123, "2026 12 01" twenty millions
# and "5 € 5" is 55, while the same with an apostrophe, "12'34", is refused, as its README says. Three digits after the only
# comma or point are thousands with either sign of a currency beside them: a litre of petrol for 1,459 € costs 1459, and 36.600
# degrees are 36,600; with two digits, or a nought in front, it is a fraction: 36.60 and 0.500.
# Source: its README ("Safer (never silently misparses into wrong numbers)", "Stricter (rejects invalid groupings)"; "12'34" is
# null, "invalid apostrophe grouping"; its example "1.000" is 1000). Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "@norbulcz/num-parse@0.1.0" >>npm.log 2>&1
cat >try.cjs <<'JS'
const { parseNumber } = require("@norbulcz/num-parse");

const texts = ["1 234.56", "12'34", "12 34", "10 30", "1 2 3", "1 23 456", "2026 12 01", "5 € 5", "1,459 €", "1,45 €", "36.600",
  "36.60", "0.500"];
for (const text of texts) console.log(`${text}: ${parseNumber(text)}`);
JS
node try.cjs >seen
cat seen
cat >expected <<'TEXT'
1 234.56: 1234.56
12'34: null
12 34: 1234
10 30: 1030
1 2 3: 123
1 23 456: 123456
2026 12 01: 20261201
5 € 5: 55
1,459 €: 1459
1,45 €: 1.45
36.600: 36600
36.60: 36.6
0.500: 0.5
TEXT
cmp seen expected
