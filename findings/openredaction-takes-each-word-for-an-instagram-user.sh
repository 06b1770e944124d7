#!/bin/sh
# @openredaction/openredaction 1.0.4 (npm, Node 20), which puts placeholders in the place of personal data. In a text with "weighs" or
# "flight" in it each word is an Instagram name: "The flight to Rome is on Monday" has nothing left but seven of them. In other texts it
# leaves such words alone ("The train to Rome is on Monday"). "Hello World" and "My Discord" are names of people, and a room's number is
# a house. What a model is to read or a memory to keep is gone, until it is restored.
# Source: its README: "Production-ready PII detection and redaction", "Fast & Accurate"; none of these is personal data. Seen on
# 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts --omit=optional "@openredaction/openredaction@1.0.4" >>npm.log 2>&1
cat >hide.cjs <<'JS'
const { OpenRedaction } = require("@openredaction/openredaction");

async function main() {
  const texts = [
    "The train to Rome is on Monday", "The flight to Rome is on Monday", "Flight to Rome on Monday", "The cake weighs a lot",
    "Hello World", "My Discord is full", "Room 10115 is free", "Dear diary, tea is good",
  ];
  for (const text of texts) {
    const { redacted } = await new OpenRedaction().detect(text);
    console.log(`${text} -> ${redacted.replaceAll(/_\d+\]/g, "]")}`);
  }
}
main();
JS
node hide.cjs >seen
cat seen
cat >expected <<'TEXT'
The train to Rome is on Monday -> The train to Rome is on Monday
The flight to Rome is on Monday -> [IG_USER] [IG_USER] [IG_USER] [IG_USER] [IG_USER] [IG_USER] [IG_USER]
Flight to Rome on Monday -> [IG_USER] [IG_USER] [IG_USER] [IG_USER] [IG_USER]
The cake weighs a lot -> [IG_USER] [IG_USER] [IG_USER] [IG_USER] [IG_USER]
Hello World -> [NAME]
My Discord is full -> [NAME] is full
Room 10115 is free -> Room [HOUSING] is free
Dear diary, tea is good -> Dear diary, tea is good
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
