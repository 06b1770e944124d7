#!/bin/sh
# discord-backup 3.4.0 with discord.js 14.28.1 (npm, Node 20), backups of a Discord server with its messages. Installed as
# its README says, it cannot be loaded: "Cannot find module 'node-fetch'". With node-fetch 2.7.0 beside it,
# saveImages: "base64", for backups of servers that may be deleted, never holds a picture of a message. It looks for "png"
# at the end of the link, where Discord's links have a signature since 2023, and keeps the link, which ends within
# a day. A forward, a poll, a sticker and a card of components are messages without words: loading the backup
# leaves them out, and create() says nothing of any of this.
# Source: fetchChannelMessages (a.url.split(".").pop()) and filteredMessages in lib/util.js; node-fetch stands nowhere in
# package.json, its types among the developers' packages do. Discord's reference, "Signed Attachment CDN URLs": ex, is
# and hm follow the name. The server on this machine stands for Discord's files. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "discord-backup@3.4.0" "discord.js@14.28.1"
cat >backup.cjs <<'JS'
const http = require("http");
const { Client, GatewayIntentBits } = require("discord.js");

try {
  require("discord-backup");
} catch (error) {
  console.log("cannot be loaded:", error.message.split("\n")[0]);
  process.exit(0);
}
const ada = { id: "5", username: "ada", discriminator: "0", avatar: null, global_name: "Ada" };
const lists = { attachments: [], embeds: [], mentions: [], mention_roles: [], components: [] };
const times = { timestamp: "2026-11-28T12:00:00+00:00", edited_timestamp: null };
const message = (id, more) => ({
  ...lists, ...times, id, type: 0, channel_id: "2", author: ada, content: "", flags: 0,
  pinned: false, tts: false, mention_everyone: false, ...more,
});
const poll = {
  question: { text: "Which cake?" }, answers: [{ answer_id: 1, poll_media: { text: "Lemon" } }],
  expiry: "2026-12-01T00:00:00+00:00", allow_multiselect: false, layout_type: 1,
};
const words = { ...lists, ...times, type: 0, content: "The cake is in the fridge.", flags: 0 };
const forward = { type: 1, message_id: "1", channel_id: "2", guild_id: "1" };
const role = {
  id: "1", name: "@everyone", permissions: "0", position: 0, color: 0, colors: { primary_color: 0 },
  hoist: false, managed: false, mentionable: false, flags: 0,
};
const kitchen = { id: "2", type: 0, name: "kitchen", position: 0, permission_overwrites: [], parent_id: null };

const files = http.createServer((_, answer) => answer.end("PNG"));
files.listen(0, "127.0.0.1", async () => {
  const base = `http://127.0.0.1:${files.address().port}/attachments/2/9/`;
  const picture = (name) => ({
    attachments: [{ id: "9", filename: "cake.png", size: 3, content_type: "image/png", url: base + name, proxy_url: base + name }],
  });
  const said = {
    forward: { message_reference: forward, message_snapshots: [{ message: words }], flags: 1 << 14 },
    poll: { poll },
    sticker: { sticker_items: [{ id: "8", name: "Hungry", format_type: 1 }] },
    card: { flags: 1 << 15, components: [{ type: 17, components: [{ type: 10, content: "Bring plates" }] }] },
    "picture, signed link": picture("cake.png?ex=692b4c40&is=6929fac0&hm=0a1b2c3d&"),
    "picture, bare link": picture("cake.png"),
    words: { content: "Cake on Friday?" },
  };
  const names = Object.keys(said);
  const newestFirst = names.map((name, index) => message(String(names.length - index), said[name]));
  const makeRequest = async (url) => {
    const asked = new URL(url);
    const found = asked.pathname.endsWith("/messages") && !asked.searchParams.has("before") ? newestFirst : [];
    return new Response(JSON.stringify(found), { headers: { "content-type": "application/json" } });
  };
  const client = new Client({ intents: [GatewayIntentBits.Guilds, GatewayIntentBits.MessageContent], rest: { makeRequest } });
  client.rest.setToken("x");
  client.user = { id: "6" };
  const guild = client.guilds._add({
    id: "1", name: "Club", owner_id: "5", roles: [role], members: [], emojis: [], channels: [kitchen], threads: [],
  });
  const { create } = require("discord-backup");
  const made = await create(guild, { jsonSave: false, saveImages: "base64", maxMessagesPerChannel: 10 });
  made.channels.others[0].messages.forEach(({ content, embeds, files: kept }, index) => {
    const held = kept.map((file) => (file.attachment === Buffer.from("PNG").toString("base64") ? "the picture" : "a link"));
    console.log(`${names[index]}: ${[content, ...embeds, ...held].filter(Boolean).join() || "nothing"}`);
  });
  files.close();
  await client.destroy();
});
JS
{
    node backup.cjs
    npm install --silent --no-fund --no-audit "node-fetch@2.7.0"
    node backup.cjs
} 2>log | tee seen
cat >expected <<'END'
cannot be loaded: Cannot find module 'node-fetch'
forward: nothing
poll: nothing
sticker: nothing
card: nothing
picture, signed link: a link
picture, bare link: the picture
words: Cake on Friday?
END
cmp expected seen || { echo "the behaviour has changed"; cat log; exit 1; }
