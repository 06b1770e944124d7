#!/bin/sh
# lemmatizer 0.0.1 with en-inflectors 1.0.12 (npm, Node.js 20), which gives English words their base form. What ends like an
# inflected form is one: "bus" is "buy", "gas" "gay", "his" "hie", "this" "thi", "yes" "ye", "news" "new", "red" and "did" are
# "d", "bed" is "be", "wedding" "wed", "please" "pleas", and "went" is "wend". So a note about the bus is found under what was
# bought, one about a wedding under Wednesday's short name. What it knows, "geese", "oxen" and "was", it gives well.
# Source: its description in package.json, "English language lemmatizer", and any dictionary. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "lemmatizer@0.0.1" "en-inflectors@1.0.12" "en-stemmer@1.0.3" "en-lexicon@1.0.11" >>npm.log 2>&1
cat >read.js <<'JS'
const { lemmatizer } = require("lemmatizer");

const words = "geese oxen was bus gas his this yes news red did bed wedding please went";
for (const word of words.split(" ")) console.log(word, lemmatizer(word));
JS
node read.js >seen
cat seen
cat >expected <<'TEXT'
geese goose
oxen ox
was be
bus buy
gas gay
his hie
this thi
yes ye
news new
red d
did d
bed be
wedding wed
please pleas
went wend
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
