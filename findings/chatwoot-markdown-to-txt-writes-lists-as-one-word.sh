#!/bin/sh
# @chatwoot/markdown-to-txt 2.0.4 with marked 4.3.0 (npm, Node 20), which makes plain text of Markdown. Where a block ends nothing is put
# in its place: the list of tea and nuts is "teanuts", a heading and the line under it are one word, so are two paragraphs, a table's rows
# run into each other, and "Room 5" and "10 people" in two points are "Room 510 people". Which points are ticked is gone as well.
# Source: its README: it is "to correctly parse and produce a clean version of the text". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "@chatwoot/markdown-to-txt@2.0.4" "marked@4.3.0" >>npm.log 2>&1
cat >read.cjs <<'JS'
const module_ = require("@chatwoot/markdown-to-txt");
const plain = module_.default || module_.markdownToTxt;

const texts = [
  "- tea\n- nuts", "- Room 5\n- 10 people", "# Choir\nmeets on Friday", "- [ ] tea\n- [x] cake",
  "| who | brings |\n| --- | --- |\n| Ada | tea |\n| Ben | cake |", "No nuts.\n\nBring tea.",
];
for (const text of texts) console.log(JSON.stringify(text), "->", JSON.stringify(plain(text)));
JS
node read.cjs >seen
cat seen
cat >expected <<'TEXT'
"- tea\n- nuts" -> "teanuts"
"- Room 5\n- 10 people" -> "Room 510 people"
"# Choir\nmeets on Friday" -> "Choirmeets on Friday"
"- [ ] tea\n- [x] cake" -> "teacake"
"| who | brings |\n| --- | --- |\n| Ada | tea |\n| Ben | cake |" -> "who bringsAda teaBen cake"
"No nuts.\n\nBring tea." -> "No nuts.Bring tea."
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
