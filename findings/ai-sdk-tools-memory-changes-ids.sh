#!/bin/sh
# @ai-sdk-tools/memory 1.2.0 (npm), whose providers keep a conversation. What somebody said is read as JSON when it is
# got back, wherever it happens to be some: the id 1234567890123456789, as people paste them on Discord, comes back as
# 1234567890123456800, version 1.10 as 1.1, "null" as nothing, and "true" and "42" are no texts. And of a message only
# this comes back, without who said it and when, so that the package's own formatHistory writes "undefined" said
# undefined for each.
# Source: the README's types: getMessages gives ConversationMessage[], with role, content (a string) and timestamp;
# getMessages in dist/providers/in-memory.js; the one for Redis does the same. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "@ai-sdk-tools/memory@1.2.0" >>npm.log 2>&1
cat >talk.mjs <<'JS'
import { formatHistory } from "@ai-sdk-tools/memory";
import { InMemoryProvider } from "@ai-sdk-tools/memory/in-memory";

const memory = new InMemoryProvider();
for (const content of ["Who was it?", "1234567890123456789", "We run 1.10", "1.10", "null", "true"]) {
  await memory.saveMessage({ chatId: "1", userId: "anna", role: "user", content, timestamp: new Date() });
}
const messages = await memory.getMessages({ chatId: "1" });
for (const message of messages) console.log(JSON.stringify(message));
console.log(JSON.stringify(formatHistory(messages.slice(0, 2))));
JS
node talk.mjs | tee seen
cat >expected <<'TEXT'
"Who was it?"
1234567890123456800
"We run 1.10"
1.1
null
true
"\n## Recent Messages\n\n**undefined**: undefined\n\n**undefined**: undefined\n"
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
