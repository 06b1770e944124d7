#!/bin/sh
# tekko 2.4.0 (npm, Node 20), which reads and writes messages of IRC for bots and clients. It cannot write the message with
# which a channel's topic is cleared: "TOPIC #club :", read and written again without a change, is "TOPIC #club", which asks
# what the topic is, and so is one with an empty last parameter. In the list of parameters that it reads both are the same;
# only "trailing" beside it tells them apart. And format() prints the last parameter of each message to the standard output
# besides, so that all that a bot says stands in its log.
# Source: the README, which shows neither; RFC 2812, 2.3.1 (what stands after the colon may be empty) and 3.2.4, where "TOPIC
# #test :" clears the topic and "TOPIC #test" asks for it; "if (trailing)" in dist/format.js and console.log in
# dist/helpers.js of the package. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "tekko@2.4.0"
cat >talk.cjs <<'JS'
const { format, parse } = require("tekko");

for (const line of ["TOPIC #club :Cake at 8", "TOPIC #club :", "TOPIC #club"]) {
  const message = parse(line);
  const written = format(message);
  console.log(`${line}| read: ${JSON.stringify(message.params)}, trailing ${message.trailing}| written: ${written}|`);
}
console.log(`${format({ command: "TOPIC", params: ["#club", ""] })}|`);
JS
node talk.cjs | tee seen
cat >expected <<'TEXT'
Cake at 8
TOPIC #club :Cake at 8| read: ["#club","Cake at 8"], trailing Cake at 8| written: TOPIC #club :Cake at 8|
#club
TOPIC #club :| read: ["#club"], trailing | written: TOPIC #club|
#club
TOPIC #club| read: ["#club"], trailing undefined| written: TOPIC #club|
TOPIC #club |
TEXT
cmp seen expected
