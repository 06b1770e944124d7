#!/bin/sh
# zodiac-signs 1.6.0 (npm, Node 20), which tells the sign of a birthday. The same day of birth has another sign in another
# time zone: who was born on 20 March is Pisces if the program runs in Berlin, London or Tokyo and Aries in New York, and so
# it is with each first day of a sign. The birthday is read as midnight there, the limits of the signs as midnight in
# Greenwich, of which, west of it, the day before is taken. 30 February has a sign, that of 1 March.
# Source: its README: "Provides a zodiac sign depending a birthday"; getSignByDate of its main file: new
# Date(`2000-${month}-${day}`), which has no zone, beside new Date("2000-03-21"), which ECMAScript reads as UTC. Seen on
# 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "zodiac-signs@1.6.0"
cat >signs.js <<'JS'
const signs = require("zodiac-signs")();
const days = [[3, 20], [4, 20], [5, 21], [6, 21], [10, 31], [11, 22], [2, 30]];
const named = days.map(([month, day]) => `${month}/${day} ${signs.getSignByDate({day, month}).name}`);
console.log(`${process.env.TZ}: ${named.join(", ")}`);
JS
for zone in Europe/Berlin Asia/Tokyo America/New_York; do TZ=$zone node signs.js; done | tee seen
cat >expected <<'TEXT'
Europe/Berlin: 3/20 Pisces, 4/20 Aries, 5/21 Taurus, 6/21 Gemini, 10/31 Scorpio, 11/22 Scorpio, 2/30 Pisces
Asia/Tokyo: 3/20 Pisces, 4/20 Aries, 5/21 Taurus, 6/21 Gemini, 10/31 Scorpio, 11/22 Scorpio, 2/30 Pisces
America/New_York: 3/20 Aries, 4/20 Taurus, 5/21 Gemini, 6/21 Cancer, 10/31 Scorpio, 11/22 Scorpio, 2/30 Pisces
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
