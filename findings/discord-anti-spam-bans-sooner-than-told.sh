#!/bin/sh
# discord-anti-spam 2.8.1 with discord.js 14.28.1 (npm, Node 20), set up as its README shows: warn after 3 messages in a row, mute after
# 6, kick after 9, ban after 12. Three of these four options are misspelt there ("muteTreshold"), and what it does not know it passes
# over, so members are muted after 4, kicked after 5 and banned after 7. The messages of a day that a ban shall delete are not
# deleted: "days" is no option of discord.js 14. If all is on, a mute starts the count anew, so nobody is ever kicked. Whom it has
# warned in one server it never warns in another, nor again in the first while the bot runs: there the next spam is muted
# without a warning.
# Source: its README, "Example", with a comment beside each number; index.js ("warnedUsers" is one list of ids for all
# servers, emptied of somebody who leaves); discord.js, BanOptions: deleteMessageSeconds. Discord is played here by objects that
# have what the module reads. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit --ignore-scripts "discord-anti-spam@2.8.1" "discord.js@14.28.1"
cat >spam.cjs <<'JS'
const assert = require("assert");
const {readFileSync} = require("fs");
const AntiSpam = require("discord-anti-spam");

const readme = readFileSync("node_modules/discord-anti-spam/README.md", "utf8");
const shown = Object.fromEntries([...readme.matchAll(/^ {2}(\w+Th?reshold): (\d+),/gm)].map(([, name, count]) => [name, +count]));
console.log("shown:", shown);
assert.deepStrictEqual(shown, {warnThreshold: 3, muteTreshold: 6, kickTreshold: 9, banTreshold: 12});

let id = 0;
/** Let a member post in a server, and return what was done to them, by the count of their messages. */
async function post(antiSpam, server, count) {
  const done = {};
  let messages = 0;
  const note = (name) => async (options) => { done[`${name} after ${messages}`] = options; };
  const roles = {cache: new Map(), highest: {position: 1}};
  const permissions = {has: () => false};
  const member = {id: "7", roles, permissions, bannable: true, kickable: true};
  Object.assign(member, {ban: note("ban"), kick: note("kick"), timeout: note("mute")});
  const me = {permissions: {has: () => true}, roles: {highest: {position: 2}}};
  const guild = {id: server, ownerId: "1", members: {me}};
  const channel = {id: `general of ${server}`, send: async () => {}};
  const client = {user: {id: "2"}, channels: {cache: new Map()}};
  antiSpam.on("warnAdd", note("warn"));
  while (messages < count) {
    messages += 1;
    const message = {id: String(++id), guild, member, channel, client, content: `message ${id}`, createdTimestamp: Date.now()};
    await antiSpam.message({...message, author: {id: "7", tag: "kim", bot: false}});
    await new Promise(setImmediate);
  }
  antiSpam.removeAllListeners();
  return done;
}

(async () => {
  const names = ["warn", "mute", "kick", "ban"];
  const alone = {};
  for (const name of names) {
    const on = Object.fromEntries(names.map((other) => [`${other}Enabled`, other === name]));
    Object.assign(alone, await post(new AntiSpam({...shown, ...on}), "A", 7));
  }
  console.log("each alone:", Object.keys(alone).join(", "), alone["ban after 7"]);
  assert.deepStrictEqual(Object.keys(alone), ["warn after 3", "mute after 4", "kick after 5", "ban after 7"]);
  assert.deepStrictEqual(alone["ban after 7"], {reason: "Spamming!", days: 1});

  const antiSpam = new AntiSpam(shown);
  const inA = Object.keys(await post(antiSpam, "A", 12));
  const inB = Object.keys(await post(antiSpam, "B", 4));
  console.log("all, 12 in A:", inA.join(", "));
  console.log("then 4 in B:", inB.join(", "));
  assert.deepStrictEqual(inA, ["warn after 3", "mute after 4", "mute after 8", "mute after 12"]);
  assert.deepStrictEqual(inB, ["mute after 4"]);
})();
JS
node spam.cjs
