#!/bin/sh
# okapibm25 1.4.1 (npm, Node 20), a "well-tested implementation of the Okapi BM25 algorithm", a "bag of words". It has no words:
# a keyword is looked for within words, and as a regular expression. Asked for "tea" it puts "Our team has a steak party" first, since
# that has it twice. The full stop of "nuts." is any sign, "tea?" finds "team", and the brackets of "(Ben)" say nothing, while "C++" is an
# error. "Tea" is not "tea". The length of a text counts letters of English alone: of notes that are all in Russian or Japanese each
# score is NaN, so the order of a search is that in which they were stored. With b or k1 of 0, which the formula
# allows and which turn the length or the frequency off, it takes its defaults. The BM25 that its README imports is not there
# by that name.
# Source: its README, "Just provide your documents to search, query keywords", whose example asks for "query." with its full
# stop; Robertson and Zaragoza, The Probabilistic Relevance Framework (terms; 0 <= b <= 1). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "okapibm25@1.4.1"
cat >asked.cjs <<'JS'
const assert = require("assert");
const bm25 = require("okapibm25").default;

const notes = ["Kim likes tea", "Our team has a steak party", "Ben likes coffee"];
const scores = (documents, keyword, constants) => bm25(documents, [keyword], constants).map((score) => +score.toFixed(3));
const expected = [
  [notes, "tea", [0.524, 0.567, 0]],
  [notes, "Tea", [0, 0, 0]],
  [["no nuts", "no nutshells"], "nuts.", [0, 1.792]],
  [["(Ben) cooks", "Ben cooks"], "(Ben)", [0.693, 0.693]],
  [["Кошку зовут Мурка", "Собаку зовут Рекс"], "Мурка", [NaN, NaN]],
  [["猫の名前はミケ", "犬の名前はポチ"], "ミケ", [NaN, NaN]],
];
for (const [documents, keyword, wanted] of expected) {
  const seen = scores(documents, keyword);
  console.log(`${keyword}: ${documents.map((text, i) => `${text} ${seen[i]}`).join(" | ")}`);
  assert.deepStrictEqual(seen, wanted);
}
assert.throws(() => scores(["I write C++"], "C++"), /Invalid regular expression/);
assert.strictEqual(require("okapibm25").BM25, undefined);
const byDefault = scores(notes, "tea");
console.log("b of 0:", scores(notes, "tea", {b: 0}), "b of almost 0:", scores(notes, "tea", {b: 1e-9}));
assert.deepStrictEqual(scores(notes, "tea", {b: 0}), byDefault);
assert.deepStrictEqual(scores(notes, "tea", {k1: 0}), byDefault);
assert.notDeepStrictEqual(scores(notes, "tea", {b: 1e-9}), byDefault);
JS
node asked.cjs
