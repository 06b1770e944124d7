#!/bin/sh
# expand-contractions 1.0.1 and contractions 0.0.7 (npm, Node 20), which write "what's" as "what is". Each short form has one long one,
# whatever stands behind it: "He's been ill" is "He is been ill", "She'd left" "She would left", which says that she did not, and "Ada
# ain't here" "Ada am not here". "Five o'clock" is "Five of the clock". Names and nouns are left alone ("Ben's been ill").
# Source: the README of both: "Convert English contractions to complete words", with the list of Wikipedia, which gives "he has" beside
# "he is", "she had" beside "she would" and five meanings of "ain't". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "expand-contractions@1.0.1" "contractions@0.0.7" >>npm.log 2>&1
cat >say.cjs <<'JS'
const assert = require("assert");
const newer = require("expand-contractions");
const older = require("contractions");

const sentences = [
  "He's ill", "He's been ill", "She'd left", "They'd a cat once", "Ada ain't here", "Meet at five o'clock", "Ben's been ill",
];
for (const said of sentences) {
  console.log(`${said} -> ${newer.expand(said)}`);
  assert.strictEqual(older.expand(said), newer.expand(said));
}
JS
node say.cjs >seen
cat seen
cat >expected <<'TEXT'
He's ill -> He is ill
He's been ill -> He is been ill
She'd left -> She would left
They'd a cat once -> They would a cat once
Ada ain't here -> Ada am not here
Meet at five o'clock -> Meet at five of the clock
Ben's been ill -> Ben's been ill
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
