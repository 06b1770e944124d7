#!/bin/sh
# @brainfish-ai/remove-markdown 0.0.3 (npm, Node 20), which takes the marks out of Markdown. What stands between a "<" and a later ">" is
# taken for HTML, with blanks in it too: "5 < 6 and 7 > 3" is "5  3", and of "under < 18 come with Ben, over > 18 alone" the half with Ben
# is gone. Underscores inside words go: my_long_name is mylongname. "I <3 Ben" and "2 * 3 * 4" stay.
# Source: its description: "Remove Markdown formatting from text"; CommonMark 0.31.2, 6.6: a tag's name begins with a letter right behind
# the "<", and 6.2: an underscore inside a word marks nothing. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "@brainfish-ai/remove-markdown@0.0.3" >>npm.log 2>&1
cat >read.cjs <<'JS'
const module_ = require("@brainfish-ai/remove-markdown");
const plain = module_.default || module_;

const texts = [
  "**Ada** comes", "5 < 6 and 7 > 3", "under < 18 come with Ben, over > 18 alone", "take my_long_name", "I <3 Ben", "2 * 3 * 4",
];
for (const text of texts) console.log(JSON.stringify(text), "->", JSON.stringify(plain(text)));
JS
node read.cjs >seen
cat seen
cat >expected <<'TEXT'
"**Ada** comes" -> "Ada comes"
"5 < 6 and 7 > 3" -> "5  3"
"under < 18 come with Ben, over > 18 alone" -> "under  18 alone"
"take my_long_name" -> "take mylongname"
"I <3 Ben" -> "I <3 Ben"
"2 * 3 * 4" -> "2 * 3 * 4"
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
