#!/bin/sh
# @3d-dice/dice-roller-parser 0.2.6 (npm, Node 20), which rolls what chats and tables write in Roll20's notation. A die with
# six sides shows a seven in one throw of twelve, and a one just as seldom, while two to six come twice as often each; a die
# with twenty sides shows a 21, and one with a single side a two, also with the generator of random numbers that it brings.
# The mean of a d6 is 4 instead of 3.5. A sum that begins with a minus throws nothing: -1d6+10 is always 10.
# Source: the package's README, "You can specify a function to be used as the random number generator" that returns "a number
# between 0 and 1", as Math.random does; Roll20's reference of dice: 1d6 is one to six. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "@3d-dice/dice-roller-parser@0.2.6"
cat >roll.cjs <<'JS'
const { DiceRoller } = require("@3d-dice/dice-roller-parser");

for (const share of [0, 0.5, 0.99]) {
  const roller = new DiceRoller(() => share);
  const rolls = ["1d1", "1d6", "1d20", "-1d6", "-1d6+10"].map((typed) => `${typed} ${roller.rollValue(typed)}`);
  console.log(`a random ${share}:`, rolls.join(", "));
}
const roller = new DiceRoller();
const thrown = Array.from({ length: 12000 }, () => roller.rollValue("1d6"));
const count = (face) => thrown.filter((value) => value === face).length;
console.log("faces of a d6 with the default:", [...new Set(thrown)].sort().join(" "));
console.log("sevens in 12,000 throws near 1,000:", Math.abs(count(7) - 1000) < 250);
console.log("ones near 1,000:", Math.abs(count(1) - 1000) < 250, "threes near 2,000:", Math.abs(count(3) - 2000) < 300);
JS
node roll.cjs | tee seen
cat >expected <<'TEXT'
a random 0: 1d1 1, 1d6 1, 1d20 1, -1d6 0, -1d6+10 10
a random 0.5: 1d1 2, 1d6 4, 1d20 11, -1d6 0, -1d6+10 10
a random 0.99: 1d1 2, 1d6 7, 1d20 21, -1d6 0, -1d6+10 10
faces of a d6 with the default: 1 2 3 4 5 6 7
sevens in 12,000 throws near 1,000: true
ones near 1,000: true threes near 2,000: true
TEXT
cmp seen expected
