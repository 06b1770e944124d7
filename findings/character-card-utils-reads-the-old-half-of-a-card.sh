#!/bin/sh
# character-card-utils 2.0.3 (npm, Node 20), by the author of the V2 specification, which checks character cards and makes V2 of
# them. A card that it cannot read as V2 is read as V1, and said to be fine, if the fields of V1 stand beside the newer ones, as
# SillyTavern writes them for old programs: a card of V3 comes back as a V2 card without its lorebook, its further greetings, its
# instructions and its extensions, and with what the old fields say, also where the new ones say something else. So does a V2 card
# with one small fault in its lorebook, such as an empty position: the whole lorebook and all else of V2 are gone instead of an
# error. Without the old fields beside them the same two cards are refused.
# Source: the package's documentation: parseToV2 is for "parsing/validating arbitrary JSON" and converts V1 cards to V2; the V2
# specification: "spec" tells a V2 card, and what stands beside "data" is for V1 programs only; character-card-spec-v3. Seen on
# 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "character-card-utils@2.0.3" >>npm.log 2>&1
cat >read.cjs <<'JS'
const { safeParseToV2 } = require("character-card-utils");

const old = { name: "Aqua", description: "A sprite.", personality: "", scenario: "", first_mes: "Hi!", mes_example: "" };
const entry = { keys: ["lake"], content: "The lake is deep.", extensions: {}, enabled: true, insertion_order: 1 };
const data = (position) => ({
  ...old,
  description: "A sprite who is afraid of nuts.",
  creator_notes: "",
  system_prompt: "Speak in verse.",
  post_history_instructions: "",
  alternate_greetings: ["Hello!"],
  tags: [],
  creator: "",
  character_version: "",
  extensions: { depth_prompt: { prompt: "wet", depth: 4 } },
  character_book: { extensions: {}, entries: [position === undefined ? entry : { ...entry, position }] },
});
const v2 = (position) => ({ spec: "chara_card_v2", spec_version: "2.0", data: data(position) });
const v3 = { spec: "chara_card_v3", spec_version: "3.0", data: { ...data(), group_only_greetings: [] } };
const cards = { V2: v2(), "V2 with old fields": { ...old, ...v2() }, "V2, empty position": v2(""), V3: v3 };
cards["V2, empty position, with old fields"] = { ...old, ...v2("") };
cards["V3 with old fields"] = { ...old, ...v3 };
for (const [name, card] of Object.entries(cards)) {
  const read = safeParseToV2(card);
  const got = read.success ? read.data.data : undefined;
  const kept = got && [got.description, got.system_prompt, got.alternate_greetings.length, got.character_book?.entries.length ?? 0];
  console.log(`${name}: ${got ? JSON.stringify(kept) : "refused"}`);
}
JS
node read.cjs | tee seen
cat >expected <<'TEXT'
V2: ["A sprite who is afraid of nuts.","Speak in verse.",1,1]
V2 with old fields: ["A sprite who is afraid of nuts.","Speak in verse.",1,1]
V2, empty position: refused
V3: refused
V2, empty position, with old fields: ["A sprite.","",0,0]
V3 with old fields: ["A sprite.","",0,0]
TEXT
cmp seen expected
