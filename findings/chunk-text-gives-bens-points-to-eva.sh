#!/bin/sh
# chunk-text 2.0.1 (npm, Node 20), which cuts texts to a length "without cutting/truncating words", as bots do with what is
# too long for one message. Only blanks are ends of words to it, ends of lines are none: a list of names, one to a line, is
# cut in the middle of a name though a line ends right before it, and of a list of points "Ben" stands at the end of one
# message and his 12 above Eva in the next, as if they were hers. Blanks at both ends of a piece are taken off, so that the
# first line of the next message has lost its indentation: what belonged to the eggs is a point of its own, and the last line
# of a program stands outside of its function.
# Source: its README, "chunk/split a string by length without cutting/truncating words", "If no space is detected before
# chunkSize is reached, then it will truncate the word"; lastSpaceOrLength and trim() in dist/index.js. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "chunk-text@2.0.1"
cat >cut.cjs <<'JS'
const required = require("chunk-text");
const chunk = required.default ?? required;

const texts = [
  ["names", "Anna\nBenedikt\nChristopher\nElisabeth\nFriederike", 24],
  ["points", "Anna 3\nBen 12\nEva 5\nKim 20", 14],
  ["points", "Anna 3\nBen 12\nEva 5\nKim 20", 10],
  ["a list", "- eggs\n  - no brown ones\n  - ten white ones\n- milk", 26],
  ["a program", 'def may_eat(who):\n    if who == "Ada":\n        return "no nuts"\n    return "all"', 70],
];
for (const [name, text, size] of texts) {
  console.log(`${name}, at most ${size}:`);
  for (const piece of chunk(text, size)) console.log(" ", JSON.stringify(piece));
}
JS
node cut.cjs >seen
cat seen
cat >expected <<'TEXT'
names, at most 24:
  "Anna\nBenedikt\nChristophe"
  "r\nElisabeth\nFriederike"
points, at most 14:
  "Anna 3\nBen"
  "12\nEva 5\nKim"
  "20"
points, at most 10:
  "Anna 3\nBen"
  "12\nEva"
  "5\nKim 20"
a list, at most 26:
  "- eggs\n  - no brown ones"
  "- ten white ones\n- milk"
a program, at most 70:
  "def may_eat(who):\n    if who == \"Ada\":\n        return \"no nuts\""
  "return \"all\""
TEXT
cmp expected seen
