#!/bin/sh
# md-to-slack-blocks 1.0.0 (npm, Node 20), which makes Slack's blocks of Markdown. Each pair of stars or underscores in a line marks
# something, wherever it stands, and is gone: "2 * 3 * 4" is "2  3  4" with a slanted 3, "take my_long_name" is "take mylongname", and
# who owes 5 * 4 and 3 * 2 owes 5  4. What is slanted in "a * b" reads as a sum without signs. A point under a point of a list is text
# of the upper one, with its hyphen.
# Source: its README: "Full Markdown Support"; CommonMark 0.31.2, 6.2: a star with blanks on both sides and an underscore inside a word
# open no emphasis, and 5.2: lists stand in lists. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "md-to-slack-blocks@1.0.0" >>npm.log 2>&1
cat >write.mjs <<'JS'
import { markdownToSlackBlocks } from "md-to-slack-blocks";

const text = (node) => node.text ?? (node.elements ?? []).map(text).join("");
for (const said of ["2 * 3 * 4", "take my_long_name", "Ada owes 5 * 4 and Ben 3 * 2", "**Ada** *owes*", "- tea\n  - green\n- nuts"]) {
  console.log(JSON.stringify(said), "->", JSON.stringify(markdownToSlackBlocks(said).map(text).join("")));
}
JS
node write.mjs >seen
cat seen
cat >expected <<'TEXT'
"2 * 3 * 4" -> "2  3  4"
"take my_long_name" -> "take mylongname"
"Ada owes 5 * 4 and Ben 3 * 2" -> "Ada owes 5  4 and Ben 3  2"
"**Ada** *owes*" -> "Ada owes"
"- tea\n  - green\n- nuts" -> "tea\n- greennuts"
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
