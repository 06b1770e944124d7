#!/bin/sh
# slate-irc 0.9.7 with slate-irc-parser 0.1.11 (npm, Node 20), a client for bots on IRC. The colon in front of the last part of a
# line may be left out if it is one word, and some servers and bouncers do so. Then Anna's "no" in #tea is an empty message in a
# channel called "#tea no", a private "yes" goes to somebody called "me yes", a topic of one word clears the topic of another
# channel, and the reasons for leaving are lost. Names and joins are read both ways. A line with tags, such as the time that IRCv3
# puts in front, is taken for a command of that name and is no message at all.
# Source: RFC 2812, 2.3.1: "the extracted parameters are equal whether matched by <middle> or <trailing>"; IRCv3, "Message Tags";
# the README: "General purpose IRC client"; the parser keeps all parameters as one text and the last only behind a colon. The
# server is a stream in memory. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "slate-irc@0.9.7" "slate-irc-parser@0.1.11" >>npm.log 2>&1
cat >hear.mjs <<'JS'
import { PassThrough } from "node:stream";
import library from "slate-irc";

const server = new PassThrough();
const client = (library.default ?? library)(server);
let heard = [];
for (const name of ["message", "topic", "nick", "join", "part", "quit"]) {
  client.on(name, ({ from, nick, to, channel, channels, message, topic, new: renamed }) => {
    heard.push([name, from ?? nick, to ?? channel ?? channels?.[0], message ?? topic ?? renamed]);
  });
}
for (const line of [
  "PRIVMSG #tea :no",
  "PRIVMSG #tea no",
  "PRIVMSG me yes",
  "TOPIC #tea :nuts",
  "TOPIC #tea nuts",
  "PART #tea :tired",
  "PART #tea tired",
  "QUIT tired",
  "JOIN #tea",
  "NICK annie",
  "tagged PRIVMSG #tea :no",
]) {
  const [command, tags] = line.startsWith("tagged ") ? [line.slice(7), "@time=2026-11-30T10:00:00.000Z "] : [line, ""];
  heard = [];
  server.push(`${tags}:anna!a@host.example ${command}\r\n`);
  await new Promise((resolve) => setTimeout(resolve, 20));
  console.log(`${tags}${command}: ${JSON.stringify(heard)}`);
}
process.exit(0);
JS
node hear.mjs | tee seen
cat >expected <<'TEXT'
PRIVMSG #tea :no: [["message","anna","#tea","no"]]
PRIVMSG #tea no: [["message","anna","#tea no",""]]
PRIVMSG me yes: [["message","anna","me yes",""]]
TOPIC #tea :nuts: [["topic","anna","#tea","nuts"]]
TOPIC #tea nuts: [["topic","anna","#tea nuts",""]]
PART #tea :tired: [["part","anna","#tea","tired"]]
PART #tea tired: [["part","anna","#tea tired",""]]
QUIT tired: [["quit","anna",null,""]]
JOIN #tea: [["join","anna","#tea",null]]
NICK annie: [["nick","anna",null,"annie"]]
@time=2026-11-30T10:00:00.000Z PRIVMSG #tea :no: []
TEXT
cmp seen expected
