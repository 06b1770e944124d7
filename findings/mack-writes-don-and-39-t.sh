#!/bin/sh
# @instantish/mack 1.2.0 (npm, Node 20), which writes Markdown as blocks for Slack. Each apostrophe becomes "&#39;" and each quotation
# mark "&quot;", and Slack shows them so: "I don&#39;t know". Headings, which are plain text, have them right. Of a list within a
# list nothing is left: of a cake with flour and eggs, the cake. A second paragraph of a point is gone, a list within a quotation is
# gone and the rest of that quotation is no quotation any more. A line that ends with two spaces, Markdown's line break, is joined to
# the next without anything between them. Nothing is reported.
# Source: the README: "All inline elements", "Lists (ordered, unordered, checkboxes)", quotations except for lists within them, and
# text cut only "to fit within the Slack API's limits"; Slack's "Formatting text for app surfaces": only "&", "<" and ">" are to be
# replaced, and nothing else is decoded; CommonMark 0.31.2, 5.2 (lists within items) and 6.7 (hard breaks). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "@instantish/mack@1.2.0" >>npm.log 2>&1
cat >blocks.cjs <<'JS'
const { markdownToBlocks } = require("@instantish/mack");

const answers = [
  "I don't know, say \"no\"",
  "# It's me",
  "- cake\n  - flour\n  - eggs\n- tea",
  "1. call Kim\n\n   after five\n2. call Leo",
  "> Ada said:\n> - no nuts",
  "no nuts  \nfor Leo",
];
(async () => {
  for (const answer of answers) {
    const blocks = await markdownToBlocks(answer);
    console.log(JSON.stringify(answer), "->", JSON.stringify(blocks.map((block) => block.text.text)));
  }
})();
JS
node blocks.cjs | tee seen
cat >expected <<'TEXT'
"I don't know, say \"no\"" -> ["I don&#39;t know, say &quot;no&quot;"]
"# It's me" -> ["It's me"]
"- cake\n  - flour\n  - eggs\n- tea" -> ["• cake\n• tea"]
"1. call Kim\n\n   after five\n2. call Leo" -> ["1. call Kim\n2. call Leo"]
"> Ada said:\n> - no nuts" -> ["Ada said:"]
"no nuts  \nfor Leo" -> ["no nutsfor Leo"]
TEXT
cmp seen expected
