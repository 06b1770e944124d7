#!/bin/sh
# parse-mentions 1.0.0 (npm, Node 20), which finds @mentions and replaces them with what a function says. It replaces none: "output" is
# the text as it came in, with or without a function, whose words stand in "matches" instead, so a bot that writes its members' names
# there sends the text as it was. Of a name with a hyphen, as names on GitHub and Bluesky may have, it knows the front: @ada-lovelace is
# "ada", which may be somebody else.
# Source: its README: "Parses a string and returns an array of @mention objects"; of the function: "When passed in, the @ mentions are
# replaced in the string instead of returned as an array". It returns an object either way. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "parse-mentions@1.0.0" >>npm.log 2>&1
cat >who.cjs <<'JS'
const parse = require("parse-mentions");

console.log(JSON.stringify(parse("Tell @ada and @ben")));
console.log(JSON.stringify(parse("Tell @ada and @ben", (mention) => mention.name)));
console.log(JSON.stringify(parse("Ask @ada-lovelace").matches));
JS
node who.cjs >seen
cat seen
cat >expected <<'TEXT'
{"input":"Tell @ada and @ben","output":"Tell @ada and @ben","matches":[{"name":"ada","match":["@ada","ada"]},{"name":"ben","match":["@ben","ben"]}]}
{"input":"Tell @ada and @ben","output":"Tell @ada and @ben","matches":["ada","ben"]}
[{"name":"ada","match":["@ada","ada"]}]
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
