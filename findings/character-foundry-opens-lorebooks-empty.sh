#!/bin/sh
# @character-foundry/character-foundry 0.5.0 (npm, Node 20), which reads, writes and converts character cards and "standalone
# lorebooks". The lorebook file of the V3 specification (spec "lorebook_v3", its entries under "data") is opened without an
# error as one with no entries, and so is RisuAI's ({type: "risu", data: [...]}), whose name is a format of its own here; saved
# again, the first is no lorebook_v3 any more. Of the form that it does read, use_regex, scan_depth, token_budget and
# recursive_scanning are gone: a pattern is a word then. A lorebook of SillyTavern that is opened and saved has its
# entries "at depth" before the character, and those meant for one character alone, or for the second pass, for all.
# Of two lorebooks merged, the second's entries go from order 900 to 1. Exported for Voxta, an entry that needed a key of both
# lists needs one: neither secondary_keys nor use_regex, nickname and position are in the list of what will be lost.
# Source: dist/lorebook.js and dist/exporter.js of the package; kwaroran/character-card-spec-v3 (a
# lorebook's own file); world-info.js of SillyTavern/SillyTavern (position 4, characterFilter). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "@character-foundry/character-foundry@0.5.0"
cat >lorebooks.mjs <<'JS'
import {mergeLorebooks, parseLorebook, serializeParsedLorebook} from "@character-foundry/character-foundry/lorebook";
import {parseCard} from "@character-foundry/character-foundry/loader";
import {checkExportLoss, exportCard} from "@character-foundry/character-foundry/exporter";

const bread = {
  keys: ["/rye|spelt/"], secondary_keys: ["oven"], selective: true, use_regex: true, position: "after_char",
  content: "Baked at dawn.", extensions: {}, enabled: true, insertion_order: 900, constant: false,
};
const book = {name: "Mill", extensions: {}, scan_depth: 3, token_budget: 500, recursive_scanning: true, entries: [bread]};
const risu = {
  key: "bread", secondkey: "", insertorder: 100, comment: "Bread", content: "Baked at dawn.", mode: "normal",
  alwaysActive: false, selective: false,
};
const tavern = {
  uid: 0, key: ["bread"], keysecondary: [], comment: "Bread", content: "Baked at dawn.", constant: false, selective: true,
  selectiveLogic: 0, order: 100, position: 4, depth: 2, role: 0, disable: false, delayUntilRecursion: true,
  characterFilter: {isExclude: false, names: ["Mira"], tags: []},
};
const opened = (lorebook) => parseLorebook(new TextEncoder().encode(JSON.stringify(lorebook)));
const saved = (lorebook) => JSON.parse(serializeParsedLorebook(opened(lorebook)));
const v3 = {spec: "lorebook_v3", data: book};
const again = saved({name: "Mill", entries: {0: tavern}}).entries[0];
const kept = saved(book);
const card = {
  spec: "chara_card_v3", spec_version: "3.0",
  data: {
    name: "Mira", nickname: "Mi", description: "A baker.", personality: "", scenario: "", first_mes: "", mes_example: "",
    creator: "", character_version: "", creator_notes: "", system_prompt: "", post_history_instructions: "", tags: [],
    alternate_greetings: [], group_only_greetings: [], extensions: {}, character_book: book,
  },
};
const voxta = exportCard(card, [], {format: "voxta"});
const {nickname, character_book: {entries: [moved]}} = parseCard(voxta.buffer ?? voxta).card.data;
const said = JSON.stringify(checkExportLoss(card, [], "voxta"));
const seen = {
  "entries of a lorebook_v3, of RisuAI's": [v3, {type: "risu", ver: 1, data: [risu]}].map((file) => opened(file).book.entries.length),
  "spec of the lorebook_v3 when saved": saved(v3).spec ?? null,
  "use_regex, scan_depth, recursive_scanning when saved": [kept.entries[0].use_regex, kept.scan_depth, kept.recursive_scanning]
    .map((value) => value ?? null),
  "SillyTavern's position, only for, second pass only": [again.position, again.characterFilter ?? null, again.delayUntilRecursion ?? null],
  "orders when merged": mergeLorebooks(book, book).entries.map((entry) => entry.insertion_order),
  "for Voxta: nickname, selective, use_regex, position": [nickname ?? null, moved.selective, moved.use_regex ?? null, moved.position],
  "said to be lost": ["nickname", "secondary_keys", "selective", "use_regex", "position"].filter((name) => said.includes(name)),
};
const expected = [[0, 0], null, [null, null, null], [0, null, null], [900, 1], [null, false, null, "before_char"], []];
for (const [what, values] of Object.entries(seen)) console.log(`${what}: ${JSON.stringify(values)}`);
if (JSON.stringify(Object.values(seen)) !== JSON.stringify(expected)) {
  console.error("the behaviour has changed");
  process.exit(1);
}
JS
node lorebooks.mjs
