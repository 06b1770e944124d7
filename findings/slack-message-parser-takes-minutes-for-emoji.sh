#!/bin/sh
# slack-message-parser 3.0.2 (npm), a parser of "Slack's message format". What stands between two colons is an emoji,
# also where it is a number in a time: "19:30:00" is 19, the emoji "30", and 00. Slack writes times like that as they
# are, as there is no such emoji. Who shows emoji that it does not know as nothing, or as a picture, has a message that
# says 1900; so with a score or a name, "3:2:1" and "Anna:Ben:Cy". And "&lt;", "&gt;" and "&amp;", which Slack writes
# for the three signs of its own, are left in the text: "&lt;3" is not "<3", other than the quote's sign, which is read.
# Source: parseEmoji in esm/parser.js of the package; Slack's documentation, "Formatting text for app surfaces", on the
# three characters that are escaped. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "slack-message-parser@3.0.2" >>npm.log 2>&1
cat >read.js <<'JS'
const { NodeType, parse } = require("slack-message-parser");

for (const text of [
  "Doors close at 19:30:00",
  "We won 3:2 and they 3:2:1",
  "Well done :tada:",
  "I &lt;3 tea &amp; cake",
]) {
  const parts = parse(text).children.map((node) =>
    node.type === NodeType.Emoji ? { emoji: node.name } : node.text,
  );
  console.log(JSON.stringify(parts));
}
JS
node read.js | tee seen
cat >expected <<'TEXT'
["Doors close at 19",{"emoji":"30"},"00"]
["We won 3:2 and they 3",{"emoji":"2"},"1"]
["Well done ",{"emoji":"tada"}]
["I &lt;3 tea &amp; cake"]
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
