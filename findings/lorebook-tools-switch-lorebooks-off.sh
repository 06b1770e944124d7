#!/bin/sh
# @lenml/char-card-reader 1.1.1 and @risuai/ccardlib 0.4.2 (npm, Node 20), readers and converters of Tavern character cards.
# The first, asked which entries of a lorebook a text calls for, takes scan_depth, the number of messages to look through, for
# how often to search: with scan_depth 0 or 1 no entry is found, whatever is said. It cuts keys at "," and "|", also
# the pattern /rye|spelt/ of an entry with use_regex; of two such keys in a row the second may stay whole, and is then
# found only by both its words together. Secondary keys of a "selective" entry are not asked for. The second drops
# use_regex on the way from V3 to V2, and sets it to false on the way back: a pattern is then a word that nobody says.
# Source: the specifications (malfoyslastname/character-card-spec-v2, kwaroran/character-card-spec-v3): scan_depth counts
# messages, keys are a list, a selective entry needs a key of both lists. _scan and _keys_fix in src/CharacterBook.ts of the
# first: the pattern is global, so its next test() goes on where the last one stopped. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "@lenml/char-card-reader@1.1.1" "@risuai/ccardlib@0.4.2"
cat >lorebook.mjs <<'JS'
import {CharacterBook} from "@lenml/char-card-reader";
import {CCardLib} from "@risuai/ccardlib";

const entry = (key, more = {}) => ({
  keys: [key], content: `about ${key}`, extensions: {}, enabled: true, insertion_order: 0, use_regex: false, ...more,
});
const book = (entries, more = {}) => ({extensions: {}, entries, ...more});
const found = (lorebook, text) => CharacterBook.from_json(lorebook).scan(text).length;
const bread = [entry("bread")];
const pattern = book([entry("/rye|spelt/", {use_regex: true})]);
const selective = book([entry("bread", {selective: true, secondary_keys: ["rye"]})]);
const cut = CharacterBook.from_json(book([entry("bread, rye"), entry("oats, corn")])).entries;
const there = CCardLib.lorebook.convert(pattern, {from: "v3", to: "v2"});
const back = CCardLib.lorebook.convert(there, {from: "v2", to: "v3"});
const seen = {
  "found, by scan_depth 0, 1, 2": [0, 1, 2].map((depth) => found(book(bread, {scan_depth: depth}), "Is there bread?")),
  "found by a word of the second of two such keys": found(book([entry("bread, rye"), entry("oats, corn")]), "We have corn."),
  "keys of both": cut.map(({keys}) => keys),
  "keys of a pattern": CharacterBook.from_json(pattern).entries[0].keys,
  "found without its secondary key": found(selective, "Is there bread?"),
  "use_regex in V3, in V2, and back": [true, there.entries[0].use_regex ?? null, back.entries[0].use_regex],
  "its key": back.entries[0].keys[0],
};
const expected = [
  [0, 0, 1], 0, [["bread", "rye"], ["oats, corn"]], ["/rye", "spelt/"], 1, [true, null, false], "/rye|spelt/",
];
for (const [what, values] of Object.entries(seen)) console.log(`${what}: ${JSON.stringify(values)}`);
if (JSON.stringify(Object.values(seen)) !== JSON.stringify(expected)) {
  console.error("the behaviour has changed");
  process.exit(1);
}
JS
node lorebook.mjs
