#!/bin/sh
# words-to-numbers 1.5.1 (npm, Node 20), which writes the numbers in a sentence as digits, as what a voice wrote has them.
# The word "point" is a number by itself: "I see your point" becomes "I see your 0". With an article before it the word
# is gone: "Anna has a point" is "Anna has 1", and "At this point one of us should go" has 0.1 of them going. "Wait a
# second" waits "1 2", who is "a ten" is "1 10", and "no one came" is "No 1 came".
# Source: its README: it returns "the original string with all instances of numbers replaced", "a" is 1 before a thousand,
# and a decimal point stands between two numbers ("ten point five"). Its only warning is about fuzzy matching, which is off.
# Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "words-to-numbers@1.5.1" >>npm.log 2>&1
cat >say.cjs <<'JS'
const assert = require("assert");
const inDigits = require("words-to-numbers").default;

const expected = [
  ["I see your point", "I see your 0"],
  ["Anna has a point", "Anna has 1"],
  ["At this point one of us should go", "At this 0.1 of us should go"],
  ["Please wait a second", "Please wait 1 2"],
  ["Today I am a ten", "Today I am 1 10"],
  ["No one came", "No 1 came"],
  ["We are ten point five", "We are 10.5"],
  ["a thousand", 1000],
];
for (const [said, written] of expected) {
  console.log(said, "->", inDigits(said));
  assert.deepStrictEqual(inDigits(said), written);
}
JS
node say.cjs
