#!/bin/sh
# @agent-relay/memory 6.3.6 (npm, Node 20), whose ContextCompactor shortens a conversation for a model, as its defaults are. Of two
# messages that have the same words it keeps the older one. Words of two characters and numbers below 100 are no words, so
# "book the table on Friday at 8" is what was said of 7, and in a long sentence one "not" is within the 15 % that may differ: the
# secret is a secret still. "Okra makes me ill" and
# "Acknowledged: Kim comes" begin with "ok" and "ack", are acknowledgements, and are removed first. The "Summary of 7 messages"
# that comes instead of the older ones is the first sentence of five of them, in front of the system message; nothing
# says that the others are missing.
# Source: calculateSimilarity, calculateImportance and createSummary in dist/context-compaction.js of the package, which says
# "Semantic deduplication" and "Summary of N messages". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "@agent-relay/memory@6.3.6"
cat >compact.mjs <<'JS'
import {calculateSimilarity, createContextCompactor} from "@agent-relay/memory";

const party = "Remember that the party for Kim on Friday evening at the old mill is";
const said = [
  ["user", "Please book the table for Kim and the others on Friday at 7"],
  ["assistant", "Booked."],
  ["user", "Please book the table for Kim and the others on Friday at 8"],
  ["user", "Okra makes me ill"],
  ["user", "Acknowledged: Kim comes"],
  ["user", `${party} a secret`],
  ["user", `${party} not a secret`],
  ["user", "Ben comes as well, with his dog"],
  ["user", "We also need four chairs and a lamp"],
  ["user", "The lamp is in the cellar of the mill"],
  ["user", "The key is under the third stone"],
];
const places = ["mill", "bridge", "market", "station", "church", "school", "library", "harbour", "garden", "tower"];
const recent = places.map((place) => [
  "user", `${place}: ${[1, 2, 3, 4, 5].map((n) => `${place}${n} street${place}${n} house${place}${n}`).join(" ")}`,
]);
const messages = [["system", "You help Ada."], ...said, ...recent].map(([role, content], id) => ({id: `${id}`, role, content}));
const compactor = createContextCompactor({maxTokens: 700});
const {messages: kept, strategy} = compactor.compact(messages);
const text = kept.map(({content}) => content).join("\n");
console.log(`${strategy}, of ${messages.length} messages ${kept.length}:\n${kept[0].content}\n${kept[1].content}`);
const seen = {
  "alike, at 7 and at 8": calculateSimilarity(said[0][1], said[2][1]),
  "told of": ["at 7", "at 8", "is a secret", "not a secret", "Okra", "Acknowledged", "Ben", "chairs", "lamp is", "key"]
    .filter((words) => text.includes(words)),
  "the system message stands at": kept.findIndex(({content}) => content === "You help Ada."),
};
console.log(JSON.stringify(seen, null, 1));
if (JSON.stringify(Object.values(seen)) !== JSON.stringify([1, ["at 7", "is a secret", "Ben", "chairs"], 1])) {
  console.error("the behaviour has changed");
  process.exit(1);
}
JS
node compact.mjs
