#!/bin/sh
# llm-chunk 0.0.1 (npm, Node 20), which splits texts for models. By sentence, each point ends one, also within a number: "Ada has 3.5
# euros. Ben has none." is "Ada has 3.", "5 euros." and "Ben has none.", so that a memory made of chunks knows of three euros, and of
# somebody who is four and a half it says four. By paragraph, the line ends between two that share a chunk are gone: "Ada is vegan", an
# empty line and "Ben is not" are "Ada is veganBen is not".
# Source: its README: splitter "paragraph | sentence"; its example of paragraphs keeps the line ends within them. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "llm-chunk@0.0.1" >>npm.log 2>&1
cat >split.cjs <<'JS'
const { chunk } = require("llm-chunk");

const sentences = { splitter: "sentence", minLength: 5, maxLength: 40 };
for (const text of ["Ada has 3.5 euros. Ben has none.", "Mr. Smith came! He is 4.5 years old."]) {
  console.log(JSON.stringify(text), "->", JSON.stringify(chunk(text, sentences)));
}
for (const maxLength of [16, 1000]) {
  console.log("paragraphs, at most", maxLength, "->", JSON.stringify(chunk("Ada is vegan\n\nBen is not\n\nCy eats fish", { maxLength })));
}
JS
node split.cjs >seen
cat seen
cat >expected <<'TEXT'
"Ada has 3.5 euros. Ben has none." -> ["Ada has 3.","5 euros.","Ben has none."]
"Mr. Smith came! He is 4.5 years old." -> ["Mr. Smith came!","He is 4.","5 years old."]
paragraphs, at most 16 -> ["Ada is veganBen is"," not Cy eats fis","h"]
paragraphs, at most 1000 -> ["Ada is veganBen is not","Cy eats fish"]
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
