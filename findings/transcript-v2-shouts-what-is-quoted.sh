#!/bin/sh
# @libstermynal/transcript-v2 3.3.7 with discord.js 14.28.1 (npm, Node 20), which writes transcripts of Discord channels. What a
# member quotes is a heading: the element is discord-header, the one that "# Leo said so" has too, so that "> I hate Leo" is
# read as loud words of who doubts them, and nothing tells the two apart. Named links stand there with their brackets. Spoilers,
# bold text, struck text, small text and headings are right.
# Source: its README, "Discord flavored markdown ... Allows for complex markdown syntax to be parsed properly"; Discord's help,
# "Markdown Text 101": ">" is a quote, "[text](link)" a link; the case "blockQuote" in dist/generator/renderers/content.js.
# Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --ignore-scripts @libstermynal/transcript-v2@3.3.7 discord.js@14.28.1 debug@4.4.3 >>npm.log 2>&1
cat >try.cjs <<'JS'
const { generateFromMessages } = require("@libstermynal/transcript-v2");
const { Client, Partials } = require("discord.js");

const client = new Client({ intents: [], partials: [Partials.Channel] });
client.user = { id: "99" };
const texts = ["# Leo said so", "> I hate Leo\nWho said so?", ">>> I hate\nLeo", "[the bill](https://example.org/bill)",
  "~~Ben~~ and ||Eva||", "-# small", "**not** Kim"];

async function show() {
  for (const [number, content] of texts.entries()) {
    const { message } = client.actions.MessageCreate.handle({
      id: String(number + 1), channel_id: "20", channel_type: 1, type: 0, content, timestamp: "2026-11-29T10:00:00+00:00",
      author: { id: "10", username: "anna", discriminator: "0", avatar: null }, edited_timestamp: null, tts: false,
      pinned: false, mention_everyone: false, mentions: [], mention_roles: [], attachments: [], embeds: [], components: [],
      flags: 0,
    });
    const page = await generateFromMessages([message], message.channel, { returnType: "string", poweredBy: false });
    const [, written] = page.match(/<discord-message [^>]*>(.*?)<\/discord-message>/s);
    console.log(JSON.stringify(content), "->", written.replaceAll("<!-- -->", ""));
  }
  process.exit(0);
}
show();
JS
node try.cjs 2>errors >seen
cat seen
cat >expected <<'TEXT'
"# Leo said so" -> <discord-header>Leo said so</discord-header>
"> I hate Leo\nWho said so?" -> <discord-header>I hate Leo<br/></discord-header>Who said so?
">>> I hate\nLeo" -> <discord-header>I hate<br/>Leo</discord-header>
"[the bill](https://example.org/bill)" -> [the bill](<discord-link href="https://example.org/bill" target="_blank" rel="noreferrer">https://example.org/bill</discord-link>)
"~~Ben~~ and ||Eva||" -> <s>Ben</s> and <discord-spoiler>Eva</discord-spoiler>
"-# small" -> <discord-subscript>small</discord-subscript>
"**not** Kim" -> <discord-bold>not</discord-bold> Kim
TEXT
cmp seen expected
