#!/bin/sh
# slack-hawk-down 0.3.5 and its newer fork slack-to-html 2.1.0 (npm, Node 20), which write Slack's messages as HTML. slack-hawk-down
# takes whatever stands between two colons for an emoji and, knowing none of that name, leaves the colons out: "10:30:00" is shown
# as "103000", "4:2:1" as "421". Slack sends each ">" as "&gt;"; one in the middle of a sentence turns the rest into a quotation of
# somebody else. Of a quotation every second line is the writer's own ("&gt; two"). The fork mended the colons and the sentence, and
# now only the first line of a whole message can be a quotation: all further lines, and each quotation that follows a greeting, are
# shown as the writer's own words behind a bare ">".
# Source: Slack's "Formatting text for app surfaces": a quotation is made by ">" "at the beginning of one or multiple lines"; both
# READMEs promise Slack's mrkdwn as HTML, the fork "&gt;quote" as a block. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "slack-hawk-down@0.3.5" "slack-to-html@2.1.0" >>npm.log 2>&1
cat >show.cjs <<'JS'
const older = require("slack-hawk-down");
const newer = require("slack-to-html");

const messages = [
  "we start at 10:30:00 sharp",
  "ratio 4:2:1",
  "call me if it is &gt; 38 degrees",
  "&gt; I hate Leo\n&gt; and his dog\n&gt; and his cat\nNot me!",
  "Ada wrote:\n&gt; I hate Leo\n&gt; and his dog",
];
const short = (html) => JSON.stringify(html.replace(/<span class="slack_block">(.*?)<\/span>/g, "[quote:$1]"));
for (const message of messages) {
  console.log(JSON.stringify(message));
  console.log("  hawk-down:", short(older.escapeForSlackWithMarkdown(message)));
  console.log("  to-html:  ", short(newer.escapeForSlackWithMarkdown(message)));
}
JS
node show.cjs | tee seen
cat >expected <<'TEXT'
"we start at 10:30:00 sharp"
  hawk-down: "we start at 103000 sharp"
  to-html:   "we start at 10:30:00 sharp"
"ratio 4:2:1"
  hawk-down: "ratio 421"
  to-html:   "ratio 4:2:1"
"call me if it is &gt; 38 degrees"
  hawk-down: "call me if it is [quote: 38 degrees]"
  to-html:   "call me if it is &gt; 38 degrees"
"&gt; I hate Leo\n&gt; and his dog\n&gt; and his cat\nNot me!"
  hawk-down: "[quote: I hate Leo]\n&gt; and his dog\n[quote: and his cat]\nNot me!"
  to-html:   "[quote: I hate Leo]\n&gt; and his dog\n&gt; and his cat\nNot me!"
"Ada wrote:\n&gt; I hate Leo\n&gt; and his dog"
  hawk-down: "Ada wrote:\n[quote: I hate Leo]\n&gt; and his dog"
  to-html:   "Ada wrote:\n&gt; I hate Leo\n&gt; and his dog"
TEXT
cmp seen expected
