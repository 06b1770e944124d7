#!/bin/sh
# @chat-adapter/discord 4.41.0 with chat 4.41.0 (npm, Node 20), the Discord side of Chat SDK, given the Markdown that a model
# answers with. Of a quote only the first line is quoted when it is posted; the rest are the bot's own words. Ticks of a list
# of tasks are gone, both of what is done and of what is not, and headings and the numbers of footnotes are. A single "~"
# means nothing on Discord; "5~10 minutes, or 15~20" is posted with what stands between them struck out. Signs that the model
# escaped are posted bare, so that Discord makes italics of "2\*3\*4". "@7pm" and "@everyone" become "<@7pm>" and
# "<@everyone>", which are shown like that. What members write is read the same way: numbers and ticks of their lists are
# gone, and what they quote reads like theirs.
# Source: nodeToDiscordMarkdown and toAst in dist/index.js (a blockquote gets "> " once a paragraph); Discord's help,
# "Markdown Text 101", knows headings, escapes and "~~". The AST is GFM's, where one tilde strikes out. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --ignore-scripts @chat-adapter/discord@4.41.0 chat@4.41.0 >>npm.log 2>&1
cat >try.mjs <<'JS'
import { DiscordFormatConverter } from "@chat-adapter/discord";
const converter = new DiscordFormatConverter();
const answers = [
  "> I will not come\n> if Leo is there\n\nAsk him again.",
  "- [x] pay Kim\n- [ ] call Leo",
  "# Rules\nBe kind",
  "The hall is free[^1]\n\n[^1]: not on Sundays",
  "It takes 5~10 minutes, or 15~20 on foot",
  "It is 2\\*3\\*4",
  "We meet @7pm, tell @everyone",
];
for (const markdown of answers) {
  console.log(JSON.stringify(markdown), "->", JSON.stringify(converter.renderPostable({ markdown })));
}
const messages = ["4. no dogs\n5. no cats", "- [x] pay Kim\n- [ ] call Leo", "> I hate Leo\n\nWho said so?"];
for (const content of messages) {
  console.log("read:", JSON.stringify(content), "->", JSON.stringify(converter.extractPlainText(content)));
}
JS
node try.mjs >seen
cat seen
cat >expected <<'TEXT'
"> I will not come\n> if Leo is there\n\nAsk him again." -> "> I will not come\nif Leo is there\n\nAsk him again."
"- [x] pay Kim\n- [ ] call Leo" -> "- pay Kim\n- call Leo"
"# Rules\nBe kind" -> "Rules\n\nBe kind"
"The hall is free[^1]\n\n[^1]: not on Sundays" -> "The hall is free\n\nnot on Sundays"
"It takes 5~10 minutes, or 15~20 on foot" -> "It takes 5~~10 minutes, or 15~~20 on foot"
"It is 2\\*3\\*4" -> "It is 2*3*4"
"We meet @7pm, tell @everyone" -> "We meet <@7pm>, tell <@everyone>"
read: "4. no dogs\n5. no cats" -> "no dogs\nno cats"
read: "- [x] pay Kim\n- [ ] call Leo" -> "pay Kim\ncall Leo"
read: "> I hate Leo\n\nWho said so?" -> "I hate Leo\n\nWho said so?"
TEXT
cmp seen expected
