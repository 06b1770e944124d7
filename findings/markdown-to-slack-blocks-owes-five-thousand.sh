#!/bin/sh
# markdown-to-slack-blocks 1.5.0 (npm, Node 20), models' Markdown for Slack. A hard line break joins the words on both sides of it: "Ben owes
# 50", and on the next line "20 is paid", is "Ben owes 5020 is paid". Of a task list the ticks are gone, so that what is done and
# what is not look alike. A list within a quote is left out. A list that goes on at 3 begins with 1, since the offset that Slack
# has for it is not set. A paragraph within an item is joined to it without a blank.
# Source: its README, "Motivation": of what Slack does not do itself, "Task lists: Checkbox-style lists are not recognized", and that it is
# useful "where you expect a markdown response from an LLM"; CommonMark, "Hard line breaks". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >log
npm install --no-audit --no-fund --silent markdown-to-slack-blocks@1.5.0 >log
cat >blocks.cjs <<'JS'
const { markdownToBlocks } = require("markdown-to-slack-blocks");

const texts = (node) => {
  if (Array.isArray(node)) return node.flatMap(texts);
  if (typeof node.text === "string") return [node.text];
  return Object.values(node).filter((part) => part && typeof part === "object").flatMap(texts);
};
for (const markdown of ["**Ada** comes", "Ben owes 50  \n20 is paid", "- [ ] pay Ben\n- [x] call Eva", "> I promise:\n> - to pay\n> - to call",
  "- Ben\n\n  paid\n- Eva"])
  console.log(JSON.stringify(markdown), "->", JSON.stringify(texts(markdownToBlocks(markdown))));
const [{ elements }] = markdownToBlocks("3. pay\n4. go");
console.log("3. pay -> offset:", elements[0].offset);
JS
node blocks.cjs >seen
cat seen
cat >expected <<'TEXT'
"**Ada** comes" -> ["*Ada* comes"]
"Ben owes 50  \n20 is paid" -> ["Ben owes 5020 is paid"]
"- [ ] pay Ben\n- [x] call Eva" -> ["pay Ben","call Eva"]
"> I promise:\n> - to pay\n> - to call" -> ["I promise:"]
"- Ben\n\n  paid\n- Eva" -> ["Ben","paid","Eva"]
3. pay -> offset: undefined
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
