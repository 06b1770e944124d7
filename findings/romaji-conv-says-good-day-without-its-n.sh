#!/bin/sh
# @koozaki/romaji-conv 2.0.35 (npm, Node 20), which turns romaji into kana. A double n before a vowel loses one: onna, woman,
# is おんあ, annai, guide, is あんあい, and konnichiwa is こんいちわ, although kk, pp and tt are doubled as they should be. The apostrophe
# with which Hepburn parts n and a vowel stays in the kana: kin'en, no smoking, is きん'えん. Of matcha the t stays a Latin letter
# within the kana, and so does a vowel that is long by its line: Ōsaka is Ōさか, and tōkyō stays as it is. Nothing says that a
# letter was not read.
# Source: the README, that many notations are supported, such as Kunrei and Hepburn; ISO 3602 and the Cabinet's rules of
# romanisation (n' before a vowel or y; the line for a long vowel), and Hepburn's tch. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "@koozaki/romaji-conv@2.0.35"
cat >kana.cjs <<'JS'
const { toHiragana } = require("@koozaki/romaji-conv");

const words = ["kekkon", "sanpo", "onna", "annai", "konnichiwa", "kin'en", "kinen", "matcha", "Ōsaka", "tōkyō"];
for (const word of words) console.log(word, "->", toHiragana(word));
JS
node kana.cjs | tee seen
cat >expected <<'TEXT'
kekkon -> けっこん
sanpo -> さんぽ
onna -> おんあ
annai -> あんあい
konnichiwa -> こんいちわ
kin'en -> きん'えん
kinen -> きねん
matcha -> まtちゃ
Ōsaka -> Ōさか
tōkyō -> tōkyō
TEXT
cmp seen expected
