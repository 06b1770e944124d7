#!/bin/sh
# slack-markdown 0.3.0 (npm, Node 20), which writes messages of Slack as HTML. Slack sends &, < and > in messages as &amp;, &lt;
# and &gt;; the package knows a quote only by a bare ">", which no message of Slack has, whether it is to escape HTML or not. "I
# hate Leo", quoted by who doubts it, is what they say themselves, beside a sign; and since it escapes once more by default,
# "Ada & Ben <3" is read as "Ada &amp; Ben &lt;3". Stars within a sum are bold there and not in Slack: 2*3*4 is read as 234.
# Source: its README, "Slack-markdown aims to be a markdown parser for slack messages"; Slack's documentation, "Formatting
# message text" (three characters are control characters and escaped in all texts; ">" at the start of a line quotes it). Seen
# on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "slack-markdown@0.3.0" >>npm.log 2>&1
cat >try.cjs <<'JS'
const { toHTML } = require("slack-markdown");

const texts = ["&gt; I hate Leo\nWho said so?", "> I hate Leo\nWho said so?", "Ada &amp; Ben &lt;3", "*do not* come", "2*3*4 = 24"];
for (const text of texts) {
  console.log(JSON.stringify(text));
  for (const escapeHTML of [true, false]) console.log(`  escapeHTML ${escapeHTML}: ${toHTML(text, { escapeHTML })}`);
}
JS
node try.cjs >seen
cat seen
cat >expected <<'TEXT'
"&gt; I hate Leo\nWho said so?"
  escapeHTML true: &amp;gt; I hate Leo<br>Who said so?
  escapeHTML false: &gt; I hate Leo<br>Who said so?
"> I hate Leo\nWho said so?"
  escapeHTML true: <blockquote>I hate Leo<br></blockquote>Who said so?
  escapeHTML false: <blockquote>I hate Leo<br></blockquote>Who said so?
"Ada &amp; Ben &lt;3"
  escapeHTML true: Ada &amp;amp; Ben &amp;lt;3
  escapeHTML false: Ada &amp; Ben &lt;3
"*do not* come"
  escapeHTML true: <strong>do not</strong> come
  escapeHTML false: <strong>do not</strong> come
"2*3*4 = 24"
  escapeHTML true: 2<strong>3</strong>4 = 24
  escapeHTML false: 2<strong>3</strong>4 = 24
TEXT
cmp seen expected
