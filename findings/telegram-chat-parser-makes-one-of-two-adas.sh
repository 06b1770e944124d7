#!/bin/sh
# telegram-chat-parser 1.0.7 (npm), which reads the JSON that Telegram Desktop exports of a chat. Two members with the same
# name are one person: at each message the only Ada there is gets the id of the one who speaks, so that both are the same
# object, who says in turn that nuts make her ill and that she loves them; there are two participants of three, and the id
# of Ada is that of whoever's message was asked for last: it changes when one reads. A member who deleted the account has no
# name in the export (null): then nothing is read, as an error says that there is neither name nor id, though there is an id.
# Source: its README: "All users that paricipated in the chat ... Should always have id"; its option mergeMissingUserIdIntoName,
# by its name for ids that are missing; addOrFindUser in dist/src/TelegramChat.js. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "telegram-chat-parser@1.0.7" >>npm.log 2>&1
cat >read.cjs <<'JS'
const { TelegramChat } = require("telegram-chat-parser");

const say = (id, from, from_id, text) => ({ id, type: "message", date: `2026-11-28T14:0${id}:00`, from, from_id, text });
const read = (messages) => new TelegramChat(JSON.stringify({ name: "Club", type: "private_group", id: 1, messages }));
const messages = [
  say(1, "Ada", "user1", "Nuts make me ill"),
  say(2, "Ben", "user2", "I bring cake"),
  say(3, "Ada", "user3", "I love nuts"),
];
const chat = read(messages);
const texts = new Map();
for (const message of chat.messages) texts.set(message.from, [...(texts.get(message.from) ?? []), message.text()]);
for (const [{ name }, said] of texts) console.log(name, said);
const show = () => chat.participants.map(({ id, name }) => `${name} ${id}`).join(", ");
console.log("participants:", show());
console.log("after a look at", chat.messages[0].from.name, "of the first message:", show());
try {
  read([...messages, say(4, null, "user4", "Goodbye")]);
} catch (error) {
  console.log("with a deleted account:", error.message);
}
JS
node read.cjs >seen
cat seen
cat >expected <<'TEXT'
Ada [ 'Nuts make me ill', 'I love nuts' ]
Ben [ 'I bring cake' ]
participants: Ada user3, Ben user2
after a look at Ada of the first message: Ada user1, Ben user2
with a deleted account: Can't find user without id or name
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
