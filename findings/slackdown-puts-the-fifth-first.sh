#!/bin/sh
# @bpinternal/slackdown 0.1.0 (npm, Node 20), which turns what is written in Slack into CommonMark. Who is fifth is first: "5.
# Eva" becomes "1. Eva", and of two that are fourth and fifth the second is second. A block of code gets two more ticks on each
# side and an empty line at each line end, so that commonmark 0.31.2 (npm) reads no code but two paragraphs with ticks in them;
# in code of one line a star is two. Quotes, which Slack writes as "&gt; ", stay text, and the words that follow them too.
# "2*3*4", which Slack shows as it stands, is a 2, a bold 3 and a 4.
# Source: its README, "Slackdown is a mrkdwn-to-commonmark converter"; Slack's "Formatting text for app surfaces": "&", "<" and
# ">" are escaped in every message, and code is shown as it is typed. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --ignore-scripts @bpinternal/slackdown@0.1.0 commonmark@0.31.2 >>npm.log 2>&1
cat >try.mjs <<'JS'
import { slackToMarkdown } from "@bpinternal/slackdown";
import { HtmlRenderer, Parser } from "commonmark";
const written = ["*Ada* is _not_ ~vegan~", "5. Eva", "4. Ada\n5. Eva", "Type `a *b* c`", "Type ```one\ntwo``` then wait",
  "It is 2*3*4", "&gt; I hate Leo\nWho said so?", "<@U1> in <#C1|general>"];
for (const text of written) {
  const markdown = slackToMarkdown(text);
  const html = new HtmlRenderer().render(new Parser().parse(markdown)).trim();
  console.log(JSON.stringify(text), "->", JSON.stringify(markdown), "->", JSON.stringify(html));
}
JS
node try.mjs | tee seen
cat >expected <<'TEXT'
"*Ada* is _not_ ~vegan~" -> "**Ada** is *not* ~~vegan~~" -> "<p><strong>Ada</strong> is <em>not</em> ~~vegan~~</p>"
"5. Eva" -> "1. Eva" -> "<ol>\n<li>Eva</li>\n</ol>"
"4. Ada\n5. Eva" -> "1. Ada\n2. Eva" -> "<ol>\n<li>Ada</li>\n<li>Eva</li>\n</ol>"
"Type `a *b* c`" -> "Type `a **b** c`" -> "<p>Type <code>a **b** c</code></p>"
"Type ```one\ntwo``` then wait" -> "Type `````one\n\ntwo````` then wait" -> "<p>Type `````one</p>\n<p>two````` then wait</p>"
"It is 2*3*4" -> "It is 2**3**4" -> "<p>It is 2<strong>3</strong>4</p>"
"&gt; I hate Leo\nWho said so?" -> "&gt; I hate Leo\n\nWho said so?" -> "<p>&gt; I hate Leo</p>\n<p>Who said so?</p>"
"<@U1> in <#C1|general>" -> "<@U1> in <#C1|general>" -> "<p>&lt;@U1&gt; in &lt;#C1|general&gt;</p>"
TEXT
cmp seen expected
