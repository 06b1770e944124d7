#!/bin/sh
# @llamaindex/core 0.6.23 (npm, Node 20): Memory with a block that extracts facts. As soon as the talk is longer than its
# short-term part may be, all of it goes into the blocks, the message that was just added with it: what getLLM() then gives for
# the answer is the list of facts alone, without the question and without anything said before. If the model writes its list
# between lines of backticks, as many do, the block cannot read it; the messages count as stored all the same, and are in nothing
# that a model is told. To condense the facts the model is asked for "less than {{ max_facts }} facts", in these words, and
# whoever writes "$&" in a message has the name of the gap written in its place.
# Source: LlamaIndex's guide to memory for TypeScript: getLLM gets "the last X messages that fit into the context window", and
# agents use it; the comments in memory/dist/index.js: "Fixed blocks, Long term blocks, Short term messages(oldest to newest)";
# manageMemoryBlocks there moves the cursor behind all messages, also when a block has failed. No model is called; an object
# answers in its place. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "@llamaindex/core@0.6.23" >>npm.log 2>&1
cat >talk.mjs <<'JS'
import { createMemory, factExtractionBlock } from "@llamaindex/core/memory";

async function talk(answer, sentences) {
  const prompts = [];
  const llm = {
    complete: async ({ prompt }) => {
      prompts.push(prompt);
      return { text: answer };
    },
  };
  const block = factExtractionBlock({ id: "facts", priority: 1, llm, maxFacts: 1 });
  const logger = { log() {}, error() {}, warn: (text) => console.log("  warning:", text.split(":")[0]) };
  const memory = createMemory({ tokenLimit: 60, shortTermTokenLimitRatio: 0.5, memoryBlocks: [block], logger });
  for (const content of sentences) {
    await memory.add({ role: "user", content });
  }
  console.log("  told to the model:", JSON.stringify((await memory.getLLM()).map((message) => message.content)));
  return prompts;
}
const before = ["I live in Bonn, in a house by the lake, with my dog Bo and two birds.", "And I am allergic to nuts."];
const question = "May I eat this marzipan cake at my gran's party tomorrow?";
console.log("two sentences");
await talk('{"facts": ["allergic to nuts"]}', before);
console.log("and a question");
await talk('{"facts": ["allergic to nuts"]}', [...before, question]);
console.log("and a question, the list between backticks");
await talk('```json\n{"facts": ["allergic to nuts"]}\n```', [...before, question]);
console.log("two facts where one is wanted");
const prompts = await talk('{"facts": ["allergic to nuts", "lives in Bonn"]}', [...before, "Regular expressions: $& is what was found, is it not?"]);
console.log("  asked:", prompts[0].match(/Regular.*/)[0]);
console.log("  asked:", prompts[1].match(/less than .*/)[0]);
JS
node talk.mjs 2>&1 | tee seen
cat >expected <<'TEXT'
two sentences
  told to the model: ["","I live in Bonn, in a house by the lake, with my dog Bo and two birds.","And I am allergic to nuts."]
and a question
  told to the model: ["allergic to nuts"]
and a question, the list between backticks
  warning: Failed to process messages into memory block facts
  told to the model: [""]
two facts where one is wanted
  told to the model: ["allergic to nuts"]
  asked: Regular expressions: {{conversation}} is what was found, is it not?
  asked: less than {{ max_facts }} facts
TEXT
cmp seen expected
