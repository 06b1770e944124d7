#!/bin/sh
# lande 1.0.10 (npm, Node 20), which tells the language of a text and how probable it is. Chats are short: "lol" is
# Korean, with 95 in 100, and "sí" and "ja" are Korean too, though not one of their letters is. "yes" is Hindi, "Danke!"
# is Serbian with 88 in 100, "Guten Morgen" is Dutch and "I like tea" Estonian. A bot that answers in the language of the
# last message, where it is certain enough, changes it in the middle of a talk; no language means "none of them".
# Source: its README: the model "works well on short inputs too". Korean is not written in Latin letters.
# Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "lande@1.0.10" >>npm.log 2>&1
cat >tell.mjs <<'JS'
import lande from "lande";

for (const text of ["lol", "sí", "ja", "yes", "Danke!", "Guten Morgen", "I like tea", "Hello, how are you?"]) {
  const [[language, probability]] = lande(text);
  console.log(text, "->", language, probability.toFixed(2));
}
JS
node tell.mjs | tee seen
cat >expected <<'TEXT'
lol -> kor 0.95
sí -> kor 0.93
ja -> kor 0.79
yes -> hin 0.79
Danke! -> srp 0.88
Guten Morgen -> nld 0.47
I like tea -> est 0.42
Hello, how are you? -> eng 1.00
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
