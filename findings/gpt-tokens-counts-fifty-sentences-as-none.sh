#!/bin/sh
# gpt-tokens 1.3.14 and openai-gpt-token-counter 1.1.2 (npm, Node 20), which count what a conversation costs. A message whose
# content is a list of parts, as one with a picture has to be, counts as an empty one: fifty sentences are fewer tokens than
# one sentence, and nothing is said. The calls of tools that an answer makes are not counted at all, however long their
# arguments are, nor are ids. To openai-gpt-token-counter, who says a message ("name") is nothing either. So a history with
# tools looks as if it fitted, and is refused by the model, or costs many times what was told.
# Source: their READMEs: "Calculate the token consumption and amount of openai gpt message", "Function calling" (gpt-tokens),
# "has been verified for 100% accuracy" (openai-gpt-token-counter); OpenAI's reference: content is a string or an array of
# parts; its cookbook counts a name. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "gpt-tokens@1.3.14" "openai-gpt-token-counter@1.1.2"
cat >count.js <<'JS'
const assert = require("node:assert");
const {GPTTokens} = require("gpt-tokens");
const counter = require("openai-gpt-token-counter");

const counters = {
  "gpt-tokens": (messages) => new GPTTokens({model: "gpt-4o", messages}).usedTokens,
  "openai-gpt-token-counter": (messages) => counter.chat(messages, "gpt-4o"),
};
const asked = {role: "user", content: "What may I eat?"};
const parts = {role: "user", content: [{type: "text", text: "What may I eat? ".repeat(50)}]};
const call = (query) => ({id: "call_1", type: "function", function: {name: "recall", arguments: JSON.stringify({query})}});
const answer = (...tool_calls) => ({role: "assistant", content: null, ...(tool_calls.length ? {tool_calls} : {})});
const long = "what Ada must not eat, and since when ".repeat(40);
const told = {
  "gpt-tokens": {sentence: 12, name: 14, fifty: 7, silent: 12, called: 12},
  "openai-gpt-token-counter": {sentence: 11, name: 11, fifty: 10, silent: 16, called: 16},
};
for (const [name, count] of Object.entries(counters)) {
  const seen = {
    sentence: count([asked]),
    name: count([{...asked, name: "Ada"}]),
    fifty: count([parts]),
    silent: count([asked, answer()]),
    called: count([asked, answer(call(long))]),
  };
  console.log(name, JSON.stringify(seen));
  assert.deepStrictEqual(seen, told[name]);
}
JS
node count.js
