#!/bin/sh
# html-to-mrkdwn-ts 1.1.0 (npm, Node 20), which makes Slack's mrkdwn of HTML. What is crossed out has two tildes on each side, as in
# other Markdown; Slack knows one, so "Do ~~not~~ come" is not crossed out there, and what was taken back stands as it was said. A table
# is lines of bars and hyphens, which Slack does not know either, and a list that starts at 3 starts at 1. Bold, italics and links are
# in Slack's own form, as its README says.
# Source: its README: it is a "HTML to Slack flavored markdown converter", with a link to Slack's "Formatting text", which has "~" on
# each side of what is crossed out and no tables. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "html-to-mrkdwn-ts@1.1.0" >>npm.log 2>&1
cat >write.cjs <<'JS'
const { default: mrkdwn } = require("html-to-mrkdwn-ts");

const pages = [
  "<p><b>Ada</b> <i>comes</i></p>", "<p>Do <del>not</del> come</p>", "<p>At <s>five</s> six</p>", "<ol start=3><li>tea</li><li>cake</li></ol>",
  "<table><tr><th>who</th><th>brings</th></tr><tr><td>Ada</td><td>tea</td></tr></table>",
];
for (const html of pages) console.log(html, "->", JSON.stringify(mrkdwn(html).text));
JS
node write.cjs >seen
cat seen
cat >expected <<'TEXT'
<p><b>Ada</b> <i>comes</i></p> -> "*Ada* _comes_"
<p>Do <del>not</del> come</p> -> "Do ~~not~~ come"
<p>At <s>five</s> six</p> -> "At ~~five~~ six"
<ol start=3><li>tea</li><li>cake</li></ol> -> "1. tea\n2. cake"
<table><tr><th>who</th><th>brings</th></tr><tr><td>Ada</td><td>tea</td></tr></table> -> "| who | brings |\n| --- | ------ |\n| Ada | tea    |"
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
