#!/bin/sh
# knub 31.0.0 with discord.js 14.28.1 (npm, Node 20), a framework for Discord bots, which splits what is too long for one message.
# A block of code that goes on in the next message is opened again with three backticks in front of the first line, on the same
# line. Discord takes a single word there for the language and does not show it: of a list of 400 members the one at each cut is
# on no message (member209). What was "js" before is without a language afterwards. A text whose only line break is its first
# character begins with an empty message, which Discord refuses, so that nothing of it is sent.
# Source: the comment of splitMessageIntoChunks, one of knub's helpers: it retains "leading and trailing line breaks, open code
# blocks, etc. between chunks"; Discord's help, "Markdown Text 101", on a language behind the backticks, as discord-markdown 2.5.1
# shows it here; Discord's error 50006, "Cannot send an empty message". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "knub@31.0.0" "discord.js@14.28.1" "discord-markdown@2.5.1" >>npm.log 2>&1
cat >split.cjs <<'JS'
const { helpers } = require("knub");
const { toHTML } = require("discord-markdown");

const names = Array.from({ length: 400 }, (_, index) => `member${index}`);
const parts = helpers.splitMessageIntoChunks(`\`\`\`\n${names.join("\n")}\n\`\`\``);
for (const part of parts) {
  console.log(JSON.stringify(part.slice(0, 24)), "...", JSON.stringify(part.slice(-14)));
}
const shown = parts.map((part) => toHTML(part).replace(/<[^>]*>/g, "")).join("\n").split("\n");
console.log("members shown:", names.filter((name) => shown.includes(name)).length);
console.log("not shown:", names.filter((name) => !shown.includes(name)).join(" "));
const code = helpers.splitMessageIntoChunks(`\`\`\`js\n${names.map((name) => `let ${name};`).join("\n")}\n\`\`\``);
console.log("code:", code.map((part) => JSON.stringify(part.slice(0, 12))).join(" "));
const long = helpers.splitMessageIntoChunks(`\n${"x".repeat(2500)}`);
console.log("lengths:", long.map((part) => part.length).join(" "));
process.exit(0);
JS
node split.cjs | tee seen
cat >expected <<'TEXT'
"```\nmember0\nmember1\nmemb" ... "7\nmember208```"
"```member209\nmember210\nm" ... "\nmember399\n```"
members shown: 399
not shown: member209
code: "```js\nlet me" "```let membe" "```let membe"
lengths: 0 1990 510
TEXT
cmp seen expected
