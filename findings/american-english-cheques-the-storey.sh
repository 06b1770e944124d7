#!/bin/sh
# american-english 1.0.1 (npm, Node.js 20), which tells British from American spelling. American words are taken for the British
# ones that sound alike, whatever they mean: "check" has a British spelling and it is "cheque", "story" is "storey", "draft"
# "draught", "practice" "practise", the meter of gas "metre". So "check the story draft and tire of the meter" becomes "cheque
# the storey draught and tyre of the metre". What is not in its list is no error and not the word, but the text
# "word_not_found", also for "Color" with a capital.
# Source: its README: "Easily check American / English spelling differences", "toUK(us_word)"; Oxford and Merriam-Webster: a
# storey is a floor, a cheque an order to a bank. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "american-english@1.0.1" >>npm.log 2>&1
cat >read.js <<'JS'
const spelling = require("american-english");

for (const word of ["color", "Color", "check", "story", "draft", "practice", "meter", "tire", "program"])
  console.log(word, spelling.hasUKDifference(word), spelling.toUK(word));
for (const word of ["colour", "music"]) console.log(word, spelling.hasUSDifference(word), spelling.toUS(word));
const british = (text) => text.replace(/\w+/g, (word) => (spelling.hasUKDifference(word) ? spelling.toUK(word) : word));
console.log(british("check the story draft and tire of the meter"));
JS
node read.js >seen
cat seen
cat >expected <<'TEXT'
color true colour
Color true colour
check true cheque
story true storey
draft true draught
practice true practise
meter true metre
tire true tyre
program true programme
colour true color
music false word_not_found
cheque the storey draught and tyre of the metre
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
