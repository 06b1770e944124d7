#!/bin/sh
# rag-chunk-reorder 0.1.7 (npm, Node 20), which orders what was found for a model. Imported as its README says it does not load
# ("ERR_MODULE_NOT_FOUND", of its own file without an ending), only by require. Its default order of five is A, C, E, D, B,
# where the README draws A, B, E, D, C, so that the second best stands last and not second. reorderForChatHistory orders what
# was said by score as well, though each message has its time: "Ada has not moved after all" comes before "Ada moves to Rome".
# Asked to choose by itself ("auto") or to be chronological, it tells them as they were said.
# Source: its README, "import { Reorderer } from 'rag-chunk-reorder'", "Output: [A, B, E, D, C]", "Chronological: Sorts by
# timestamp for temporal data like ... Chat transcripts". Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --ignore-scripts rag-chunk-reorder@0.1.7 >>npm.log 2>&1
cat >try.cjs <<'JS'
const { Reorderer, reorderForChatHistory } = require("rag-chunk-reorder");

async function show() {
  await import("rag-chunk-reorder").catch((error) => console.log("imported:", error.code));
  const scored = [["A", 0.95], ["B", 0.85], ["C", 0.78], ["D", 0.72], ["E", 0.6]];
  const passages = scored.map(([id, score]) => ({ id, text: `passage ${id}`, score }));
  console.log("default:", new Reorderer().reorderSync(passages).map(({ id }) => id).join(" "));
  const said = [["Ada moves to Rome", 0.7], ["Ada packs", 0.85], ["Ada has not moved after all", 0.9], ["Ada rests", 0.8]];
  const chat = said.map(([text, score], turn) => ({ id: `${turn}`, text, score, metadata: { timestamp: 1000 * (turn + 1) } }));
  const orders = {
    "chat history": await reorderForChatHistory(chat, "When did Ada move?"),
    auto: await new Reorderer({ strategy: "auto" }).reorder(chat, "When did Ada move?"),
    chronological: new Reorderer({ strategy: "chronological" }).reorderSync(chat),
  };
  for (const [name, order] of Object.entries(orders)) console.log(`${name}:`, order.map(({ text }) => text).join(" | "));
}
show();
JS
node try.cjs | tee seen
cat >expected <<'TEXT'
imported: ERR_MODULE_NOT_FOUND
default: A C E D B
chat history: Ada has not moved after all | Ada rests | Ada moves to Rome | Ada packs
auto: Ada moves to Rome | Ada packs | Ada has not moved after all | Ada rests
chronological: Ada moves to Rome | Ada packs | Ada has not moved after all | Ada rests
TEXT
cmp seen expected
