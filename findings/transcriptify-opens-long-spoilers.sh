#!/bin/sh
# transcriptify 1.0.6 and discord-message-transcript 1.4.1 with discord.js 14.28.1 (npm, Node 20), HTML transcripts of
# channels of Discord. In those of the first a spoiler of more than one line is open for everybody, bars and all; on
# Discord, and in the second's, it is hidden. ">>>" quotes one line there, so that the rest of what somebody quotes is
# their own words. A forward and a card of components are no message at all, without a sign; in the second's a
# forward has no words. Stars and underscores make italics (in braces below) where Discord leaves them alone:
# "5 * 3 * 2" loses its stars in both, "snake_case_word" its underscores in the second's.
# Source: Discord's help, "Markdown Text 101": two bars before and after a text hide it, ">>>" quotes all that follows.
# discord-markdown-py 0.13.0 (PyPI) and @odiffey/discord-markdown 3.3.0 (npm), parsers of Discord's text, read the
# spoiler, the quote, the product and the name as said here for Discord. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit transcriptify@1.0.6 discord-message-transcript@1.4.1 discord.js@14.28.1
cat >transcripts.mjs <<'JS'
import { Client, GatewayIntentBits } from "discord.js";
import { createTranscript as second } from "discord-message-transcript";
import { createTranscript as first } from "transcriptify";

const ada = { id: "5", username: "ada", discriminator: "0", avatar: null, global_name: "Ada" };
const lists = { attachments: [], embeds: [], mentions: [], mention_roles: [], components: [] };
const times = { timestamp: "2026-11-28T12:00:00+00:00", edited_timestamp: null };
const message = (id, more) => ({
  ...lists, ...times, id, type: 0, channel_id: "2", author: ada, content: "", flags: 0,
  pinned: false, tts: false, mention_everyone: false, ...more,
});
const role = {
  id: "1", name: "@everyone", permissions: "1024", position: 0, color: 0, colors: { primary_color: 0 },
  hoist: false, managed: false, mentionable: false, flags: 0,
};
const kitchen = { id: "2", type: 0, name: "kitchen", position: 0, permission_overwrites: [], parent_id: null };
const words = { ...lists, ...times, type: 0, content: "forwarded words", flags: 0 };
const said = {
  "a spoiler": { content: "||the gardener||" },
  "a spoiler of two lines": { content: "||the butler\nin the pantry||" },
  "a quote of two lines": { content: ">>> quoted\nquoted too" },
  "a product": { content: "5 * 3 * 2" },
  "a name": { content: "snake_case_word" },
  "a forward": {
    message_reference: { type: 1, message_id: "1", channel_id: "2", guild_id: "1" },
    message_snapshots: [{ message: words }],
    flags: 1 << 14,
  },
  "a card": { flags: 1 << 15, components: [{ type: 17, components: [{ type: 10, content: "card words" }] }] },
};
const names = Object.keys(said);
const newestFirst = names.map((name, index) => message(String(1001 + index), said[name])).reverse();
const makeRequest = async (url) => {
  const asked = new URL(url);
  const isFirst = asked.pathname.endsWith("/messages") && !asked.searchParams.has("before");
  return new Response(JSON.stringify(isFirst ? newestFirst : []), { headers: { "content-type": "application/json" } });
};
const client = new Client({ intents: [GatewayIntentBits.Guilds, GatewayIntentBits.MessageContent], rest: { makeRequest } });
client.rest.setToken("x");
client.user = client.users._add({ ...ada, id: "6" });
const guild = client.guilds._add({
  id: "1", name: "Club", owner_id: "5", roles: [role], members: [], emojis: [], channels: [kitchen], threads: [],
});
guild.members._add({ user: { ...ada, id: "6" }, roles: [], joined_at: times.timestamp, flags: 0 });
const channel = guild.channels.cache.get("2");
channel.permissionsFor = () => ({ has: () => true });
channel.fetch = async () => channel;

const shown = (html, id) => {
  const at = html.indexOf(`id="${id}"`);
  if (at < 0) return "no such message";
  const next = html.indexOf(`id="${Number(id) + 1}"`, at);
  const part = html.slice(at, next < 0 ? html.length : next).replaceAll("\n", " ");
  const marks = ["messageContent\">", "min-h-[1.375rem]\">", "leading-tight\">"];
  const start = Math.max(...marks.map((mark) => part.lastIndexOf(mark) + mark.length));
  const body = part.slice(start).replace(/<main.*|<footer.*|<\/main.*|<script.*/, "");
  const text = body.replace(/<em[^>]*>/g, "{").replaceAll("</em>", "}").replace(/<br[^>]*>/g, " / ").replace(/<[^>]*>|<[^>]*$/g, "");
  const isHidden = /reveal spoiler|spoilerMsg/.test(body);
  return `${isHidden ? "hidden, " : ""}${text.replaceAll("&gt;", ">").replace(/Powered by.*/, "").replace(/\s+/g, " ").trim() || "nothing"}`;
};
const htmls = {
  transcriptify: await first(channel, {}),
  "discord-message-transcript": await second(channel, { returnType: "string", returnFormat: "HTML", includeEmpty: true }),
};
for (const library in htmls) {
  console.log(library);
  names.forEach((name, index) => console.log(`  ${name}: ${shown(String(htmls[library]), String(1001 + index))}`));
}
await client.destroy();
JS
node transcripts.mjs 2>log | tee seen
cat >expected <<'END'
transcriptify
  a spoiler: hidden, the gardener
  a spoiler of two lines: ||the butler / in the pantry||
  a quote of two lines: >> quotedquoted too
  a product: 5 {3} 2
  a name: snake_case_word
  a forward: no such message
  a card: no such message
discord-message-transcript
  a spoiler: hidden, the gardener
  a spoiler of two lines: hidden, the butler / in the pantry
  a quote of two lines: quoted / quoted too
  a product: 5 { 3 } 2
  a name: snake{case}word
  a forward: nothing
  a card: card words
END
cmp expected seen || { echo "the behaviour has changed"; cat log; exit 1; }
