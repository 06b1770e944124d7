#!/bin/sh
# @langchain/classic 1.0.50 with @langchain/core 1.4.0 (npm, Node 20): ConversationSummaryBufferMemory, which keeps a talk's last
# messages and sums up what is older. The first time, the older messages leave the memory. From then on they are taken out of a
# copy: they are summed up and stay. So each turn tells the model the same messages again, more with every turn, as "new lines"
# beside a summary that has them already, and the summary so far is among those lines as something that somebody said. What the
# memory gives back is the summary and, word for word, all that was summed up since the first time.
# Source: the comments in dist/memory/summary_buffer.js: "It removes messages from the beginning of the buffer until the total
# number of tokens is within the limit"; prune() there puts the summary and the messages into a new array before it takes from it.
# What the model is asked is counted here by a model that answers "(summary)"; words stand for tokens. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "@langchain/classic@1.0.50" "@langchain/core@1.4.0" >>npm.log 2>&1
cat >talk.mjs <<'JS'
import { ConversationSummaryBufferMemory } from "@langchain/classic/memory";
import { LLM } from "@langchain/core/language_models/llms";

const asked = [];
class Model extends LLM {
  _llmType() {
    return "counting";
  }
  async getNumTokens(text) {
    return String(text).split(/\s+/).length;
  }
  async _call(prompt) {
    const lines = prompt.slice(prompt.lastIndexOf("New lines of conversation:"));
    asked.push(lines.match(/secret\d+|\(summary\)/g) ?? []);
    return "(summary)";
  }
}
const memory = new ConversationSummaryBufferMemory({ llm: new Model({}), maxTokenLimit: 20 });
for (let turn = 1; turn <= 5; turn += 1) {
  await memory.saveContext({ input: `this is what I tell you: secret${turn}` }, { output: "thank you for telling me" });
  const { history } = await memory.loadMemoryVariables({});
  console.log(`turn ${turn}: summed up ${JSON.stringify(asked.at(-1) ?? [])}, kept ${JSON.stringify(history.match(/secret\d+/g))}`);
}
JS
node talk.mjs | tee seen
cat >expected <<'TEXT'
turn 1: summed up [], kept ["secret1"]
turn 2: summed up ["secret1"], kept ["secret2"]
turn 3: summed up ["(summary)","secret2"], kept ["secret2","secret3"]
turn 4: summed up ["(summary)","secret2","secret3"], kept ["secret2","secret3","secret4"]
turn 5: summed up ["(summary)","secret2","secret3","secret4"], kept ["secret2","secret3","secret4","secret5"]
TEXT
cmp seen expected
