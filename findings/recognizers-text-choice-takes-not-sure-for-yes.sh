#!/bin/sh
# @microsoft/recognizers-text-choice 1.3.1 (npm, Node 20), which reads yes or no from what a member answers a bot. "Not sure" is yes, for
# "sure" is in it, and so is "not yes"; "no problem" is no, "I would not say no" too, and "yes and no" is yes. "Not ok" it knows as no.
# "Never", "of course not" and "I don't know" give nothing. A bot that asks before it forgets or stores something acts on them.
# Source: its description: "recognizers-text-choice provides recognition of Boolean (yes/no) answers expressed in multiple languages".
# Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "@microsoft/recognizers-text-choice@1.3.1" >>npm.log 2>&1
cat >read.cjs <<'JS'
const { recognizeBoolean } = require("@microsoft/recognizers-text-choice");

const answers = [
  "yes", "nope", "it's not ok", "not sure", "not yes", "no problem", "I would not say no", "yes and no", "never", "of course not",
];
for (const answer of answers) {
  const read = recognizeBoolean(answer, "en-us").map(({ text, resolution }) => `${resolution.value} ("${text}")`);
  console.log(`${answer}: ${read.join(", ") || "nothing"}`);
}
JS
node read.cjs >seen
cat seen
cat >expected <<'TEXT'
yes: true ("yes")
nope: false ("nope")
it's not ok: false ("not ok")
not sure: true ("sure")
not yes: true ("yes")
no problem: false ("no")
I would not say no: false ("no")
yes and no: true ("yes")
never: nothing
of course not: nothing
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
