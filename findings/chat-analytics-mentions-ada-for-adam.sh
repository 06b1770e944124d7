#!/bin/sh
# chat-analytics 1.1.2 (npm, Node 20), which makes reports of exported chats. In exports of DiscordChatExporter mentions stand
# by their display names; it looks for the account's name instead, as a part of any word, to put the display name there. Who
# says "@adam comes" and mentions ada too has mentioned "Ada_Lovelace" and not Adam, while "@Ada Lovelace" and "@Ada Byron" are
# one "Ada", and "Byron" is a word they use. A deleted account of Telegram is called by the number of its first message in the
# chat, here 77, not by its own. Messenger's letters beyond ASCII, which Facebook writes byte by byte, stay in pieces: Zoë, who
# says "Café schön", is ZoÃ« with the words CafÃ and schÃ.
# Source: its README (Discord from DiscordChatExporter, Messenger and Telegram are supported, with text and mentions); comments
# in its parsers ("to honor nicknames", "use the ID as name if no nickname is available"); DiscordChatExporter's plain text
# visitor, which writes "@" and the member's display name; its JSON has both names of a mention. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "chat-analytics@1.1.2" >>npm.log 2>&1
cat >try.cjs <<'JS'
const fs = require("node:fs");
const { generateDatabase } = require("chat-analytics");
const { loadFile, loadNodeAsset } = require("./node_modules/chat-analytics/dist/lib/NodeEnv.js");

async function report(platform, chat) {
  fs.writeFileSync("chat.json", JSON.stringify(chat));
  const config = { platform, demo: false };
  const database = await generateDatabase([loadFile("chat.json")], config, { loadAsset: loadNodeAsset });
  const authors = database.authors.map(({ n }) => n).join(", ");
  const [words, mentions] = [database.words, database.mentions].map((list) => list.join(", ") || "none");
  console.log(`${platform}: by ${authors}; words ${words}; mentions ${mentions}`);
}

function member(id, name, nickname) {
  return { id, name, discriminator: "0000", nickname, color: null, isBot: false, roles: [], avatarUrl: "" };
}

const ben = member("1", "ben", "Ben");
function discord(content, mentions) {
  const message = {
    id: "100", type: "Default", timestamp: "2026-11-30T10:15:00.000+00:00", timestampEdited: null, callEndedTimestamp: null,
    isPinned: false, content, author: ben, attachments: [], embeds: [], stickers: [], reactions: [], mentions, inlineEmojis: [],
  };
  return {
    guild: { id: "9", name: "Club", iconUrl: "" },
    channel: { id: "8", type: "GuildTextChat", categoryId: null, category: null, name: "general", topic: null },
    dateRange: { after: null, before: null }, exportedAt: "2026-12-01T00:00:00+00:00", messages: [message], messageCount: 1,
  };
}

const telegram = {
  name: "Club", type: "personal_chat", id: 5,
  messages: [{
    id: 77, type: "message", date: "2026-11-30T10:15:00", date_unixtime: "1796033700", from: null, from_id: "user5",
    text: "cake tomorrow", text_entities: [],
  }],
};
const messenger = {
  participants: [{ name: "Zo\u00c3\u00ab" }, { name: "Ben" }],
  title: "Ben", is_still_participant: true, thread_path: "inbox/ben_1",
  messages: [{ sender_name: "Zo\u00c3\u00ab", timestamp_ms: 1796033700000, content: "Caf\u00c3\u00a9 sch\u00c3\u00b6n" }],
};

async function main() {
  const [ada, adam, byron] = [member("2", "ada", "Ada Lovelace"), member("3", "adam", "adam"), member("4", "byron", "Ada Byron")];
  await report("discord", discord("@adam comes, @Ada Lovelace stays", [ada, adam]));
  await report("discord", discord("@Ada Lovelace dances, @Ada Byron sings", [ada, byron]));
  await report("telegram", telegram);
  await report("messenger", messenger);
}
main();
JS
node try.cjs >seen
cat seen
cat >expected <<'TEXT'
discord: by Ben; words Lovelace, stays; mentions Ada_Lovelace, Ada
discord: by Ben; words Lovelace, dances, Byron, sings; mentions Ada
telegram: by 77; words cake, tomorrow; mentions none
messenger: by ZoÃ«; words CafÃ, schÃ; mentions none
TEXT
cmp seen expected
