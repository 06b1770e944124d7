#!/bin/sh
# beeai-framework 0.1.30 with zod 3.25.76 (npm, Node 20), whose memories hold a talk for an agent. Told to delete all of its
# messages, "deleteMany(memory.messages)", a memory keeps every second one: what it deletes from is the list that it goes through.
# A message is deleted only if it is that very object; one with the same words and role, as an application has it after reading
# its own store, is left, and the answer "false" of delete() is not in deleteMany(). In a sliding memory that is full, splice()
# puts two new messages in place of one and loses the first of the two. A memory that sums up cannot be cloned, nor loaded from
# its own snapshot: a TypeError.
# Source: deleteMany, splice and clone are among BaseMemory's public methods, and createSnapshot and loadSnapshot belong to each
# memory; dist/memory/base.js and summarizeMemory.js, whose snapshot has "messages", for which the class has a getter only. Seen
# on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps "beeai-framework@0.1.30" "zod@3.25.76" >>npm.log 2>&1
cat >forget.mjs <<'JS'
import { UserMessage } from "beeai-framework/backend/message";
import { SlidingMemory } from "beeai-framework/memory/slidingMemory";
import { SummarizeMemory } from "beeai-framework/memory/summarizeMemory";
import { TokenMemory } from "beeai-framework/memory/tokenMemory";
import { UnconstrainedMemory } from "beeai-framework/memory/unconstrainedMemory";

const words = ["nuts", "lake", "Bo", "Erna", "tea"];
const said = (memory) => JSON.stringify(memory.messages.map((message) => message.text));
for (const memory of [new UnconstrainedMemory(), new TokenMemory({ maxTokens: 500 }), new SlidingMemory({ size: 5 })]) {
  await memory.addMany(words.map((word) => new UserMessage(word)));
  await memory.deleteMany([new UserMessage("nuts")]);
  const kept = said(memory);
  await memory.deleteMany(memory.messages);
  console.log(`${memory.constructor.name}: without "nuts" ${kept}, without all ${said(memory)}`);
}
const sliding = new SlidingMemory({ size: 3 });
await sliding.addMany(["a", "b", "c"].map((word) => new UserMessage(word)));
await sliding.splice(0, 1, new UserMessage("x"), new UserMessage("y"));
console.log("x and y for a:", said(sliding));

const llm = { create: async () => ({ getTextContent: () => "allergic to nuts" }) };
const sums = new SummarizeMemory({ llm });
await sums.add(new UserMessage("I am allergic to nuts"));
console.log("summed up:", said(sums));
for (const again of [() => sums.clone(), async () => new SummarizeMemory({ llm }).loadSnapshot(sums.createSnapshot())]) {
  await again().then(() => console.log("loaded"), (error) => console.log(`${error.name}: ${error.message}`));
}
JS
node forget.mjs | tee seen
cat >expected <<'TEXT'
UnconstrainedMemory: without "nuts" ["nuts","lake","Bo","Erna","tea"], without all ["lake","Erna"]
TokenMemory: without "nuts" ["nuts","lake","Bo","Erna","tea"], without all ["lake","Erna"]
SlidingMemory: without "nuts" ["nuts","lake","Bo","Erna","tea"], without all ["lake","Erna"]
x and y for a: ["b","y","c"]
summed up: ["allergic to nuts"]
TypeError: Cannot set property messages of #<SummarizeMemory> which has only a getter
TypeError: Cannot set property messages of #<SummarizeMemory> which has only a getter
TEXT
cmp seen expected
