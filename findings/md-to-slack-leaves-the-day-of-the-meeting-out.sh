#!/bin/sh
# md-to-slack 1.1.7 (npm), which writes Markdown, as models answer in it, for Slack. A table is nothing: of an answer
# with the days and the people of a meeting only the words around it arrive, and nothing says that something is missing.
# The line under a line that two blanks end, and what is nested in a list, are glued to what is above: "not before 7",
# "Anna" is "not before 7Anna". Of a quote of two lines only the first is quoted, so the second is what the bot itself
# says.
# Source: the README: "all of the basic Markdown syntax is supported and translated", tables are named as something that
# could be added, headings and pictures as what is left out; Slack's own sign for a quote stands in front of each line.
# Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "md-to-slack@1.1.7" >>npm.log 2>&1
cat >write.mjs <<'JS'
import { markdownToSlack } from "md-to-slack";

for (const text of [
  "We meet on:\n\n| Day | Who |\n|---|---|\n| Monday | Anna |\n\nSee you!",
  "We meet not before 7  \nAnna brings tea",
  "- Food\n  - no nuts\n- Tea",
  "> I said that I come.\n> I never said when.\n\nWhen will you?",
  "We meet **at 7**",
]) {
  console.log(JSON.stringify(markdownToSlack(text)));
}
JS
node write.mjs | tee seen
cat >expected <<'TEXT'
"We meet on:\n\nSee you!"
"We meet not before 7Anna brings tea"
"- Food- no nuts\n- Tea"
"> I said that I come.\nI never said when.\n\nWhen will you?"
"We meet *at 7*"
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
