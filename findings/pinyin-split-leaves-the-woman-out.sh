#!/bin/sh
# pinyin-split 1.170.0 (npm, Node 20), which splits pinyin into syllables, as for readers of a chat who learn Chinese. A
# letter that belongs to none of its syllables is left out without a word, and with it what was said: the r with which Beijing
# speaks at the end of a syllable, so that nar, where, is na, there, and zher, here, is er, two; and the v that keyboards have
# for ü, so that nvhai, girl, is n and hai, lvse, green, is se, colour, and nver, daughter, is n and er. Only who asks for
# everything besides pinyin gets these letters, as if they were none.
# Source: the package's description, "Split up any kind of Pinyin into an array of syllables", and its README, in which only
# what is not pinyin is left out; GB/T 16159 writes nar and zher as one syllable, and GB/T 28039 allows v for ü where ü cannot
# be typed, as in names. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "pinyin-split@1.170.0"
cat >split.cjs <<'JS'
const { split } = require("pinyin-split");

for (const said of ["nǚhái", "nvhai", "nver", "lvse", "nar", "zher", "yìdiǎnr"]) {
  console.log(said, "->", split(said).join(" "), "| with everything:", split(said, true).join(" "));
}
JS
node split.cjs | tee seen
cat >expected <<'TEXT'
nǚhái -> nǚ hái | with everything: nǚ hái
nvhai -> n hai | with everything: n v hai
nver -> n er | with everything: n v er
lvse -> se | with everything: lv se
nar -> na | with everything: na r
zher -> er | with everything: zh er
yìdiǎnr -> yì diǎn | with everything: yì diǎn r
TEXT
cmp seen expected
