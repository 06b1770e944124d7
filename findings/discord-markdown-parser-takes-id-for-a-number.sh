#!/bin/sh
# discord-markdown-parser 1.3.1 (npm, Node 20), which reads what people write on Discord. The links to a server's own pages,
# which it says it knows, are <id:customize>, <id:browse>, <id:guide> and <id:linked-roles:ROLE>, with the letters "id"; it
# asks for a number in their place, which nothing sends, and leaves the real ones as text. So it does with times of the styles
# s and S, which have seconds. "[the form](https://...)", a link also in what members write since 2023, is one for the type
# "extended" alone, which is said to be for webhooks and embeds: in a normal message the address is a link of its own, and
# what it was said to be stays text between brackets. What is not read comes in pieces of one character, so that who looks for
# it in the pieces does not find it either.
# Source: its README, "guild navigation mentions", "timestamps", "links"; docs.discord.com, Reference, "Message Formatting";
# GuildNavigationRegex and TimestampRegex in dist/utils/regex.js. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "discord-markdown-parser@1.3.1"
cat >read.cjs <<'JS'
const {parse} = require("discord-markdown-parser");

const shown = (node) => (node.type === "text" ? JSON.stringify(node.content) : `${node.type}(${node.target ?? node.navigation ?? node.timestamp})`);
const texts = [
  "<id:guide>",
  "<123456789012345678:guide>",
  "<t:1796148000:F>",
  "<t:1796148000:S>",
  "[the form](https://example.org/form)",
];
for (const type of ["normal", "extended"]) {
  for (const text of texts) console.log(`${type} ${text}: ${parse(text, type).map(shown).join(" ")}`);
}
JS
node read.cjs >seen
cat seen
cat >expected <<'TEXT'
normal <id:guide>: "<" "i" "d" ":guide" ">"
normal <123456789012345678:guide>: guildNavigation(guide)
normal <t:1796148000:F>: timestamp(1796148000)
normal <t:1796148000:S>: "<" "t" ":" "1" "7" "9" "6" "1" "4" "8" "0" "0" "0" ":S" ">"
normal [the form](https://example.org/form): "[the form" "]" "(" url(https://example.org/form) ")"
extended <id:guide>: "<" "i" "d" ":guide" ">"
extended <123456789012345678:guide>: guildNavigation(guide)
extended <t:1796148000:F>: timestamp(1796148000)
extended <t:1796148000:S>: "<" "t" ":" "1" "7" "9" "6" "1" "4" "8" "0" "0" "0" ":S" ">"
extended [the form](https://example.org/form): link(https://example.org/form)
TEXT
cmp expected seen
