#!/bin/sh
# tekko 2.4.0 (npm, Node 20), which reads and writes messages of IRC for bots and clients. A last parameter that is empty is
# lost: the message with which somebody clears a channel's topic, "TOPIC #club :", is read like the question what the topic
# is, and is written without its colon, so that it asks instead of clearing. And format() prints the last parameter of each
# message to the standard output besides, so that all that is said by the bot stands in its log. The README's "middle",
# "trailing" and the prefix's "nick" are not there.
# Source: the README, "Another IRC message parser and formatter"; RFC 2812, 2.3.1 (trailing may be empty) and 3.2.4, where
# "TOPIC #test :" clears the topic and "TOPIC #test" asks for it. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "tekko@2.4.0"
cat >talk.cjs <<'JS'
const { format, parse } = require("tekko");

const lines = [":ada!a@h TOPIC #club :Cake at 8", ":ada!a@h TOPIC #club :", ":ada!a@h TOPIC #club"];
for (const line of lines) console.log("read:", line, "->", JSON.stringify(parse(line).params));
for (const params of [["#club", "Hi, Ben"], ["#club", ""]]) {
  const line = format({ command: "TOPIC", params });
  console.log("written:", JSON.stringify(params), "->", `${line}|`);
}
const { middle, prefix } = parse(lines[0]);
console.log("as in the README:", middle, prefix.nick);
JS
node talk.cjs | tee seen
cat >expected <<'TEXT'
read: :ada!a@h TOPIC #club :Cake at 8 -> ["#club","Cake at 8"]
read: :ada!a@h TOPIC #club : -> ["#club"]
read: :ada!a@h TOPIC #club -> ["#club"]
Hi, Ben
written: ["#club","Hi, Ben"] -> TOPIC #club :Hi, Ben|
written: ["#club",""] -> TOPIC #club |
as in the README: undefined undefined
TEXT
cmp seen expected
