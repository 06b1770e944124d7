#!/bin/sh
# @helicone/prompts 1.0.15, the last one (deprecated; npm, Node 20), writes and fills prompts with named places. What is false,
# 0 or null is written where a prompt is made with it, and left out where a made prompt is filled again: "Nuts allowed: false.
# Cards left: 0." becomes "Nuts allowed: . Cards left: .", as if nothing were known. hpfo, which is to keep what is indented
# against the rest, takes all blanks at the beginnings of lines, also within what is filled in, so that a list in a list is one
# list.
# Source: the docstrings in its dist/index.d.ts: formatPrompt returns "the formatted prompt with all placeholders replaced with
# their values"; hpfo "removes common leading spaces ... while preserving the relative indentation of the content". Seen on
# 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "@helicone/prompts@1.0.15" >>npm.log 2>&1
cat >try.cjs <<'JS'
const { formatPrompt, hpf, hpfo, parsePrompt } = require("@helicone/prompts");

const made = hpf`Nuts allowed: ${{ nuts: false }}. Cards left: ${{ cards: 0 }}. Name: ${{ name: "Ada" }}.`;
console.log("made:", parsePrompt(made).text);
const filled = formatPrompt(parsePrompt(made).prompt, { nuts: false, cards: 0, name: "Ben" });
console.log("filled:", parsePrompt(filled).text);
const list = hpfo`
  - milk
    - not oat
  ${{ more: "- tea\n    - not black" }}
`;
console.log(`hpfo:\n${parsePrompt(list).text}`);
JS
node try.cjs >seen
cat seen
cat >expected <<'TEXT'
made: Nuts allowed: false. Cards left: 0. Name: Ada.
filled: Nuts allowed: . Cards left: . Name: Ben.
hpfo:
- milk
- not oat
- tea
- not black
TEXT
cmp seen expected
