#!/bin/sh
# mypluralize 1.0.3 and fleck 0.5.1 (npm, Node 20), which give English nouns their plural. What ends in "man" is a man: two Germans are
# "Germen", two Romans "Romen", and fleck's humans "humen" as well. In-laws come as "brother-in-laws", and fleck has "foots" and
# "gooses". Back in the singular the words are as they were, so nobody sees it who only looks a name up.
# Source: the README of mypluralize: "returns the plural form of any noun"; the description of fleck: "a functional-style string
# inflection library"; any dictionary for the plurals of German, Roman and brother-in-law. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "mypluralize@1.0.3" "fleck@0.5.1" >>npm.log 2>&1
cat >say.cjs <<'JS'
const { getPlural } = require("mypluralize");
const fleck = require("fleck");

for (const noun of ["woman", "child", "human", "German", "Roman", "brother-in-law", "foot", "goose"]) {
  console.log(`${noun}: mypluralize ${getPlural(noun)}, fleck ${fleck.pluralize(noun)}`);
}
JS
node say.cjs >seen
cat seen
cat >expected <<'TEXT'
woman: mypluralize women, fleck women
child: mypluralize children, fleck children
human: mypluralize humans, fleck humen
German: mypluralize Germen, fleck Germen
Roman: mypluralize Romen, fleck Romen
brother-in-law: mypluralize brother-in-laws, fleck brother-in-laws
foot: mypluralize feet, fleck foots
goose: mypluralize geese, fleck gooses
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
